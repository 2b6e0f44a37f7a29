import {
	escapeHtml,
	readOtpRecipient,
	toCountedRecipient,
} from '../../../nodes/OtpRequest/otpRecipient';

describe('who gets a code', () => {
	test.each([
		['09779123456', {}, '959779123456'],
		['name@example.com', {}, 'name@example.com'],
		['name@example.com', { channel: 'email' }, 'name@example.com'],
		['+6591234567', { allowedCountryCodes: '95, +65' }, '+6591234567'],
	])('%s with %j is %s', (value, options, expected) => {
		expect(readOtpRecipient(value, options)).toBe(expected);
	});

	test.each([
		['+6591234567', {}, 'allowedCountryCodes'],
		['09779123456', { channel: 'email' }, 'to'],
		['name@example.com', { channel: 'sms' }, 'to'],
		['09779123456', { channel: 'pigeon' }, 'channel'],
		['09779123456', { channel: 'constructor' }, 'channel'],
		['09779123456', { allowedCountryCodes: 'MM' }, 'allowedCountryCodes'],
	])('%s with %j is refused, naming %s', (value, options, field) => {
		expect(() => readOtpRecipient(value, options)).toThrow(expect.objectContaining({ field }));
	});
});

test.each([
	['+6591234567', '6591234567'],
	['Name+shop@Example.com', 'name@example.com'],
	['+@example.com', '+@example.com'],
])('%s is counted as %s', (to, counted) => expect(toCountedRecipient(to)).toBe(counted));

test('a brand cannot put HTML into an e-mail', () => {
	expect(escapeHtml(`<b>"A" & 'B'</b>`)).toBe('&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;');
});
