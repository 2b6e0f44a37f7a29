import 'reflect-metadata';

import type { INodeProperties, INodeType } from 'n8n-workflow';

import manifest from '../../package.json';

const nodes = manifest.n8n.nodes.map((path) => path.split('/')[2]);

function propertiesOf(folder: string): INodeProperties[] {
	const loaded = jest.requireActual<Record<string, new () => INodeType>>(
		`../../nodes/${folder}/${folder}.node`,
	);
	return new loaded[folder]().description.properties;
}

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
	test.each(nodes)('is a field beside it: %s', (folder) => {
		const wrong = listLevels(propertiesOf(folder)).flatMap((level) => {
			const names = level.map(({ name }) => name);
			const isBeside = (path: string) => /^[@/]/.test(path) || names.includes(path);
			return level.flatMap(({ displayOptions: { show, hide } = {} }) =>
				Object.keys({ ...show, ...hide }).filter((path) => !isBeside(path)),
			);
		});
		expect(wrong).toEqual([]);
	});
});
