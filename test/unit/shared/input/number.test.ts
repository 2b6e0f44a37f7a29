import fc from 'fast-check';
import {
	getCountries,
	getCountryCallingCode,
	getExampleNumber,
	parsePhoneNumberFromString as parse,
	type PhoneNumber,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

import { attempt, InputError } from '../../../../nodes/shared/input/InputError';
import {
	countExtraDigits,
	readCountryCodes,
	startsWithOneOf,
} from '../../../../nodes/shared/input/number';
import {
	digitsOf,
	normalizeOtpRecipient,
	normalizePhoneNumber,
	parseRecipients,
	toHistoryNumber,
} from '../../../../nodes/shared/input/recipient';
import { readTypedOptOuts } from '../../../../nodes/shared/options/optOuts';
import { processorMs } from '../../../support/unit/processorTime';

const digits = (min: number, max: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });

function refusalOf(action: () => unknown): InputError {
	try {
		action();
	} catch (error) {
		if (error instanceof InputError) return error;
	}
	throw new Error('was not refused');
}

/** What people and files write, from public contact pages, exports and reports of bugs. */
const typed: Array<[given: unknown, sent: string]> = [
	['09791234567', '959791234567'],
	['959791234567', '959791234567'],
	['+959791234567', '959791234567'],
	['00959791234567', '959791234567'],
	['09123456', '959123456'],
	['959123456', '959123456'],
	['091234567890', '9591234567890'],
	[959791234567, '959791234567'],
	['+6591234567', '+6591234567'],
	['006591234567', '+6591234567'],
	['+12345678', '+12345678'],
	['+491234567890123', '+491234567890123'],
	['+9607771234', '+9607771234'],
	[' 09 79 123 4567 ', '959791234567'],
	['09-79-123-4567', '959791234567'],
	['09.791.234.567', '959791234567'],
	['(09) 791234567', '959791234567'],
	['+95 (0)9 791 234 567', '959791234567'],
	['09\u00a0791\u200b234567\ufeff', '959791234567'],
	['\u202a09791234567\u202c', '959791234567'],
	['09\u2013791\u2013234567', '959791234567'],
	// Digits of other scripts.
	['၀၉၇၉၁၂၃၄၅၆၇', '959791234567'],
	['႐႙႗႙႑႒႓႔႕႖႗', '959791234567'],
	[
		'\uff0b\uff19\uff15\uff19\uff17\uff19\uff11\uff12\uff13\uff14\uff15\uff16\uff17',
		'959791234567',
	],
	['٠٩٧٩١٢٣٤٥٦٧', '959791234567'],
	['૦૯૭૯૧૨૩૪૫૬૭', '959791234567'],
	['𝟎𝟗𝟕𝟗𝟏𝟐𝟑𝟒𝟓𝟔𝟕', '959791234567'],
	['0\ufe0f\u20e39\ufe0f\u20e3 791234567', '959791234567'],
	// Country code and national 0.
	['+95 09791193583', '959791193583'],
	['+95 09-766033123', '959766033123'],
	['+95 09 388 388 488', '959388388488'],
	['(+95) 09 755706627', '959755706627'],
	['9509791234567', '959791234567'],
	[9509791234567, '959791234567'],
	['0095 09791234567', '959791234567'],
	['+95-0-9791234567', '959791234567'],
	['+66 081 234 5678', '+66812345678'],
	['0066 081 234 5678', '+66812345678'],
	['+49 0176 12345678', '+4917612345678'],
	['+60 012 345 6789', '+60123456789'],
	['+84 0912 345 678', '+84912345678'],
	['+44 (0)7436 194150', '+447436194150'],
	['+46 0736829291', '+46736829291'],
	['+7 812 123-45-67', '+78121234567'],
	['+39 06 1234 5678', '+390612345678'],
	['+378 0549 882914', '+3780549882914'],
	['+379 0669812345', '+3790669812345'],
	['+225 07 07 12 34 56', '+2250707123456'],
	// An extra country code, 0 or +.
	['+95 959791234567', '959791234567'],
	['0959791234567', '959791234567'],
	['+09791234567', '959791234567'],
	['+00959791234567', '959791234567'],
	['009791110041', '959791110041'],
	['0009791110041', '959791110041'],
	['0096591234567', '+96591234567'],
	// A lost 0.
	['9791234567', '959791234567'],
	[9791234567, '959791234567'],
	['9 791 234 567', '959791234567'],
	[979123456, '95979123456'],
	['၉၇၉၁၂၃၄၅၆၇', '959791234567'],
	// Guards against formulas, links, exports.
	["'+959791234567", '959791234567'],
	["'09791234567", '959791234567'],
	['="09791234567"', '959791234567'],
	['="+95 9 791 234 567"', '959791234567'],
	['=+959791234567', '959791234567'],
	['"09791234567"', '959791234567'],
	['“09791234567”', '959791234567'],
	['`09791234567`', '959791234567'],
	['[09791234567]', '959791234567'],
	['\t09791234567', '959791234567'],
	['tel:+95-9-791-234-567', '959791234567'],
	['TEL: 09791234567', '959791234567'],
	['<tel:+959791234567>', '959791234567'],
	['tel:%2B959791234567', '959791234567'],
	['p:+959791234567', '959791234567'],
	['p:+6591234567', '+6591234567'],
	['whatsapp:+959791234567', '959791234567'],
	['sms:09791234567', '959791234567'],
	['Viber 09791234567', '959791234567'],
	['Ph: 09 791 234 567', '959791234567'],
	['Ph-09791234567', '959791234567'],
	['Phone No. 09791234567', '959791234567'],
	['ဖုန်း - ၀၉၇၉၁၂၃၄၅၆၇', '959791234567'],
	['https://wa.me/959791234567', '959791234567'],
	['wa.me/959791234567?text=hi', '959791234567'],
	['https://api.whatsapp.com/send?phone=959791234567&text=Hi', '959791234567'],
	['https://t.me/+959791234567', '959791234567'],
	['viber://chat?number=%2B959791234567', '959791234567'],
	['sms:+959791234567?body=Hi, you', '959791234567'],
	['TEL;TYPE=CELL:+959791234567', '959791234567'],
	['item1.TEL;type=CELL;waid=959791234567:+95 9 791 234 567', '959791234567'],
	['TEL;VALUE=uri:tel:+95-979-1234567', '959791234567'],
	['Tel/Viber: 09791234567', '959791234567'],
	['H/P (09) 791234567', '959791234567'],
	['phone=09791234567', '959791234567'],
	['Contact No: 09791234567', '959791234567'],
	['(M): 09791234567', '959791234567'],
	['☎️ 09791234567', '959791234567'],
	['📞09791234567', '959791234567'],
	['#09791234567', '959791234567'],
	['09791234567 (Viber)', '959791234567'],
	['09791234567 - WhatsApp', '959791234567'],
	['09791234567 home', '959791234567'],
	['[+95] 9791234567', '959791234567'],
	['{09791234567}', '959791234567'],
	['09_791_234_567', '959791234567'],
	['0 9 7 9 1 2 3 4 5 6 7', '959791234567'],
	['09 79 12 34 56 7', '959791234567'],
	['09791234567,', '959791234567'],
	['+95 +95 9791234567', '959791234567'],
	['+66+66812345678', '+66812345678'],
	['TEL;CELL;PREF:09791234567', '959791234567'],
	['TEL;TYPE="voice,cell";PREF=1:+959791234567', '959791234567'],
	// A name beside a number.
	['09791234567 (Mg Mg)', '959791234567'],
	['09 791 234 567 Ma Aye', '959791234567'],
	['09791234567 - Daw Hla', '959791234567'],
	['၀၉၇၉၁၂၃၄၅၆၇ မအေး', '959791234567'],
	['၀၉၇၉၁၂၃၄၅၆၇ (ရဲရဲ)', '959791234567'],
	['+65 9123 4567 Lin', '+6591234567'],
	['09791234567\tMa Aye', '959791234567'],
	// An area code and a slash.
	['+49 176/1234567', '+491761234567'],
	['0049 176/1234567', '+491761234567'],
	['+49 (0)176/12345678', '+4917612345678'],
	['+43 664/1234567', '+436641234567'],
	['+36 30/123 4567', '+36301234567'],
	['0979/1234567', '959791234567'],
	['၀၉၇၉/၁၂၃၄၅၆၇', '959791234567'],
	// What is dialed within a country, and written abroad.
	['+54 9 11 1234-5678', '+5491112345678'],
	['+54 11 1234 5678', '+541112345678'],
	['+55 (011) 98888-7777', '+5511988887777'],
	['+44 0044 7911 123456', '+447911123456'],
	// Another trunk prefix than 0, or a digit too many: the service decides.
	['+7 8 916 123-45-67', '+789161234567'],
	['+52 1 55 1234 5678', '+5215512345678'],
	['+65 9123 45678', '+65912345678'],
];

