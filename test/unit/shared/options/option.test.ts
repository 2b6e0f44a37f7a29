import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	beside,
	choiceOption,
	decimalOption,
	filterOption,
	isEmptyValue,
	numberOption,
	ofNode,
	ofRun,
	option,
	switchOption,
} from '../../../../nodes/shared/options/option';
import { attempt } from '../../../../nodes/shared/input/InputError';
import { isTimeZone } from '../../../../nodes/shared/input/time';
import { scheduledAtTimeZone } from '../../../../nodes/shared/options/sendOptions';
import { sendToolDescription } from '../../../../nodes/shared/options/properties';
import { maxMessages, maxParts } from '../../../../nodes/shared/options/limits';

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

test('a filter that is empty is called one, and what is done about it is said', () => {
	const hint = 'Fill in Most Things, or remove it.';
	const error = expect.objectContaining({ message: 'Filter Most Things is empty', hint }) as Error;
	expect(() => filterOption(property, same).read('')).toThrow(error);
});

test('a switch is read in each form that an expression can return', () => {
	const { read } = switchOption(property);
	expect([true, 1, 'true', '1'].map(read)).toEqual(Array(4).fill(true));
	expect([false, 0, 'false', '0'].map(read)).toEqual(Array(4).fill(false));
});

test.each(['yes', 2, [true], { on: true }])('%j is neither on nor off', (value) => {
	expect(() => switchOption(property).read(value)).toThrow('Most Things must be on or off');
});

describe('a whole number', () => {
	const whole = (minValue: number, maxValue?: number, hint?: string) => {
		const typeOptions = { minValue, maxValue };
		return numberOption({ ...property, typeOptions }, undefined, hint);
	};
	const { displayName } = property;

	test.each(['3e2', '3e3', 100.5, '100.5', true, [100], '0x64'])('is not %j', (value) => {
		const message = `${displayName} must be a whole number, but is`;
		expect(() => whole(60, 3600).read(value)).toThrow(message);
	});

	test.each([
		[60, 3600, 'Use a whole number from 60 to 3600, such as 60.'],
		[0, 100, 'Use a whole number from 0 to 100, such as 1.'],
		[1, undefined, 'Use a whole number of 1 or more, such as 1.'],
	])('from %j to %j: the hint never suggests to switch a limit off', (min, max, hint) => {
		expect(attempt(() => whole(min, max).read('many'))).toMatchObject({ error: { hint } });
		const own = attempt(() => whole(min, max, 'Ask somebody.').read('many'));
		expect(own).toMatchObject({ error: { hint: 'Ask somebody.' } });
	});
});

test('a number with fractions is 0 or more', () => {
	const { read } = decimalOption(property);
	expect([read(0), read('12.5')]).toEqual([0, 12.5]);
	for (const value of [-0.1, 'many', true, Infinity, [1]])
		expect(() => read(value)).toThrow(/^Most Things must be a number of 0 or more, but is /);
});

test('a choice is one that the property lists, in any case', () => {
	const { read } = choiceOption(property);
	expect([read('FIRST'), read(' second ')]).toEqual(['First', 'second']);
	for (const value of ['third', 1, ['First'], 'constructor'])
		expect(() => read(value)).toThrow(/ is not valid for Most Things$/);
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
	expect(shown(ofNode(named('a', 'boolean'))).property.displayOptions).toEqual({
		show: { '/a': [true] },
	});
});

describe('sendOptions', () => {
	describe('the time zones of a schedule', () => {
		const timeZones = scheduledAtTimeZone.property.options as INodePropertyOptions[];

		test.each(timeZones)('offer $name, which n8n knows', ({ name, value }) => {
			expect(value).toBe(name);
			expect(isTimeZone(value)).toBe(true);
		});

		test('begin with one of them', () => {
			expect(timeZones.map(({ value }) => value)).toContain(scheduledAtTimeZone.property.default);
		});
	});
});

describe('properties', () => {
	describe('what a model is told of a tool', () => {
		test('says of a send that it costs money, and not to repeat one whose outcome is unknown', () => {
			const text = sendToolDescription('Send an SMS.', '; one only').default as string;
			expect(text).toMatch(/^Send an SMS\. Every message costs money/);
			expect(text).toContain('with + and country code; one only. From is');
			expect(text).toContain('"Outcome unknown"');
		});
	});
});

describe('limits', () => {
	test.each([
		['Max Parts', maxParts, 10],
		['Max Messages', maxMessages, Infinity],
	])('0 means no limit for %s, and empty is rejected', (label, { read, whenAbsent }, absent) => {
		expect([whenAbsent, read(0), read('0'), read(7)]).toEqual([absent, Infinity, Infinity, 7]);
		for (const empty of ['', null, undefined, []]) {
			expect(() => read(empty)).toThrow(`${label} is empty`);
		}
	});
});
