import type { INodeProperties } from 'n8n-workflow';
import {
	filterOption,
	ofNode,
	ofRun,
	option,
	safeguard,
} from '../../../../nodes/shared/options/option';
import { sendingOptions, toCollections } from '../../../../nodes/shared/options/collections';
import { options as ofSmsSend } from '../../../../nodes/SmsSend/send.operation';

const property: INodeProperties = { displayName: 'One', name: 'one', type: 'string', default: '' };
const same = (value: unknown) => value;

test('a collection lists its options by the alphabet', () => {
	const names = ['b', 'a'].map((name) => ({ ...property, name, displayName: name }));
	const [b, a] = names.map((one) => option(one, undefined, same));
	const [collection] = toCollections({ b, a });
	expect([collection]).toMatchObject([
		{
			...{ displayName: 'Options', name: 'options', placeholder: 'Add option' },
			...{ type: 'collection', default: {} },
			options: [{ name: 'a' }, { name: 'b' }],
		},
	]);
});

test('a declaration says in which collection it is, or that it is a field of the node', () => {
	const one = option(property, undefined, same);
	const all = { a: one, b: safeguard(ofRun(one)), c: filterOption(property, same), d: ofNode(one) };
	const decoys = [{ type: 'hidden' }, { type: 'hidden' }, { type: 'hidden' }];
	expect(toCollections(all)).toMatchObject([
		{ displayName: 'Filters', name: 'filters', placeholder: 'Add filter', options: [{}] },
		{ displayName: 'Options', options: [{}] },
		{ name: 'safeguards', placeholder: 'Add safeguard', options: [{}] },
		...decoys,
	]);
	expect(all.b.isOfRun).toBe(true);
});

test('a collection of several options has the others as hidden ones', () => {
	const one = option(property, undefined, same);
	const [{ options }] = toCollections({ a: one, b: one, c: safeguard(one) });
	expect(options).toMatchObject([{}, {}, { name: 'c', type: 'hidden' }]);
});

test('SMS Send, which errors about other nodes name, has every option that they name', () => {
	expect(Object.keys(ofSmsSend)).toEqual(expect.arrayContaining(Object.keys(sendingOptions)));
	expect(Object.keys(sendingOptions).length).toBeGreaterThan(15);
});
