import { normalizeEmail } from '../../../../nodes/shared/validation/email';
import { processorMs } from '../../../support/unit/processorTime';

describe('an email address', () => {
	test.each([
		['name@gma\uFE0Fil.com', 'name@gmail.com'],
		['name@gma\u00ADil.com', 'name@gmail.com'],
		['na\u200Bme@gmail.com', 'name@gmail.com'],
		['na\uFE0Fme@gmail.com', 'name@gmail.com'],
		['\u2068name@gmail.com\u2069', 'name@gmail.com'],
		['na\u3164me@exa\u034Fmple.com', 'name@example.com'],
		['Name@GMail.COM', 'Name@gmail.com'],
		['name@ｇmail.com', 'name@gmail.com'],
		['name@münchen.de', 'name@xn--mnchen-3ya.de'],
		['name@mu\u0308nchen.de', 'name@xn--mnchen-3ya.de'],
		['name@XN--mnchen-3YA.de', 'name@xn--mnchen-3ya.de'],
		['name@FAẞ.de', 'name@xn--fa-hia.de'],
		['name@example.испытание', 'name@example.xn--80akhbyknj4f'],
	])('%j is sent as %j', (given, sent) => {
		expect(normalizeEmail(given)).toBe(sent);
		expect(normalizeEmail(sent)).toBe(sent);
	});

	test('of a domain that only looks alike is another one', () => {
		expect(normalizeEmail('name@gmaіl.com')).not.toBe('name@gmail.com');
	});

	test.each([
		['16 MB of @', '@'.repeat(16_000_000)],
		['16 MB of invisible characters', `${'\u200b'.repeat(16_000_000)}a@example.com`],
		['a long local part', `${'a.'.repeat(499)}`],
	])('is rejected at once when it is %s', async (_, text) => {
		const ms = await processorMs(() => expect(normalizeEmail(text)).toBeUndefined());
		expect(ms).toBeLessThan(500);
	});
});
