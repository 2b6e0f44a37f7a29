import type { INodeProperties } from 'n8n-workflow';

import {
	beside,
	choiceOption,
	decimalOption,
	filterOption,
	isEmptyValue,
	limitOption,
	numberOption,
	ofRun,
	ofNode,
	option,
	optionalText,
	readChoices,
	safeguard,
	switchOption,
	toCollections,
} from '../../../../nodes/shared/fields/option';
import { EmptyError } from '../../../../nodes/shared/validation/InputError';

const choices = ['First', 'second'].map((value) => ({ name: value, value }));
const property: INodeProperties = {
	displayName: 'Most Things',
	name: 'most',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10 },
	options: choices,
	default: 3,
};
const bare = Object.create(null) as object;
const empty = [undefined, null, '', ' \n', [], {}, bare, NaN];
const full = [0, false, 'a', [null], { a: 1 }, new Date()];
const same = (value: unknown) => value;

test.each([...empty.map((value) => [value, true]), ...full.map((value) => [value, false])])(
	'%j is empty: %s',
	(value, isEmpty) => expect(isEmptyValue(value)).toBe(isEmpty),
);

const kinds = [
	['any', option(property, 'absent', same)],
	['filter', filterOption(property, same)],
	['switch', switchOption(property)],
	['number', numberOption(property, undefined)],
	['limit', limitOption(property)],
	['decimal', decimalOption(property, undefined)],
	['choice', choiceOption(property, 'First')],
	['of the run', ofRun(numberOption(property, 1))],
] as const;

test.each(kinds)('%s: what is there and empty is rejected by name', (_, { read }) => {
	for (const value of empty) expect(() => read(value)).toThrow(EmptyError);
	expect(() => read('')).toThrow(/Most Things is empty$/);
});

test('a filter is called one, and what is done about it is said', () => {
	expect(() => filterOption(property, same).read('')).toThrow(
		expect.objectContaining({
			message: 'Filter Most Things is empty',
			hint: 'Fill in Most Things, or remove it.',
		}),
	);
});

test('a text that may be empty is absent then', () => {
	const { read, whenAbsent } = optionalText(property, String);
	for (const value of empty) expect(read(value)).toBe(whenAbsent);
	expect(read(7)).toBe('7');
});

test.each([
	[[true, 1, 'true', '1'], true],
	[[false, 0, 'false', '0'], false],
])('%j switch to %s', (values, expected) => {
	for (const value of values) expect(switchOption(property).read(value)).toBe(expected);
});

test.each(['yes', 2, [true], { on: true }])('%j is neither on nor off', (value) => {
	expect(() => switchOption(property).read(value)).toThrow('Most Things must be on or off');
});

test('a number lies within the bounds of its property', () => {
	const { read } = numberOption(property, undefined);
	expect([read(0), read('10')]).toEqual([0, 10]);
	for (const value of [-1, 11, 1.5, true, 'many'])
		expect(() => read(value)).toThrow(
			/^Most Things must be (from 0 to 10|a whole number), but is /,
		);
	expect(() => numberOption(property, 1, 'Ask.').read(11)).toThrow(
		expect.objectContaining({ hint: 'Ask.' }),
	);
});

test('a limit of 0 limits nothing', () => {
	const { read, whenAbsent } = limitOption(property, 5);
	expect([read(0), read(7), whenAbsent]).toEqual([Infinity, 7, 5]);
});

test('a number with fractions can have a lowest value', () => {
	const { read } = decimalOption(property, undefined, 0);
	expect([read(0), read('12.5')]).toEqual([0, 12.5]);
	for (const value of [-0.1, 'many', true, Infinity, [1]])
		expect(() => read(value)).toThrow(/^Most Things must be a number of 0 or more, but is /);
});

test('a choice is one that the property lists, in any case', () => {
	const { read } = choiceOption(property, 'First');
	expect([read('FIRST'), read(' second ')]).toEqual(['First', 'second']);
	for (const value of ['third', 1, ['First'], 'constructor'])
		expect(() => read(value)).toThrow(/ is not valid for Most Things$/);
});

test('several choices are a list, or a text with commas', () => {
	expect(readChoices(property, ['first', 'Second'])).toEqual(['First', 'second']);
	expect(readChoices(property, 'second, FIRST')).toEqual(['second', 'First']);
	for (const value of [['First', null], 'First,', 7, true])
		expect(() => readChoices(property, value)).toThrow('is not valid for Most Things');
});

test('a collection lists its options by the alphabet', () => {
	const names = ['b', 'a'].map((name) => ({ ...property, name, displayName: name }));
	const [b, a] = names.map((one) => option(one, undefined, same));
	expect(toCollections({ b, a })).toMatchObject([
		{
			...{ displayName: 'Options', name: 'options', placeholder: 'Add option' },
			...{ type: 'collection', default: {} },
			options: [{ name: 'a' }, { name: 'b' }],
		},
	]);
});

test('an option beside another one is shown only while that is in use', () => {
	const named = (name: string, type: 'boolean' | 'string') =>
		option({ ...property, name, type }, undefined, same);
	const shown = (companion: ReturnType<typeof named>) =>
		beside(companion, ofRun(named('b', 'string')));
	expect(shown(named('a', 'boolean'))).toMatchObject({
		...{ companion: 'a', isOfRun: true },
		property: { name: 'b', displayOptions: { show: { a: [true] } } },
	});
	expect(shown(named('a', 'string')).property.displayOptions).toEqual({
		show: { a: [{ _cnd: { exists: true } }] },
	});
});

test('a declaration says in which collection it is, or that it is a field of the node', () => {
	const one = option(property, undefined, same);
	const all = { a: one, b: safeguard(ofRun(one)), c: filterOption(property, same), d: ofNode(one) };
	expect(toCollections(all)).toMatchObject([
		{ displayName: 'Filters', name: 'filters', placeholder: 'Add filter', options: [{}] },
		{ displayName: 'Options', options: [{}] },
		{ displayName: 'Safeguards', name: 'safeguards', placeholder: 'Add safeguard', options: [{}] },
	]);
	expect(all.b.isOfRun).toBe(true);
});