/** Two readings, which the hint names; and what is none. */
const rejected: Array<[given: unknown, message: string | RegExp, hint: string | RegExp]> = [
	['9607771234', 'could be two numbers', '09607771234 or +9607771234'],
	['9613123456', 'could be two numbers', '09613123456 or +9613123456'],
	['009607771234', 'could be two numbers', '09607771234 or +9607771234'],
	['95123456', 'could be two numbers', '095123456 or +95123456'],
	['0959123456', 'could be two numbers', '+959123456 or +95959123456'],
	['09591234567', 'could be two numbers', '+9591234567 or +959591234567'],
	['(09) 59 123 4567', 'could be two numbers', '+9591234567 or +959591234567'],
	['+9791234567', 'too short for a number in another country', '09791234567'],
	['+979123456789', 'country code that no country has', '+959791234567'],
	['+8881234567', 'country code that no country has', '+959791234567'],
	['09-12-2026', 'looks like a date', 'mapped to To'],
	['09 11 2026', 'looks like a date', 'mapped to To'],
	['2026 12 05', 'looks like a date', 'mapped to To'],
	['\u200b09-12-2026', 'looks like a date', 'mapped to To'],
	['"09-12-2026"', 'looks like a date', 'mapped to To'],
	['9.59791E+11', 'decimal', 'spreadsheet'],
	['959791234567.0', 'decimal', 'spreadsheet'],
	['ဝ၉၇၉၁၂၃၄၅၆၇', 'letter', '၀'],
	['0912345', 'too short', '09791234567'],
	['0912345678901', 'too long', '09791234567'],
	['+1234567', 'too short', '09791234567'],
	['+1234567890123456', 'too long', '09791234567'],
	['9123456', 'too short', '09791234567'],
	['09791234567,09791234568', 'several numbers where one', 'one number'],
	['09791234567\n09791234568', 'several numbers where one', 'one number'],
	['09791234567 ::: 09791234568', 'several numbers where one', 'one number'],
	['09791234567 / 09791234568', 'several numbers where one', 'one number'],
	...[
		...['09791234567/8', '09791234567 / 68', '09791234567-8', '09791234567 8', '0979123456-57'],
		...['09123456/7', '09-123456/7', '09791234567 or 09791234568', '09-791234567/09-791234568'],
		...['09791234567 နှင့် 09791234568', '09791234567 (or) 09791234568', '01-234567/09791234567'],
	].map((given): [string, string, string] => [given, 'several numbers where one', 'one number']),
	['2026-12-05', 'looks like a date', 'mapped to To'],
	['12/31/2026', 'looks like a date', 'mapped to To'],
	...['O9791234567', '0979l234567', 'O9-79I-234-567'].map(
		(given): [string, string, string] =>
			[...[given, 'letter that looks like a digit', '0 and 1, not O and l']] as [
				string,
				string,
				string,
			],
	),
	['09791234567 09791234568', 'separated only by spaces', '09791234567, 09797654321'],
	['+6591234567\u00a0 09791234567', 'separated only by spaces', '09791234567, 09797654321'],
	['09791234567\t09797654321', 'separated only by spaces', '09791234567, 09797654321'],
	['09 791 234 567\t09 797 654 321', 'separated only by spaces', '09791234567, 09797654321'],
	['09791234567 09797654321 Ma Aye', 'separated only by spaces', '09791234567, 09797654321'],
	['09791234567-8 Ma Aye', 'several numbers where one', 'one number'],
	['2026-12-05 Mon', 'looks like a date', 'mapped to To'],
	// Whatever else is written beside a number.
	['09791234567 O', 'letter that looks like a digit', '0 and 1, not O and l'],
	['0979123456 ဝ', 'letter that looks like a digit', '0 and 1, not O and l'],
	['09791234567 Ma Aye 2', 'is not a phone number', '09791234567'],
	[
		'TEL;09791234567 our customer since 2019, please call:09400000666',
		'several numbers where one',
		'one number',
	],
	['TEL;X=09791234567:09400000666', 'several numbers where one', 'one number'],
	['TEL;waid=959791234567:+95 9 400000666', 'several numbers where one', 'one number'],
	// Digits that look alike.
	['0979123৪567', 'mixes digits of several scripts', 'one kind of digits'],
	['+95၉၇၉၁၂၃၄၅၆၇', 'mixes digits of several scripts', 'one kind of digits'],
	['၀၉၇၉႑႒႓႔႕႖႗', 'mixes digits of several scripts', 'one kind of digits'],
	['20261122', 'not a phone number in Myanmar', 'Check which field'],
	[1_763_800_000_000, 'not a phone number in Myanmar', 'Check which field'],
	['100000000000001', 'not a phone number in Myanmar', 'Check which field'],
	...[
		...['+9511234567', '9511234567890', '01234567', '0979+1234567', '++959791234567'],
		...['09791234567x', '09791234567 ext 2', 'order:959791234567', 'l:959791234567', 'call me'],
		...['959791234567@s.whatsapp.net', 'tel:', '-', '+', '=', "'", true, 1.5, Number.NaN],
		...[2 ** 60, -959791234567, {}, ['09791234567', '09791234568']],
	].map((given): [unknown, RegExp, string] => [given, /^To is not a/, '09791234567']),
];

