import {
	parsePhoneNumberFromString as parse,
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	type PhoneNumber,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

import { attempt } from '../../../../nodes/shared/n8n/items';
import type { InputError } from '../../../../nodes/shared/input/InputError';
import { normalizeEmail, normalizePhoneNumber } from '../../../../nodes/shared/input/recipient';
import {
	countryOf,
	isTooLong,
	readCountryCodes,
	startsWithOneOf,
} from '../../../../nodes/shared/input/country';
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

describe('against the numbering plans of libphonenumber', () => {
	const calling = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
	const isMobile = (number: PhoneNumber | undefined): number is PhoneNumber =>
		number?.isValid() === true && /MOBILE/.test(number.getType() ?? '');
	/** Digits of each length that begin in each way. */
	const tries = (first: string, ways: number, lengths: number[]) =>
		lengths.flatMap((length) =>
			Array.from({ length: 10 ** ways }, (_, n) =>
				`${first}${String(n).padStart(ways, '0')}1234567890`.slice(0, length),
			),
		);
	const hintOf = (given: string, codes: string[]) => {
		const { error } = attempt(() => normalizePhoneNumber(given, 'to', codes)) as {
			error?: InputError;
		};
		return error?.hint;
	};

	test('what is only dialed at home goes, in every country', () => {
		for (const country of getCountries()) {
			const example = getExampleNumber(country, examples);
			if (example === undefined) continue;
			const { number, countryCallingCode: code } = example;
			// Of islands with 4 digits.
			if (number.length < 9) continue;
			const atHome = example.formatNational();
			const sent = code === '95' ? number.slice(1) : number;
			expect(normalizePhoneNumber(`+${code} ${atHome}`)).toBe(sent);
			expect(normalizePhoneNumber(number)).toBe(sent);
			if (code === '95') expect(normalizePhoneNumber(atHome, 'to', [code])).toBe(sent);
			else expect(hintOf(atHome, [code])).toContain(`such as ${sent}.`);
		}
	});

	test('no mobile number is too long, and one with two digits more is in most countries', () => {
		const known = calling.flatMap((code) =>
			tries('', 2, [8, 9, 10, 11]).map((rest) => `${code}${rest}`),
		);
		const wrong = known
			.map((digits) => parse(`+${digits}`))
			.filter(isMobile)
			.filter(
				({ number, countryCallingCode: code }) => code !== '95' && isTooLong(number.slice(1)),
			);
		expect(wrong).toEqual([]);
		const lenient: string[] = getCountries().filter((country) => {
			const number = getExampleNumber(country, examples)?.number.slice(1);
			return number !== undefined && !isTooLong(`${number}00`);
		});

		const near = 'SG TH MY KR JP IN CN BD US GB AU AE QA LA KH VN';
		expect(near.split(' ').filter((one) => lenient.some((l) => l === one))).toEqual([]);
	});

	test('a 0 stays where numbers begin with it', () => {
		const begun = calling.flatMap((code) =>
			tries('0', 2, [7, 8, 9, 10]).map((rest) => `+${code}${rest}`),
		);
		const known = begun.map((given) => [given, parse(given)] as const);
		const kept = new Set<string>();
		for (const [given, number] of known) {
			if (!isMobile(number) || number.countryCallingCode === '95') continue;
			if (number.number === given) kept.add(number.countryCallingCode);
			expect(normalizePhoneNumber(given)).toBe(number.number);
		}
		expect([...kept].sort()).toEqual(['225', '226', '229', '241', '242', '992']);
		for (const landline of ['+390612345678', '+3780549886377', '+390669812345']) {
			expect(parse(landline)?.number).toBe(landline);
			expect(normalizePhoneNumber(landline)).toBe(landline);
		}
	});

	test('a number that lost its 0 is read so only where no other number looks like it', () => {
		const short = tries('9', 3, [8, 9, 10]).filter((digits) => !digits.startsWith('95'));
		const abroad = short.filter((digits) => isMobile(parse(`+${digits}`)));
		expect(abroad.length).toBeGreaterThan(0);
		for (const digits of short) {
			const hint = hintOf(digits, []);
			if (hint === undefined) expect(abroad).not.toContain(digits);
			else expect(hint).toContain(`0${digits} or +${digits}`);
			if (!/^96[01]/.test(digits)) expect(normalizePhoneNumber(digits)).toBe(`95${digits}`);
		}
		for (const code of calling.filter((one) => one !== '95')) {
			const alike = tries('9', 2, [8, 9, 10]).filter(
				(digits) => !digits.startsWith('95') && isMobile(parse(`+${code}${digits}`)),
			);
			for (const digits of alike) expect(hintOf(digits, ['95', code])).toMatch(/^Write the one/);
		}
	});
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
