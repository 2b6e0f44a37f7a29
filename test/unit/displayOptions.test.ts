import 'reflect-metadata';

import type { INodeProperties } from 'n8n-workflow';

import { loadNode, nodeFolders } from '../support/unit/loadNode';

/** The fields of each collection, and of the node itself. */
function listLevels(properties: INodeProperties[]): INodeProperties[][] {
	const inner = properties.flatMap(({ type, options = [] }) => {
		if (type === 'fixedCollection')
			return options.flatMap((one) => ('values' in one ? listLevels(one.values) : []));
		return type === 'collection' ? listLevels(options as INodeProperties[]) : [];
	});
	return [properties, ...inner];
}

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
