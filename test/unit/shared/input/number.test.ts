import fc from 'fast-check';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString as parse,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

import { attempt, InputError } from '../../../../nodes/shared/input/InputError';
import {
	type CountryCodes,
	normalizeOtpRecipient,
	normalizePhoneNumber,
	parseRecipients,
	readCountryCodes,
	startsWithOneOf,
	toRecipientKey,
} from '../../../../nodes/shared/input/number';
import { processorMs } from '../../../support/unit/processorTime';

/** What is sent, or the words of the error. */
function read(given: unknown, codes?: CountryCodes): string {
	const result = attempt(() => normalizePhoneNumber(given, 'to', codes));
	if ('value' in result) return result.value;
	const { message, hint } = result.error as InputError;
	return `${message}. ${hint}`;
}

/** What people's lists, contact pages, exports and forms had; each line is one number. */
const written: Record<string, unknown[]> = {
	'959791234567': [
		...['09791234567', '959791234567', '+959791234567', '00959791234567', 959791234567],
		...[' 09 79 123 4567 ', '09-79-123-4567', '09.791.234.567', '(09) 791234567', '0979/1234567'],
		...['+95 (0)9 791 234 567', '+95-0-9791234567', '(+95) 09 791234567', '0 9 7 9 1 2 3 4 5 6 7'],
		...['09\u00a0791\u200b234567\ufeff', '\u202a09791234567\u202c', '09\u2013791\u2013234567'],
		...[
			'၀၉၇၉၁၂၃၄၅၆၇',
			'႐႙႗႙႑႒႓႔႕႖႗',
			'０９７９１２３４５６７',
			'＋９５９７９１２３４５６７',
			'09၇၉၁၂၃၄၅၆၇',
		],
		...['ဝ၉၇၉၁၂၃၄၅၆၇', '၉၇၉၁၂၃၄၅၆၇', '၀၉၇၉/၁၂၃၄၅၆၇'],
		// A lost 0, one too many, a country code twice, as in a form that has +95 printed.
		...[
			...[9791234567, '9 791 234 567', '9791234567.0', '9509791234567', '+09791234567'],
			'0959791234567',
		],
		...['009791234567', '+00959791234567', '+95 959791234567', '+95 +95 9791234567'],
		// Spreadsheets and exports.
		...["'09791234567", "'+959791234567", '="09791234567"', '=+959791234567', '["09791234567"]'],
		...['“09791234567”', '\t09791234567', '959791234567.0', '09791234567,', '<tel:+959791234567>'],
		...['tel:+95-9-791-234-567', 'TEL: 09791234567', 'p:+959791234567', 'whatsapp:+959791234567'],
		...['TEL;TYPE=CELL:+959791234567', 'item1.TEL;TYPE=CELL;PREF:09791234567', 'sms:09791234567'],
		...[
			'Viber 09791234567',
			'Tel/Viber: 09791234567',
			'Ph: 09 791 234 567',
			'Phone No. 09791234567',
		],
		...['H/P (09) 791234567', '(M): 09791234567', 'ဖုန်း - ၀၉၇၉၁၂၃၄၅၆၇', '☎️ 09791234567'],
		// Names.
		...[
			'09791234567 (Viber)',
			'09791234567 - WhatsApp',
			'09791234567 (Mg Mg)',
			'09791234567\tMa Aye',
		],
		...['၀၉၇၉၁၂၃၄၅၆၇ မအေး', '၀၉၇၉၁၂၃၄၅၆၇ (ရဲရဲ)', '09791234567 ဝင်းဝင်း'],
	],
	'959123456': ['09123456', '959123456'],
	'9591234567890': ['091234567890'],
	'+6591234567': ['+6591234567', '006591234567', 'p:+6591234567', '+65 9123 4567 Lin'],
	'+4917612345678': ['+49 0176 12345678', '+49 (0)176/12345678'],
	'+447911123456': ['+44 07911 123456', '+44 0044 7911 123456'],
	'+66812345678': ['+66 081 234 5678', '+66+66812345678'],
	'+390612345678': ['+39 06 1234 5678'],
	'+9607771234': ['+9607771234'],
};

