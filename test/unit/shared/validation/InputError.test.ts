import { declareError, describeValue } from '../../../../nodes/shared/validation/InputError';
import { requireWholeNumber } from '../../../../nodes/shared/fields/option';

describe('InputError', () => {});

describe('declareError', () => {
	test('fills in what the input says, as it is', () => {
		const wrong = declareError('<Field> is wrong in <zone>: <value>', 'Use <zone>.');
		const error = wrong('at', { Field: 'At', zone: '<value>', value: '<zone> $&' });
		expect(error).toMatchObject({
			field: 'at',
			message: 'At is wrong in <value>: "<zone> $&"',
			hint: 'Use <value>.',
		});
	});
});

describe('describeValue', () => {
	test.each([
		['abc', '"abc"'],
		['x'.repeat(41), `"${'x'.repeat(40)}…"`],
		['😀'.repeat(41), `"${'😀'.repeat(40)}…"`],
		['a\n"b"', String.raw`"a\n\"b\""`],
		[undefined, 'empty'],
		[null, 'empty'],
		[['a'], 'a list'],
		[{ a: 1 }, 'an object'],
		[Object.create(null), 'an object'],
		[() => 1, 'a function'],
		[Symbol('a'), 'a symbol'],
		[1.5, '1.5'],
		[true, 'true'],
	])('shows %p as %s', (value, shown) => {
		expect(describeValue(value)).toBe(shown);
	});
});

describe('wholeNumber', () => {
	const ttl = (value: unknown) => requireWholeNumber(value, 'ttl', 'Code Validity', 60, 3600);
	const hintOf = (min: number, max: number, hint?: string) => {
		try {
			return requireWholeNumber('many', 'most', 'Most', min, max, hint);
		} catch (error) {
			return (error as { hint: string }).hint;
		}
	};

	describe('requireWholeNumber', () => {
		test.each([
			'3e2',
			'3e3',
			100.5,
			'100.5',
			'',
			' ',
			true,
			null,
			undefined,
			[100],
			{},
			'0x64',
			NaN,
		])('rejects %j as no whole number', (value) => {
			expect(() => ttl(value)).toThrow(/^Code Validity must be a whole number/);
		});
	});

	test.each([
		[60, 3600, 'Use a whole number from 60 to 3600, such as 60.'],
		[0, 100, 'Use a whole number from 0 to 100, such as 1.'],
		[1, Number.MAX_SAFE_INTEGER, 'Use a whole number of 1 or more, such as 1.'],
	])('from %i to %i, the hint never suggests to switch a limit off', (min, max, hint) => {
		expect(hintOf(min, max)).toBe(hint);
		expect(hintOf(min, max, 'Ask somebody.')).toBe('Ask somebody.');
	});
});