/** With Allowed Country Codes. */
const allowed: Array<[codes: string[], given: unknown, sentOrHint: string | RegExp]> = [
	[['95', '65'], '65 9123-4567', '+6591234567'],
	[['95', '66'], '66 081 234 5678', '+66812345678'],
	[['95', '65'], '09791234567', '959791234567'],
	[['95', '65'], '9791234567', '959791234567'],
	[['95', '91'], '9791234567', /09791234567 or \+919791234567/],
	[['95', '65'], '91234567', /091234567 or \+6591234567/],
	[['65'], '91234567', /Codes is 65\. .* such as \+6591234567\.$/],
	[['65'], '81234567', /such as \+6581234567\.$/],
	[['66'], '0912345678', /such as \+66912345678\.$/],
	[['95', '66'], '0812345678', /such as \+66812345678\.$/],
	[['7'], '8 (912) 345-67-89', /such as \+789123456789\.$/],
	[['95'], '65 9123-4567', /any other needs \+ and its country code/],
	[['659999'], '65 9123-4567', /such as \+/],
	[['95'], '+6591234567', '+6591234567'],
];

describe('number', () => {
	test.each(typed)('reads %j as %s', (given, sent) => {
		expect(normalizePhoneNumber(given)).toBe(sent);
		expect(normalizePhoneNumber(sent)).toBe(sent);
		expect(digitsOf(given)).toBe(sent.replace('+', ''));
		expect([...readTypedOptOuts(given)]).toEqual([sent.replace('+', '')]);
		expect(normalizeOtpRecipient(given, 'any')).toBe(sent);
		const ofHistory = () => toHistoryNumber(given);
		if (sent.startsWith('+')) expect(ofHistory).toThrow('95');
		else expect(ofHistory()).toBe(sent);
	});

	test.each(rejected)('rejects %j: %s, %s', (given, message, hint) => {
		const refusal = refusalOf(() => normalizePhoneNumber(given));
		expect(refusal.message).toMatch(message);
		expect(refusal.hint).toMatch(hint);
	});

	test.each(allowed)('with Allowed Country Codes %j, reads %j: %s', (codes, given, expected) => {
		const read = () => normalizePhoneNumber(given, 'to', codes);
		if (typeof expected === 'string') expect(read()).toBe(expected);
		else expect(refusalOf(read).hint).toMatch(expected);
	});

	test('reads digits without a + as foreign where services list them so', () => {
		expect(normalizePhoneNumber('6591234567', 'to', 'any')).toBe('+6591234567');
	});

	test.each(['', '  ', null, undefined])('calls %p empty and names the field', (given) => {
		const refusal = refusalOf(() => normalizePhoneNumber(given));
		expect(refusal.message).toBe('To is empty');
		expect(refusal.field).toBe('to');
	});

	test('shortens a long value in its message', () => {
		const { message } = refusalOf(() => normalizePhoneNumber('x'.repeat(5000)));
		expect(message.length).toBeLessThan(100);
	});

	test('reads what it returned as the same', () => {
		const codeLists = [[], ['95'], ['95', '65'], ['65'], 'any' as const];
		const reads = codeLists.map(
			(codes) => (value: string) => normalizePhoneNumber(value, 'to', codes),
		);
		const spaces = fc.constantFrom('', ' ', '-', '.', ' (0) ', '00');
		const codes = fc.constantFrom('', '95', '65', '960', '961', '966', '1', '44', '39', '225', '9');
		const starts = fc.constantFrom('', '+', '00', '0', '+0', '+95 ', 'tel:+');
		const spelled = fc.tuple(starts, codes, spaces, digits(4, 14)).map((parts) => parts.join(''));
		fc.assert(
			fc.property(spelled, fc.constantFrom(...reads), (given, read) => {
				const first = attempt(() => read(given));
				if ('error' in first) return;
				for (const again of reads) expect(again(first.value)).toBe(first.value);
				expect([...readTypedOptOuts(first.value)]).toEqual([first.value.replace('+', '')]);
				expect(digitsOf(first.value)).toBe(first.value.replace('+', ''));
			}),
			{ numRuns: 6_000 },
		);
	});

	test('reads the usual groups of digits at once as it reads any others', () => {
		const group = (min: number, max: number) => digits(min, max);
		const separator = fc.constantFrom('', ' ', '-');
		const start = fc.constantFrom('09', '959', '+959', '95 9', '+95-9');
		const parts = fc.tuple(
			...[start, separator, group(1, 4), separator, group(2, 4), separator, group(1, 5)],
		);
		const read = (text: string) => {
			const result = attempt(() => normalizePhoneNumber(text));
			return 'value' in result ? result.value : 'rejected';
		};
		fc.assert(
			fc.property(parts, (all) => {
				const text = all.join('');
				// An invisible character is no part of the fast path.
				expect(read(text)).toBe(read(`\u200b${text}`));
			}),
			{ numRuns: 4_000 },
		);
	});

	test('never reads zeros behind a code as another number', () => {
		const codes = ['966', '960', '961', '971', '94', '65', '1', '225'];
		const given = codes.flatMap((code) =>
			['', '0', '00'].flatMap((zeros) =>
				[4, 5, 6, 7, 8, 9].map((length) => `+${code}${zeros}${'2399474123'.slice(0, length)}`),
			),
		);
		for (const one of given) {
			const first = attempt(() => normalizePhoneNumber(one));
			if ('value' in first) expect(normalizePhoneNumber(first.value)).toBe(first.value);
		}
		expect(refusalOf(() => normalizePhoneNumber('+96602399474')).hint).toContain('09662399474');
	});

	test('returns a form that the service accepts, or rejects, whatever comes', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string({ unit: 'binary' }), digits(0, 18), fc.anything()),
				(value) => {
					try {
						expect(normalizePhoneNumber(value)).toMatch(/^(959\d{6,10}|\+[1-9]\d{7,14})$/);
					} catch (error) {
						expect(error).toBeInstanceOf(InputError);
					}
				},
			),
		);
	});
});

