import { readOtpRecipient, toCountedRecipient } from '../../../nodes/OtpRequest/otpRecipient';

const home = { channel: 'automatic' as const, allowedCountryCodes: ['95'] };

describe('who gets a code', () => {
	test.each([
		['09779123456', {}, '959779123456'],
		['name@example.com', {}, 'name@example.com'],
		['name@example.com', { channel: 'email' as const }, 'name@example.com'],
		['+6591234567', { allowedCountryCodes: ['95', '65'] }, '+6591234567'],
	])('%s with %j is %s', (value, options, expected) => {
		expect(readOtpRecipient(value, { ...home, ...options })).toBe(expected);
	});

	test.each([
		['+6591234567', 'automatic', 'allowedCountryCodes'],
		['09779123456', 'email', 'to'],
		['name@example.com', 'sms', 'to'],
	] as const)('%s with the channel %s is rejected, naming %s', (value, channel, field) => {
		const options = { channel, allowedCountryCodes: ['95'] };
		expect(() => readOtpRecipient(value, options)).toThrow(expect.objectContaining({ field }));
	});
});

test.each([
	['+6591234567', '6591234567'],
	['Name+shop@Example.com', 'name@example.com'],
	['+@example.com', '+@example.com'],
	['N.a.me+shop@googlemail.com', 'name@gmail.com'],
	['N.a.me+shop@mail.example', 'n.a.me@mail.example'],
	['+4407911123456', '447911123456'],
	['+390612345678', '390612345678'],
	['959791234567', '959791234567'],
])('%s is counted as %s', (to, counted) => expect(toCountedRecipient(to)).toBe(counted));