/** What is wrong, and never sent. */
const wrong: Record<string, unknown[]> = {
	'could be two numbers': ['9607771234', '009607771234', '0959123456', '(09) 59 123 4567'],
	'looks like a date': ['09-12-2026', '09 11 2026', '\u200b"09.12.2026"', '2026-12-05 Mon'],
	'has lost digits in a spreadsheet': ['9.59791E+11', '9.5979e11'],
	'is not the number that it shows': ['0979\u202e7654321\u202c', '\u202d09791234567\u202c'],
	'contains several numbers where one': [
		...['09791234567,09791234568', '09791234567\n09791234568', '09791234567 ::: 09791234568'],
		...['09791234567 / 09791234568', '09791234567 or 09791234568', '၀၉၇၉၁၂၃၄၅၆၇ နှင့် ၀၉၁၂၃၄၅၆'],
		...[
			'09791234567/8',
			'09791234567 / 68',
			'+65 9123 4567 / 4568',
			'09791234567-8',
			'09791234567-8 Ma Aye',
		],
		...['01-234567/09791234567', 'TEL;09791234567 our customer since 2019, call:09400000666'],
	],
	'is too short': ['0912345', '+1234567', '9123456'],
	'is too long': [
		...['0912345678901', '+1234567890123456', '0'.repeat(5_000)],
		...['09791234567 09791234568', '09791234567\t09797654321', '09791234567 09797654321 Ma Aye'],
	],
	'is not a phone number': [
		...['20261122', '100000000000001', 1_763_800_000_000, '+9511234567', '01234567', '95123456'],
		...[
			...['+9791234567', '+979123456789', '+8881234567', '+96602399474', '0979+1234567'],
			'++959791234567',
		],
		...['O9791234567', '0979l234567', '09791234567 O', '0979123456 ဝ', '0979123456 ရ'],
		...[
			'09791234567x',
			'09791234567 ext 2',
			'09791234567 Ma Aye 2',
			'order:959791234567',
			'call me',
		],
		...[
			...['959791234567@s.whatsapp.net', 'https://wa.me/959791234567', '0979*', 'tel:', '-', '+'],
			'=',
		],
		...[true, 1.5, Number.NaN, 2 ** 60, -959791234567, {}, ['09791234567']],
	],
};

describe('number', () => {
	test.each(
		Object.entries(written).flatMap(([sent, all]) => all.map((given) => [given, sent] as const)),
	)('reads %j as %s', (given, sent) => {
		expect(read(given)).toBe(sent);
		expect(read(sent)).toBe(sent);
		expect(normalizeOtpRecipient(given, 'any')).toBe(sent);
		expect(toRecipientKey(sent)).toBe(sent.replace('+', ''));
	});

	test.each(
		Object.entries(wrong).flatMap(([what, all]) => all.map((given) => [given, what] as const)),
	)('rejects %j: %s', (given, what) => expect(read(given)).toMatch(`To ${what}`));

	test('says what to write where there are two readings', () => {
		expect(read('9607771234')).toContain('+959607771234 or +9607771234');
		expect(read('0959123456')).toContain('+95959123456 or +959123456');
	});

	test.each<[codes: string[], given: unknown, sentOrWords: string]>([
		[[], '9812345678', '959812345678'],
		[['91'], '9812345678', '+919812345678'],
		[[], '0912345678', '95912345678'],
		[['95', '65'], '65 9123-4567', '+6591234567'],
		[['95', '66'], '66 081 234 5678', '+66812345678'],
		[['95', '65'], '9791234567', '959791234567'],
		[['95', '91'], '9791234567', '+959791234567 or +919791234567'],
		[['95', '65'], '91234567', '+9591234567 or +6591234567'],
		...['0912345678', '912345678', '84912345678', '+84 (0)912 345 678'].map(
			(one): [string[], string, string] => [['84', '95'], one, '+84912345678'],
		),
		[['84'], '849123456', 'could be two numbers'],
		[['84'], '09791234567', 'is not a phone number'],
		[['84'], '959791234567', '959791234567'],
		[['84', '95'], '+959791234567', '959791234567'],
		[['84', '95'], '6591234567', 'is not a phone number'],
		[['95', '84'], '0912345678', '95912345678'],
		[['959'], '09791234567', '959791234567'],
		[['65'], '91234567', '+6591234567'],
		[['65'], '6591234567', '+6591234567'],
		[['65'], '65123456', 'could be two numbers'],
		[['66'], '0912345678', '+66912345678'],
		[['39'], '0612345678', '+390612345678'],
		[['39'], '3331234567', '+393331234567'],
		[['44'], '07911123456', '+447911123456'],
		[['44'], '20231122', 'is not a phone number'],
		[['1'], '(234) 567-8901', '+12345678901'],
		[['1'], '12345678901', '+12345678901'],
		[['95', '66'], '0812345678', 'such as +66812345678.'],
		[['95'], '65 9123-4567', 'For another country, use + and country code'],
		[['95'], '+6591234567', '+6591234567'],
	])('with Allowed Country Codes %j, reads %j: %s', (codes, given, expected) => {
		if (/^\+?\d+$/.test(expected)) expect(read(given, codes)).toBe(expected);
		else expect(read(given, codes)).toContain(expected);
	});

	test.each(['', '  ', null, undefined])('calls %p empty', (given) => {
		expect(read(given)).toMatch(/^To is empty\. Use a mobile number/);
	});

	test('reads what it returned as the same, and returns what the service accepts, whatever comes', () => {
		const digits = fc.string({
			unit: fc.constantFrom(...'0123456789'),
			minLength: 4,
			maxLength: 14,
		});
		const starts = fc.constantFrom('', '+', '00', '0', '+0', '+95 ', 'tel:+');
		const codes = fc.constantFrom('', '95', '65', '960', '966', '1', '44', '39', '225', '9');
		const spelled = fc
			.tuple(starts, codes, fc.constantFrom('', ' ', '-', ' (0) ', '00'), digits)
			.map((parts) => parts.join(''));
		const anything = fc.oneof(spelled, spelled, fc.string({ unit: 'binary' }), fc.anything());
		const lists = [[], ['95'], ['95', '65'], ['65'], 'any' as const];
		fc.assert(
			fc.property(anything, fc.constantFrom(...lists), (given, allowed) => {
				const first = attempt(() => normalizePhoneNumber(given, 'to', allowed));
				if ('error' in first) return expect(first.error).toBeInstanceOf(InputError);
				expect(first.value).toMatch(/^(959\d{6,10}|\+[1-9]\d{7,14})$/);
				for (const list of lists) expect(read(first.value, list)).toBe(first.value);
				expect(toRecipientKey(first.value)).toBe(first.value.replace('+', ''));
			}),
			{ numRuns: 4_000 },
		);
	});
});

