import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import type { Option } from '../../nodes/shared/options/option';
import { loadNode, nodeFolders, nodesFolder } from '../support/unit/loadNode';

const loadModule = (file: string) =>
	jest.requireActual<Record<string, unknown>>(join(nodesFolder, file));
const isOption = (one: unknown) =>
	typeof one === 'object' && one !== null && 'whenAbsent' in one && 'property' in one;

/** The fields of each collection, and of the node itself. */
function listLevels(properties: INodeProperties[]): INodeProperties[][] {
	const inner = properties.flatMap(({ type, options = [] }) => {
		if (type === 'fixedCollection')
			return options.flatMap((one) => ('values' in one ? listLevels(one.values) : []));
		return type === 'collection' ? listLevels(options as INodeProperties[]) : [];
	});
	return [properties, ...inner];
}

const levels = nodeFolders.flatMap((folder) => listLevels(loadNode(folder).description.properties));

test('a description names the limits that its field has', () => {
	const named = levels.flat().flatMap(({ name, description = '', typeOptions }) => {
		const [, ...limits] = /from ([\d,]+) to ([\d,]+)/.exec(description) ?? [];
		return limits.length ? [[name, limits, typeOptions] as const] : [];
	});
	expect(named.map(([name]) => name)).toEqual(['pinLength', 'ttl', 'maxInvalidAttempts']);
	for (const [, limits, typeOptions] of named) {
		const [minValue, maxValue] = limits.map((limit) => Number(limit.replace(',', '')));
		expect(typeOptions).toMatchObject({ minValue, maxValue });
	}
});

/** What the operations of the nodes read, by its property. */
const readers = readdirSync(nodesFolder, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts') && !file.startsWith('shared'))
	.flatMap((file) => Object.values(loadModule(file)))
	.flatMap((all) => (typeof all === 'object' && all !== null ? Object.values(all) : []))
	.filter((one): one is Option => isOption(one));

test.each(readers.filter(({ property }) => property.typeOptions?.maxValue !== undefined))(
	'the limits of $property.displayName are those of its reader',
	({ property: { typeOptions = {} }, read }) => {
		const { minValue = 0, maxValue = 0 } = typeOptions;
		expect([typeof read(minValue), read(maxValue)]).toEqual(['number', maxValue]);
		for (const wrong of [minValue - 1, maxValue + 1]) expect(() => read(wrong)).toThrow();
	},
);

/**
 * n8n 1 refuses to save a workflow with a node whose field is displayed by a path, such as `options.secret`: "Could not
 * resolve parameter dependencies". `test/e2e/everyNode.test.ts` saves every node in a real n8n 1.
 */
describe('what a field of a node is displayed by', () => {
	test.each(nodeFolders)('is a field beside it: %s', (folder) => {
		const wrong = listLevels(loadNode(folder).description.properties).flatMap((level) => {
			const names = level.map(({ name }) => name);
			const isBeside = (path: string) => /^[@/]/.test(path) || names.includes(path);
			return level.flatMap(({ displayOptions: { show, hide } = {} }) =>
				Object.keys({ ...show, ...hide }).filter((path) => !isBeside(path)),
			);
		});
		expect(wrong).toEqual([]);
	});
});
