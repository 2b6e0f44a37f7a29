import { declareError, describeValue } from '../../../../nodes/shared/input/InputError';

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