describe('notation', () => {
	test('splits at commas, semicolons and new lines, and drops empty entries', () => {
		expect(parseRecipients(' 0911, 0922;0933\n\n0944\r\n,0955 ')).toEqual([
			'0911',
			'0922',
			'0933',
			'0944',
			'0955',
		]);
	});

	test('reads lists of texts and numbers, and a list in the list', () => {
		expect(parseRecipients(['0911,0922', 95933, null, ['0944', 95955]])).toEqual([
			'0911',
			'0922',
			'95933',
			'0944',
			'95955',
		]);
	});

	test.each([
		['09791234567 ::: +95 9 797654321', ['09791234567', '+95 9 797654321']],
		['(+95) 09788848928 / (+95) 09941118588', ['(+95) 09788848928', '(+95) 09941118588']],
		['="0911"/="0922"', ['="0911"', '="0922"']],
		['၀၉၁/၀၉၂', ['၀၉၁', '၀၉၂']],
		['0911 | 0922 & 0933 and 0944 or 0955', ['0911', '0922', '0933', '0944', '0955']],
		['["0911","0922"]', ['["0911"', '"0922"]']],
	])('splits %j, as exports and people write several', (given, entries) => {
		expect(parseRecipients(given)).toEqual(entries);
	});

	test.each([' ', '0 ', '/', ':', '9/', '"'])(
		'reads a million of %j in linear time',
		async (one) => {
			const ms = await processorMs(() => {
				const all = one.repeat(1_000_000 / one.length);
				expect(parseRecipients(`${all}1`).length).toBeGreaterThan(0);
			});
			expect(ms).toBeLessThan(1_500);
		},
	);

	test('keeps order and duplicates', () => {
		expect(parseRecipients('0922,0911,0922')).toEqual(['0922', '0911', '0922']);
	});

	test.each(['', ' , ;\n', [], [''], [[]], null, undefined])('rejects %j as empty', (given) => {
		expect(refusalOf(() => parseRecipients(given)).message).toBe('To is empty');
	});

	test.each([[{}], [true], [[[['0911']]]], [1.5], [{ to: '0911' }]])('rejects %j', (given) => {
		expect(refusalOf(() => parseRecipients(given)).field).toBe('to');
	});

	test('returns any list of numbers', () => {
		fc.assert(
			fc.property(
				fc.array(digits(1, 15), { minLength: 1 }),
				fc.constantFrom(',', '; ', '\n'),
				(n, s) => {
					expect(parseRecipients(n.join(s))).toEqual(n);
					expect(parseRecipients(n)).toEqual(n);
				},
			),
		);
	});
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
	const refusalTextOf = (given: string) => {
		const { error } = attempt(() => normalizePhoneNumber(given)) as { error?: InputError };
		return error?.message ?? '';
	};
	const hintOf = (given: string, codes: string[]) => {
		const { error } = attempt(() => normalizePhoneNumber(given, 'to', codes)) as {
			error?: InputError;
		};
		return error?.hint;
	};

	test('zeros that are only dialed at home go, in every country', () => {
		// Where people dial something else than 0 in front of a number, or, in Gabon until 2019, a number began with it.
		const others = ['AR', 'BY', 'GA', 'HU', 'KZ', 'RU', 'TM'];
		for (const country of getCountries().filter((one) => !others.includes(one))) {
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

	test('every calling code is known, and no other one', () => {
		const isKnown = (code: string) =>
			!/country code that no country has/.test(refusalTextOf(`+${code}12345678`));
		const all = Array.from({ length: 899 }, (_, n) => String(n + 101));
		const inUse = [...calling, '379', '870', '881', '882', '883'];
		for (const code of all) {
			const isInUse = inUse.some((one) => code.startsWith(one));
			expect([code, isKnown(code)]).toEqual([code, isInUse]);
		}
	});

	test('a 0 stays where numbers begin with it', () => {
		const begun = calling.flatMap((code) =>
			tries('0', 2, [7, 8, 9, 10]).map((rest) => `+${code}${rest}`),
		);
		const known = begun.map((given) => [given, parse(given)] as const);
		const kept = new Set<string>();
		for (const [given, number] of known) {
			if (!isMobile(number) || number.countryCallingCode === '95') continue;
			// Gabon dropped the 0 in 2019.
			if (number.countryCallingCode === '241') continue;
			if (number.number === given) kept.add(number.countryCallingCode);
			expect(normalizePhoneNumber(given)).toBe(number.number);
		}
		expect([...kept].sort()).toEqual(['225', '226', '229', '242', '992']);
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

test('numbers of the networks whose length is sure have digits missing or too many', () => {
	for (let network = 0; network < 100; network += 1) {
		const start = `959${String(network).padStart(2, '0')}`;
		for (const length of [9, 10, 11, 12, 13]) {
			const numbers = ['01', '25', '50', '99'].map((rest) =>
				`${start}${rest}12345678`.slice(0, length),
			);
			const isValid = numbers.some((number) => parse(`+${number}`)?.isValid());
			if (isValid) expect(numbers.map(countExtraDigits)).toEqual([0, 0, 0, 0]);
		}
	}
	expect(countExtraDigits('95979123453')).toBe(-1);
	expect(countExtraDigits('9597912345678')).toBe(1);
	expect(countExtraDigits('959791234567')).toBe(0);
	expect(countExtraDigits('95961123456')).toBe(0);
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
