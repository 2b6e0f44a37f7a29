import { otpLimits } from '../../../../nodes/OtpRequest/otpRequest.operation';
import { requireWholeNumber } from '../../../../nodes/shared/validation/wholeNumber';

const ttl = (value: unknown) =>
	requireWholeNumber(value, 'ttl', 'Code Validity', otpLimits.ttl.min, otpLimits.ttl.max);

describe('otpLimits', () => {
	test('are those of the specification', () => {
		expect(otpLimits).toEqual({
			ttl: { min: 60, max: 3600 },
			pinLength: { min: 4, max: 8 },
			maxInvalidAttempts: { min: 1, max: 10 },
		});
	});
});

describe('requireWholeNumber', () => {
	test.each([60, 3600, '60', ' 3600 '])('takes %j', (value) => {
		expect(ttl(value)).toBe(Number(value));
	});

	test.each([59, 3601, '59', '-60', 0])('refuses %j as out of range', (value) => {
		expect(() => ttl(value)).toThrow(/^Code Validity must be from 60 to 3600/);
	});

	test.each(['3e2', '3e3', 100.5, '100.5', '', ' ', true, null, undefined, [100], {}, '0x64', NaN])(
		'refuses %j as no whole number',
		(value) => {
			expect(() => ttl(value)).toThrow(/^Code Validity must be a whole number/);
		},
	);
});
