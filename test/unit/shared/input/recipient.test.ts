import fc from 'fast-check';

import { InputError } from '../../../../nodes/shared/input/InputError';
import {
	digitsOf,
	isDomestic,
	normalizeOtpRecipient,
	normalizePhoneNumber,
	requirePlain,
	toHistoryNumber,
} from '../../../../nodes/shared/input/recipient';

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

describe('normalizeOtpRecipient', () => {
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
		...['959791234567@s.whatsapp.net', '959791234567@c.us', '959791234567-1612345678@G.us'],
		`${'a'.repeat(65)}@example.com`,
		`a@${'b'.repeat(250)}.com`,
	])('rejects %p', (address) => {
		expect(refusalOf(() => normalizeOtpRecipient(address)).hint).toContain('name@example.com');
	});
});

describe('toHistoryNumber', () => {
	test.each(['+6591234567', '9607771234', '0123456', '95', 'x', '', null, undefined, {}, true])(
		'rejects %p, since history knows numbers that start with 95 only',
		(given) => {
			expect(refusalOf(() => toHistoryNumber(given)).hint).toMatch(/95|09/);
		},
	);
});

describe('digitsOf', () => {
	test.each([undefined, null, '', 'nobody'])('finds none in %p', (to) => {
		expect(digitsOf(to)).toBe('');
	});

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

describe('a recipient that a model filled in', () => {
	test.each([
		'09791234567',
		'+95 9 79-123-4567',
		'၀၉၇၉၁၂၃၄၅၆၇',
		'0979,\r\n0978',
		['0979'],
		979,
		null,
	])('is visible: %j', (value) => expect(() => requirePlain(value, 'to')).not.toThrow());

	test.each([
		'0979\u202e7654321\u202c',
		'0979\u200b1234567',
		'\ufeff09791234567',
		['0978', '\u200e0979'],
		'a\u00adb@example.com',
	])('is not visible: %j', (value) => {
		expect(() => requirePlain(value, 'to')).toThrow('To contains invisible characters: "');
	});

	test('is shown in the error', () => {
		expect(() => requirePlain('0979\u202e7', 'to')).toThrow('"0979\\u202e7"');
	});

	test.each(['०९७९१२३४५६७', ['09791234567', '٠٩٧٩١٢٣٤٥٦٧']])(
		'has digits that people here can read: %j has not',
		(value) => {
			expect(() => requirePlain(value, 'to')).toThrow('To has digits of another script');
		},
	);
});
