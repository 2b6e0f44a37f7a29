import { describeValue, InputError } from '../../../../nodes/shared/input/InputError';

describe('InputError', () => {
	test('ends its message with the value, and knows what others of its kind have in common', () => {
		const error = new InputError('to', 'To is too short', 'Use a number.', { value: '09' });
		expect(error).toMatchObject({
			message: 'To is too short: "09"',
			facts: { fault: 'To is too short' },
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
