import { readOtpRecipient, toCountedRecipient } from '../../../nodes/OtpRequest/otpRecipient';

test.each([
	['name@example.com', '09779123456', 'email'],
	['09779123456', 'name@example.com', 'sms'],
] as const)('%s gets a code, and %s none, with the channel %s', (right, wrong, channel) => {
	const read = (value: string) => readOtpRecipient(value, { channel, allowedCountryCodes: ['95'] });
	expect(() => read(right)).not.toThrow();
	expect(() => read(wrong)).toThrow(expect.objectContaining({ field: 'to' }));
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