describe('a list', () => {
	test.each<[given: unknown, entries: string[]]>([
		[' 0911, 0922;0933\n\n0944\r\n,0955 ', ['0911', '0922', '0933', '0944', '0955']],
		[
			['0922,0911', 95933, null, ['0922', 95955]],
			['0922', '0911', '95933', '0922', '95955'],
		],
		['(+95) 09788848928 / (+95) 09941118588', ['(+95) 09788848928', '(+95) 09941118588']],
		['0911 | 0922 & 0933 and 0944၊၀၉၅/၀၉၆', ['0911', '0922', '0933', '0944', '၀၉၅', '၀၉၆']],
		['09791234567 ::: +95 9 797654321', ['09791234567', '+95 9 797654321']],
	])('splits %j', (given, entries) => expect(parseRecipients(given)).toEqual(entries));

	test.each(['', ' , ;\n', [], [''], [[]], null, undefined])('rejects %j as empty', (given) => {
		expect(() => parseRecipients(given)).toThrow('To is empty');
	});

	test.each([[{}], [true], [[[['0911']]]], [1.5]])('rejects %j', (given) => {
		expect(() => parseRecipients(given)).toThrow('To is not a phone number');
	});

	test.each([' ', '0 ', '/', ':', '9/', '"', '9', 'tel;a='])(
		'of a million of %j takes linear time',
		async (one) => {
			const all = `${one.repeat(1_000_000 / one.length)}1`;
			const ms = await processorMs(() => {
				expect(parseRecipients(all).length).toBeGreaterThan(0);
				expect(read(all)).toMatch(/^To /);
			});
			expect(ms).toBeLessThan(1_500);
		},
	);
});

describe('against the numbering plans of libphonenumber', () => {
	test('zeros that are only dialed at home go, in every country, and every calling code is known', () => {
		// Where people dial something else than 0 in front of a number, or, in Gabon until 2019, a number began with it.
		const others = ['AR', 'BY', 'GA', 'HU', 'KZ', 'RU', 'TM'];
		for (const country of getCountries().filter((one) => !others.includes(one))) {
			const example = getExampleNumber(country, examples);
			if (example === undefined || example.number.length < 9) continue;
			const { number, countryCallingCode: code } = example;
			const sent = code === '95' ? number.slice(1) : number;
			expect(read(number)).toBe(sent);
			expect(read(`+${code} ${example.formatNational()}`)).toBe(sent);
			// As people write it at home, where their country is the first of Allowed Country Codes.
			const national = example.formatNational();
			expect(read(national, [code])).toMatch(new RegExp(`^(\\+?${number.slice(1)}$|To )`));
			if (national.startsWith('0')) expect(read(national, [code])).toBe(sent);
		}
	});

	test('a number that lost its 0 is read so only where no other number looks like it', () => {
		const isMobile = (number: string) =>
			/MOBILE/.test((parse(number)?.isValid() && parse(number)?.getType()) || '');
		const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
		for (const length of [8, 9, 10])
			for (let start = 900; start < 1_000; start += 1) {
				const digits = `${start}1234567`.slice(0, length);
				if (digits.startsWith('95')) continue;
				if (isMobile(`+${digits}`)) expect(read(digits)).toContain('two numbers');
				else expect(read(digits)).toMatch(/^959|two numbers/);
				const other = codes.find((code) => code !== '95' && isMobile(`+${code}${digits}`));
				if (other !== undefined) expect(read(digits, ['95', other])).not.toMatch(/^9/);
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
