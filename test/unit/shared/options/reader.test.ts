import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	beside,
	filterOption,
	numberOption,
	ofNode,
	ofRun,
	option,
	optionalText,
	switchOption,
	type Option,
} from '../../../../nodes/shared/options/option';
import { OptionReader, toCollections } from '../../../../nodes/shared/options/reader';
import { historyFilters } from '../../../../nodes/SmsHistory/filters';
import { nowhere, openContext } from '../../../support/workflow/openContext';
const property = (name: string) =>
	({ displayName: name.toUpperCase(), name, type: 'string', default: 'new' }) as const;
const options = {
	guard: switchOption(property('guard')),
	note: optionalText(property('note'), String),
	most: ofRun(numberOption(property('most'), 7)),
};

/** Reads with what the expressions of the options return for each item. */
function open(written: INodeParameters, returned: Array<Record<string, unknown>> = [{}]) {
	let asked = 0;
	const readField = (path: string, item: number) => {
		asked += 1;
		const name = path.replace('options.', '');
		return name in returned[item] ? returned[item][name] : written[name];
	};
	const place = { parameters: { options: written }, items: returned.length };
	return { reader: new OptionReader(options, readField, place), asked: () => asked };
}

describe('the options of a node', () => {
	test('are read once where no expression is among them', () => {
		const { reader, asked } = open({ guard: true, note: 'a' }, [{}, {}, {}]);
		const all = [0, 1, 2].map((item) => reader.read(item));
		expect(all).toEqual(Array(3).fill({ guard: true, note: 'a', most: 7 }));
		expect(asked()).toBe(2);
	});
});

describe('an option that is hidden with its companion', () => {
	const note = beside(options.guard, option(property('note'), 'absent', String));
	const read = (written: INodeParameters, guard: unknown = written.guard) => {
		const readField = (path: string) => (path === 'options.guard' ? guard : written.note);
		const place = { parameters: { options: written }, items: 1 };
		return new OptionReader({ guard: options.guard, note }, readField, place).read(0).note;
	};

	test.each([[{}], [{ guard: false }]])('counts as absent beside %j', (companion) => {
		for (const value of ['x', '', null])
			expect(read({ ...companion, note: value } as INodeParameters)).toBe('absent');
	});

	test('is read beside one that is on, or an expression, which can turn out off', () => {
		expect(read({ guard: true, note: 'x' })).toBe('x');
		expect(read({ guard: '={{ $json.on }}', note: 'x' }, true)).toBe('x');
		expect(() => read({ guard: true, note: '' })).toThrow('NOTE is empty');
	});
});

describe('an option of the run', () => {
	const differing = [{ most: 1 }, { most: 1 }, { most: 2 }];

	test.each(['={{ $json.most }}', '={{ $("A").item.json.n }}', '={{ $parameter.note.length }}'])(
		'is rejected with both items where %s differs between them',
		(most) => {
			const { reader } = open({ most }, differing);
			expect(() => reader.read(0)).toThrow(
				'MOST must be the same for all items: it is 1 for item 1, but 2 for item 3',
			);
		},
	);

	test('is looked at in every item once, though every item fails by it', () => {
		const items = Array.from({ length: 100 }, (_, n) => ({ most: n < 99 ? 5 : 6 }));
		const { reader, asked } = open({ most: '={{ $json.most }}' }, items);
		for (let item = 0; item < 100; item += 1)
			expect(() => reader.read(item)).toThrow('MOST must be the same for all items');
		expect(asked()).toBeLessThan(210);
	});

	test('is read from the first item where it cannot depend on one', () => {
		const { reader, asked } = open({ most: '={{ $now.day }}' }, [{ most: 5 }, { most: 6 }]);
		expect([reader.ofRun().most, asked()]).toEqual([5, 1]);
	});
});

describe('an option of a tool', () => {
	test('is not free for the model: an empty Scheduled At would send at once', () => {
		const { reader } = open({ guard: "={{ $fromAI('guard') }}" }, [{ guard: '' }]);
		expect(() => reader.read(0)).toThrow('GUARD is empty');
	});

	test.each([
		["={{ $fromAI('to') }}", false],
		['={{ $json.none }}', true],
		['', true],
	])('may be empty if it is a filter of SMS History: To as %j is rejected: %s', (to, isRefused) => {
		const parameters: IDataObject = { filters: { to } };
		const items = [{ to: '' }];
		const context = openContext(nowhere, { type: 'SmsHistory', parameters, items });
		const reader = OptionReader.of(context, historyFilters);
		const whose = () => reader.read(0).to;
		if (isRefused) expect(whose).toThrow('Filter To is empty');
		else expect(whose()).toBeUndefined();
	});
});

test('fields of the node itself are read in the same way', () => {
	const fields: Record<string, Option> = { guard: ofNode(options.guard) };
	const readField = (path: string) => (path === 'guard' ? 'true' : undefined);
	const place = { parameters: { guard: '={{ 1 }}' }, items: 1 };
	expect(new OptionReader(fields, readField, place).read(0)).toEqual({ guard: true });
});

describe('toCollections', () => {
	const same = (value: unknown) => value;

	test('a collection lists its options in their order', () => {
		const names = ['b', 'a'].map((name) => property(name));
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
		const one = option(property('one'), undefined, same);
		const all = { a: one, b: ofRun(one), c: filterOption(property('one'), same), d: ofNode(one) };
		expect(toCollections(all)).toMatchObject([
			{ displayName: 'Filters', name: 'filters', placeholder: 'Add filter', options: [{}] },
			{ displayName: 'Options', options: [{}, {}] },
		]);
		expect(all.b.isOfRun).toBe(true);
	});
});
