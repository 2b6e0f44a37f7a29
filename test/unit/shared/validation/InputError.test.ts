import { describeValue, InputError } from '../../../../nodes/shared/validation/InputError';

describe('InputError', () => {
	test('carries the field, what is wrong and what would be right', () => {
		const error = new InputError('to', 'To is empty', 'Use a number.');
		expect(error).toBeInstanceOf(Error);
		expect(error).toMatchObject({ name: 'InputError', field: 'to', hint: 'Use a number.' });
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
