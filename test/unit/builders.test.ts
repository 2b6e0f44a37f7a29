import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { describeNodes, leftOut, listParameters } from '../../scripts/aiBuilders/describeNodes';
import { readNodes } from '../../scripts/aiBuilders/readNodes';
import { exampleNames, readExample } from '../../scripts/n8n/examples';
import { projectFolder } from '../../scripts/n8n/paths';

const ofMessaging = /^n8n-nodes-messaging-service\./;
const nodes = readNodes();
const ours = nodes.map(({ description, version }) => ({ ...description, version }));
const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

const pathsOfProperties = (properties: INodeProperties[]) =>
	listParameters(properties).map(([path]) => path);

/** The paths of the parameters that a node is given. */
const pathsOf = (parameters: object) =>
	Object.entries(parameters).flatMap(([name, value]) =>
		['filters', 'options'].includes(name)
			? Object.keys(value as object).map((key) => `${name}.${key}`)
			: name,
	);

interface Told {
	type: string;
	typeVersion: number;
	example: object;
	parameters: Record<string, string | { absent: unknown }>;
	output: Record<string, string>;
}

/** The page for AI builders: a line for each node, and workflows to copy. */
function readPage() {
	const page = read('docs/ai-builders.md');
	const [, lines = ''] = /```jsonl\n([\s\S]*?)\n```/.exec(page) ?? [];
	const workflows = [...page.matchAll(/```json\n([\s\S]*?)\n```/g)];
	return {
		lines,
		nodes: lines.split('\n').map((line) => JSON.parse(line) as Told),
		workflows: workflows.map(([, json]) => JSON.parse(json) as Snippet),
	};
}

interface Snippet {
	name: string;
	nodes: Array<{ name: string; type: string; typeVersion: number; parameters: object }>;
}

describe('the words for AI builders', () => {
	test.each(ours)('name only paths that $displayName has', ({ builderHint, properties, name }) => {
		const others = name.endsWith('Trigger') ? ours.flatMap((type) => type.properties) : properties;
		const paths = /\b(?:filters|options)\.\w+/g;
		const named = builderHint?.searchHint?.match(paths) ?? [];
		expect(pathsOfProperties(others)).toEqual(expect.arrayContaining(named));
	});

	const page = readPage();

	test('are those of the nodes: npm run docs:builders writes them', () => {
		expect(page.lines).toBe(describeNodes(nodes));
	});

	test.each(page.nodes)('have every parameter of $type, with its values and default', (line) => {
		const type = ours.find(({ name }) => name === line.type)!;
		expect(line.typeVersion).toBe(type.version);
		const properties = Object.fromEntries(listParameters(type.properties));
		const untold = Object.keys(properties).filter((path) => !(path in line.parameters));
		expect(untold.filter((path) => !leftOut.includes(path.replace('options.', '')))).toEqual([]);
		for (const [path, words] of Object.entries(line.parameters)) {
			const { options = [], default: value, description = '', type: kind } = properties[path];
			if (typeof words === 'object') expect(words.absent).toEqual(value);
			else {
				const [, first] = /As in (\w+)\.$/.exec(words) ?? [];
				const told = page.nodes.find((one) => one.type.endsWith(`.${first}`)) ?? line;
				expect(told.parameters[path]).toContain(description);
				const isList = kind === 'options' || kind === 'multiOptions';
				for (const one of isList ? options : [])
					if ('value' in one) expect(words).toContain(String(one.value));
			}
		}
		expect(Object.keys(properties)).toEqual(expect.arrayContaining(pathsOf(line.example)));
		const isGiven = ({ required = false, displayOptions, name }: INodeProperties) =>
			!required || displayOptions !== undefined || pathsOf(line.example).includes(name);
		expect(type.properties.filter((property) => !isGiven(property))).toEqual([]);
	});

	const examples = exampleNames.map((name) => readExample(name) as Snippet);

	test.each([...page.workflows, ...examples])(
		'the workflow "$name" has only what nodes have: n8n drops any other parameter',
		({ nodes }) => {
			for (const { type, typeVersion, parameters } of nodes.filter(({ type }) =>
				ofMessaging.test(type),
			)) {
				const own = ours.find(({ name }) => name === type.replace(/Tool$/, ''))!;
				// Of a tool, too.
				const names = own.properties.map(({ name }) => name);
				const has = [...pathsOfProperties(own.properties), ...names];
				expect(has).toEqual(expect.arrayContaining(pathsOf(parameters)));
				expect(typeVersion).toBe(own.version);
			}
		},
	);
});

test('OTP Verify says in its description and in its hint which output lets a person in', () => {
	const verify = ours.find(({ displayName }) => displayName === 'OTP Verify');
	for (const words of [verify?.description, verify?.builderHint?.searchHint])
		expect(words).toMatch(
			/output 0 is Rejected, output 1 is Verified.*continue.*only from output 1/i,
		);
});
