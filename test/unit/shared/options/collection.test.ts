import type { INodeProperties } from 'n8n-workflow';

import { filterOption, ofNode, ofRun, option } from '../../../../nodes/shared/options/option';
import { toCollections } from '../../../../nodes/shared/options/collection';
import { catchMisplaced } from '../../../../nodes/shared/options/misplaced';
import { dryRun, maxMessages } from '../../../../nodes/shared/options/limits';

const property: INodeProperties = { displayName: 'One', name: 'one', type: 'string', default: '' };
const same = (value: unknown) => value;

test('a collection lists its options in their order', () => {
	const names = ['b', 'a'].map((name) => ({ ...property, name, displayName: name }));
	const [b, a] = names.map((one) => option(one, undefined, same));
	expect(toCollections({ b, a })).toMatchObject([
		{
			...{ displayName: 'Options', name: 'options', placeholder: 'Add option' },
			...{ type: 'collection', default: {} },
			options: [{ name: 'b' }, { name: 'a' }],
		},
	]);
});

test('a declaration says in which collection it is, or that it is a field of the node', () => {
	const one = option(property, undefined, same);
	const all = { a: one, b: ofRun(one), c: filterOption(property, same), d: ofNode(one) };
	expect(toCollections(all)).toMatchObject([
		{ displayName: 'Filters', name: 'filters', placeholder: 'Add filter', options: [{}] },
		{ displayName: 'Options', options: [{}, {}] },
	]);
	expect(all.b.isOfRun).toBe(true);
});

describe('misplaced', () => {
	test('what may be misplaced is hidden at each path where the node does not have it', () => {
		const [options, ...ofNode] = toCollections(catchMisplaced({ dryRun, maxMessages }));
		const hiddenIn = (properties: unknown) =>
			(properties as INodeProperties[])
				.filter(({ type }) => type === 'hidden')
				.map(({ name, description }) => [name, description]);
		const others = ['scheduledAt', 'test', 'doNotSendTo', 'sendWindow'].map((name) => [
			name,
			'Not an option of this node',
		]);
		expect(hiddenIn(options.options)).toEqual(
			expect.arrayContaining([['dryRun', 'Not here: set dryRun'], ...others]),
		);
		expect(hiddenIn(options.options)).toHaveLength(5);
		expect(hiddenIn(ofNode)).toEqual(
			expect.arrayContaining([['maxMessages', 'Not here: set options.maxMessages'], ...others]),
		);
		expect(ofNode).toHaveLength(5);
	});
});
