import fc from 'fast-check';

import { InputError } from '../../../../nodes/shared/validation/InputError';
import {
	digitsOf,
	isDomestic,
	normalizeOtpRecipient,
	normalizePhoneNumber,
	parseRecipients,
	toHistoryNumber,
} from '../../../../nodes/shared/validation/recipient';

const digits = (min: number, max: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });

/** Behind 09, not what can be two numbers. */
const isClear = (rest: string) => !/^59\d{6}/.test(rest);

function refusalOf(action: () => unknown): InputError {
	try {
		action();
	} catch (error) {
		if (error instanceof InputError) return error;
	}
	throw new Error('was not refused');
}

describe('normalizePhoneNumber', () => {
	test.each([
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
		['+12025550123', '+12025550123'],
		['+12345678', '+12345678'],
		['+123456789012345', '+123456789012345'],
		['+9607771234', '+9607771234'],
	])('brings %p into the form %p', (given, sent) => {
		expect(normalizePhoneNumber(given)).toBe(sent);
	});

	test.each([
		' 09 79 123 4567 ',
		'09-79-123-4567',
		'09.791.234.567',
		'(09) 791234567',
		'+95 (0)9 791 234 567',
		'09\u00a0791\u200b234567\ufeff',
		'\u202a09791234567\u202c',
		'၀၉၇၉၁၂၃၄၅၆၇',
		'႐႙႗႙႑႒႓႔႕႖႗',
		'\uff0b\uff19\uff15\uff19\uff17\uff19\uff11\uff12\uff13\uff14\uff15\uff16\uff17',
		'09\u2013791\u2013234567',
	])('accepts the notation %p', (given) => {
		expect(normalizePhoneNumber(given)).toBe('959791234567');
	});

	test.each([
		['0912345', 'short'],
		['0912345678901', 'long'],
		['+1234567', 'short'],
		['+1234567890123456', 'long'],
	])('rejects %p as too %s', (given, word) => {
		expect(refusalOf(() => normalizePhoneNumber(given)).message).toContain(`too ${word}`);
	});

	test.each([
		'+9511234567',
		'9511234567890',
		'01234567',
		'+0123456789',
		'+95 09791234567',
		'0979+1234567',
		'++959791234567',
		'09791234567x',
		'call me',
		'tel:+959791234567',
		'-',
		'+',
		true,
		1.5,
		Number.NaN,
		2 ** 60,
		-959791234567,
		{},
		['09791234567', '09791234568'],
	])('rejects %p with a hint', (given) => {
		expect(refusalOf(() => normalizePhoneNumber(given)).hint).toContain('09791234567');
	});

	test('brings digits abroad without a + into that form only where their country is named', () => {
		for (const codes of [['95', '65'], 'any'] as const) {
			expect(normalizePhoneNumber('65 9123-4567', 'to', codes)).toBe('+6591234567');
		}
		for (const codes of [[], ['95'], ['659999']]) {
			const refusal = refusalOf(() => normalizePhoneNumber('65 9123-4567', 'to', codes));
			expect(refusal.message).toBe('To has digits that are not a number in Myanmar: "6591234567"');
			expect(refusal.hint).toContain('+6591234567');
		}
		expect(normalizePhoneNumber('+6591234567', 'to', ['95'])).toBe('+6591234567');
	});

	test.each(['20261122', 1_763_800_000_000, '100000000000001'])(
		'accepts %p, a date or an ID of a wrong column, for no number',
		(given) => {
			expect(refusalOf(() => normalizePhoneNumber(given)).message).toContain('number in Myanmar');
		},
	);

	test.each(['0959123456', '0959 791 234 567', '09591234567', '(09) 59 123 4567'])(
		'rejects %p, which can be two numbers, and says how to write either',
		(given) => {
			const { message, hint } = refusalOf(() => normalizePhoneNumber(given));
			expect(message).toContain('could be two numbers');
			const rest = given.replace(/\D/g, '').slice(1);
			expect(hint).toContain(`+${rest}`);
			expect(hint).toContain(`+95${rest}`);
		},
	);

	test('reads 0959 with less behind it as the one number that it can be', () => {
		expect(normalizePhoneNumber('095912345')).toBe('9595912345');
	});

	test.each([9791234567, '9791234567', '95123456', 979123456])(
		'accepts %p for a number that has lost its leading 0',
		(given) => {
			expect(refusalOf(() => normalizePhoneNumber(given)).hint).toContain('leading 0');
		},
	);

	test.each(['9.59791E+11', '959791234567.0'])('sees the spreadsheet behind %p', (given) => {
		expect(refusalOf(() => normalizePhoneNumber(given)).hint).toContain('spreadsheet');
	});

	test('sees Burmese letters that look like digits', () => {
		expect(refusalOf(() => normalizePhoneNumber('ဝ၉၇၉၁၂၃၄၅၆၇')).message).toContain('letter');
	});

	test.each(['09791234567,09791234568', '09791234567\n09791234568', '09791234567; +6591234567'])(
		'rejects the several numbers in %p',
		(given) => {
			expect(refusalOf(() => normalizePhoneNumber(given)).message).toContain('several');
		},
	);

	test.each([
		'09791234567 09791234568',
		'+6591234567\u00a0 09791234567',
		'+6591234567 +6597654321 095123456',
	])('says of %p that a comma is missing', (given) => {
		const refusal = refusalOf(() => normalizePhoneNumber(given));
		expect(refusal.message).toContain('several numbers separated only by spaces');
		expect(refusal.hint).toContain(
			'Separate several numbers with commas: 09791234567, 09797654321',
		);
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

	test('returns the same number for every notation, and for its own result', () => {
		fc.assert(
			fc.property(digits(6, 10).filter(isClear), (rest) => {
				const number = `959${rest}`;
				for (const given of [`09${rest}`, number, `+${number}`, `00${number}`])
					expect(normalizePhoneNumber(given)).toBe(number);
			}),
		);
	});
});

describe('parseRecipients', () => {
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

describe('normalizeOtpRecipient', () => {
	test('brings phone numbers into the form that is sent', () => {
		expect(normalizeOtpRecipient('09 791234567')).toBe('959791234567');
	});

	test.each([
		'name@example.com',
		'Na.Me+tag@mail.example.co',
		"o'x@xn--e1a.example",
		'မ@example.com',
	])('keeps %p as typed, but for spaces around it', (address) => {
		expect(normalizeOtpRecipient(` ${address}\n`)).toBe(address);
	});

	test.each([
		'name@localhost',
		'@example.com',
		'name@',
		'a@b@example.com',
		'a b@example.com',
		'a@example..com',
		'.a@example.com',
		'a@-example.com',
		'a@example.1',
		'a@example.com.',
		'a@[127.0.0.1]',
		'a@0x7f.1',
		'"a b"@example.com',
		'a＠b@example.com',
		'a，b@example.com',
		'a@ex%61mple.com',
		'a@exam／ple.com',
		'a@exa\u200dmple.com',
		'<a@example.com>',
		'a@example.com,b@example.com',
		'a\u0007@example.com',
		'a\u200d@example.com',
		'mailto:a@example.com',
		`${'a'.repeat(65)}@example.com`,
		`a@${'b'.repeat(250)}.com`,
	])('rejects %p', (address) => {
		expect(refusalOf(() => normalizeOtpRecipient(address)).hint).toContain('name@example.com');
	});
});

describe('toHistoryNumber', () => {
	test.each([
		['09791234567', '959791234567'],
		['+959791234567', '959791234567'],
		[959791234567, '959791234567'],
		['95 1 234567', '951234567'],
		['၉၅၉၇၉၁၂၃၄၅၆၇', '959791234567'],
	])('turns %p into %p', (given, digitsSent) => {
		expect(toHistoryNumber(given)).toBe(digitsSent);
	});

	test.each(['+6591234567', '9791234567', '0123456', '95', 'x', '', null, undefined, {}, true])(
		'rejects %p, since history knows numbers that start with 95 only',
		(given) => {
			expect(refusalOf(() => toHistoryNumber(given)).hint).toMatch(/95|09/);
		},
	);
});

describe('digitsOf', () => {
	test.each([
		...['09779100001', '+959779100001', '959 779-100-001', 959779100001, '00959779100001'],
		...['+95 (0)9 779 100001', '၀၉၇၇၉၁၀၀၀၀၁', '\u200b+959779100001'],
	])('reads %p as the same domestic number', (to) => expect(digitsOf(to)).toBe('959779100001'));

	test.each(['+65 9123 4567', '6591234567', '006591234567'])(
		'reads %p as the same number abroad',
		(to) => expect(digitsOf(to)).toBe('6591234567'),
	);

	test.each([undefined, null, '', 'nobody'])('finds none in %p', (to) => {
		expect(digitsOf(to)).toBe('');
	});

	test.each([
		['09791234567', '959791234568'],
		['+6591234567', '91234567'],
	])('tells %p from %p', (a, b) => expect(digitsOf(a)).not.toBe(digitsOf(b)));

	test.each([
		['09791234567', true],
		['+959791234567', true],
		['+6591234567', false],
		['', false],
	])('says of %p whether it is of the number in Myanmar: %p', (to, expected) => {
		expect(isDomestic(digitsOf(to))).toBe(expected);
	});

	test('compares what is sent with every notation of it', () => {
		const number = fc.integer({ min: 100_000, max: 9_999_999_999 }).map(String).filter(isClear);
		fc.assert(
			fc.property(number, fc.constantFrom('09', '959', '+959', '00959'), (rest, prefix) => {
				expect(digitsOf(`${prefix}${rest}`)).toBe(normalizePhoneNumber(`${prefix}${rest}`));
			}),
		);
	});
});
