import {
	countryOf,
	readCountryCodes,
	startsWithOneOf,
} from '../../../../nodes/shared/validation/country';
import { normalizeEmail } from '../../../../nodes/shared/validation/email';
import { processorMs } from '../../../support/unit/processorTime';

describe('the country of a number', () => {
	test.each([
		['959791234567', 'MM'],
		['6591234567', 'SG'],
		['66812345678', 'TH'],
		['85291234567', 'HK'],
		['12125550123', 'US'],
		['14165550123', 'CA'],
		['18765550123', 'JM'],
		['79161234567', 'RU'],
		['77011234567', 'KZ'],
		['447911123456', 'GB'],
		['59995123456', 'CW'],
		['59971234567', 'BQ'],
		['8881234567', undefined],
		['', undefined],
	])('%s is %s', (digits, country) => expect(countryOf(digits)).toBe(country));
});

describe('country codes', () => {
	test.each([
		['95, +65; 1', ['95', '65', '1']],
		[66, ['66']],
	])('%j are %j', (value, codes) => expect(readCountryCodes(value)).toEqual(codes));

	test.each(['95, MM', ',', ''])('are rejected where one is not a code (%j)', (value) => {
		expect(() => readCountryCodes(value)).toThrow(`${JSON.stringify(value)} is not a country code`);
	});

	test('are the first digits of a number', () => {
		expect(startsWithOneOf('+6591234567', ['95', '65'])).toBe(true);
		expect(startsWithOneOf('+6591234567', ['5', '95'])).toBe(false);
	});
});

describe('email', () => {
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
});
