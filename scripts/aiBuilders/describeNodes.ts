import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** What no workflow that a builder was asked for has needed: the page of the node has it. */
export const leftOut = [
	...['timeout', 'parallelRequests', 'surface'],
	...['recipientsPerRequest', 'pauseBetweenRequests'],
	...['encrypt', 'encryptKey', 'unicode', 'scheduledAtTimeZone'],
];

/** JSON schema of an output, as in `__schema__`. */
export interface Schema {
	type?: string | string[];
	properties?: Record<string, Schema>;
}

export interface BuilderNode {
	/** With `name` as workflows have it: `n8n-nodes-messaging-service.smsSend`. */
	description: INodeTypeDescription;
	version: number;
	output: Schema;
	/** Parameters to start from. */
	example: object;
}

const textTypes: Record<string, string> = { dateTime: 'string (date and time)' };

function describeType({ type, options = [], displayName }: INodeProperties): string {
	const [unit = ''] = / \([A-Z]\w+\)$/.exec(displayName) ?? [];
	const values = options.flatMap((one) => ('value' in one ? String(one.value) : [])).join(' | ');
	if (type === 'options') return `one of ${values}`;
	if (type === 'multiOptions') return `list of ${values}`;
	return (textTypes[type] ?? type) + unit.toLowerCase();
}

/** What holds if the parameter is not given. */
function describeAbsent({ default: value, builderHint, required }: INodeProperties): string {
	const [, told] = /Absent: (.*?)\.?$/.exec(builderHint?.propertyHint ?? '') ?? [];
	if (required) return ', required';
	if (told) return `, absent: ${told}`;
	return value === '' || JSON.stringify(value) === '[]' ? '' : `, absent: ${JSON.stringify(value)}`;
}

/** The fields of a collection of n8n, as a workflow nests them. */
function describeShape(property: INodeProperties): object {
	const groups = (property.options ?? []).flatMap((one) => ('values' in one ? one : []));
	return Object.fromEntries(
		groups.map(({ name, values }) => [
			name,
			Object.fromEntries(values.map((field) => [field.name, describeType(field)])),
		]),
	);
}

/** The node that has told a text first: the same text costs a reader twice. */
type Told = Map<string, string>;

function describeProperty(property: INodeProperties, node: string, told: Told): string | object {
	const { description = '', hint = '' } = property;
	if (property.type === 'fixedCollection') {
		const about = description && { about: description };
		return { ...about, shape: describeShape(property), absent: property.default };
	}
	const facts = endSentence(`${describeType(property)}${describeAbsent(property)}`);
	const about = [description, hint].map(endSentence).filter(Boolean).join(' ');
	const first = told.get(about) ?? node;
	told.set(about, first);
	return `${facts} ${first === node ? about : `As in ${first}.`}`.trim();
}

function endSentence(text: string): string {
	const trimmed = text.trim();
	return trimmed === '' || trimmed.endsWith('.') ? trimmed : `${trimmed}.`;
}

/** The parameters of a node that a builder writes, by path. Those of tools are for the editor. */
export function listParameters(
	properties: INodeProperties[],
	place = '',
): Array<[path: string, property: INodeProperties]> {
	return properties
		.filter(({ type }) => type !== 'notice' && type !== 'hidden')
		.filter(({ displayOptions }) => displayOptions?.show?.['@tool'] === undefined)
		.flatMap((one) =>
			one.type === 'collection'
				? listParameters(one.options as INodeProperties[], `${one.name}.`)
				: [[`${place}${one.name}`, one]],
		);
}

function listOutputs({ properties = {} }: Schema, place = ''): Array<[path: string, type: string]> {
	return Object.entries(properties).flatMap(([name, one]) =>
		one.properties
			? listOutputs(one, `${place}${name}.`)
			: [[`${place}${name}`, [one.type ?? 'any'].flat().join(' or ')]],
	);
}

const toShortName = ({ name }: INodeTypeDescription) => name.replace(/^.*\./, '');

/** A line of JSON for each node: what a builder needs to configure it. */
export function describeNodes(nodes: BuilderNode[]): string {
	const told: Told = new Map();
	const lines = nodes.map(({ description, version, output, example }) => ({
		type: description.name,
		typeVersion: version,
		...(description.usableAsTool && { asTool: `${description.name}Tool` }),
		about: description.description,
		example,
		parameters: Object.fromEntries(
			listParameters(description.properties)
				.filter(([, { name }]) => !leftOut.includes(name))
				.map(([path, one]) => [path, describeProperty(one, toShortName(description), told)]),
		),
		...(description.outputNames && { outputs: description.outputNames }),
		output: Object.fromEntries(listOutputs(output)),
	}));
	return lines.map((line) => JSON.stringify(line)).join('\n');
}
