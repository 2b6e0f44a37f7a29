import fc from 'fast-check';

import { InputError } from '../../../../nodes/shared/validation/InputError';
import {
	optionalReference,
	requireSenderId,
	requireTemplate,
	requireText,
	requireWebUrl,
} from '../../../../nodes/shared/validation/text';

const message = (value: unknown) => requireText(value, 'message', 'Message');

describe('requireText', () => {
	test('trims nothing off', () => {
		expect(message('  two lines\n ')).toBe('  two lines\n ');
	});

	test('turns numbers into text', () => {
		expect(message(42)).toBe('42');
		expect(message(0)).toBe('0');
	});

	test.each(['', '  \n\t', '\u200b\ufeff', null, undefined])('calls %j empty', (value) => {
		expect(() => message(value)).toThrow('Message is empty');
	});

	test.each([{}, ['a'], true, Number.NaN, Infinity, () => 'a'])('refuses %p', (value) => {
		expect(() => message(value)).toThrow(/^Message must be text/);
	});

	test('refuses half of an emoji in plain words, and takes the whole one', () => {
		expect(() => message('hi \ud83d')).toThrow(/half of a character/);
		expect(() => message('\ude00 hi')).toThrow(InputError);
		expect(message('hi 😀')).toBe('hi 😀');
	});

	test('holds the length when there is one', () => {
		expect(requireText('abc', 'brand', 'Brand', { maxLength: 3 })).toBe('abc');
		expect(() => requireText('abcd', 'brand', 'Brand', { maxLength: 3 })).toThrow(/4 characters/);
	});

	test('gives well-formed text as it came, or refuses, whatever comes', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.string({ unit: 'binary' })), (value) => {
				try {
					expect(encodeURIComponent(message(value))).not.toBe('');
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
				}
			}),
		);
	});
});

describe('requireSenderId', () => {
	test('keeps upper and lower case and drops spaces around', () => {
		expect(requireSenderId(' MyShop ')).toBe('MyShop');
		expect(requireSenderId(1234)).toBe('1234');
	});

	test.each(['', ' ', null, 'My\nShop', 'My\u0000Shop', 'x'.repeat(21), {}, []])(
		'refuses %j',
		(value) => {
			expect(() => requireSenderId(value)).toThrow(/^Sender ID /);
		},
	);
});

describe('optionalReference', () => {
	test.each([undefined, null, '', '  '])('takes %j for none', (value) => {
		expect(optionalReference(value)).toBeUndefined();
	});

	test('takes up to 50 characters as they are', () => {
		expect(optionalReference('x'.repeat(50))).toBe('x'.repeat(50));
		expect(optionalReference(' order 7 ')).toBe(' order 7 ');
		expect(optionalReference(7)).toBe('7');
	});

	test.each(['x'.repeat(51), '😀'.repeat(26), 'a\nb', {}, ['a'], true])('refuses %j', (value) => {
		expect(() => optionalReference(value)).toThrow(/^Client Reference /);
	});
});

describe('requireTemplate', () => {
	test('takes a text with the place of the code', () => {
		expect(requireTemplate('{code} is for {brand}')).toBe('{code} is for {brand}');
	});

	test.each(['Your code', '{Code}', '{ code }', '', null])('refuses %j', (value) => {
		expect(() => requireTemplate(value)).toThrow(/^Template /);
	});
});

describe('requireWebUrl', () => {
	const url = (value: unknown) =>
		requireWebUrl(value, 'deliveryReceiptUrl', 'Delivery Receipt URL');

	test.each(['https://example.com', 'http://localhost:5678/webhook/x?secret=a%20b#c'])(
		'keeps %p as typed',
		(address) => {
			expect(url(` ${address} `)).toBe(address);
		},
	);

	test.each([
		'example.com',
		'/webhook',
		'ftp://example.com',
		'javascript:alert(1)',
		'http:example.com',
		'https://',
		'https://exa mple.com',
		'https://example.com\\@evil.example',
		'https://example.com/a\nb',
		'https://example.com:99999',
		'',
		null,
		{},
	])('refuses %j', (address) => {
		expect(() => url(address)).toThrow(/^Delivery Receipt URL /);
	});

	test('refuses a password in it without repeating it', () => {
		const act = () => url('https://me:hunter2@example.com');
		expect(act).toThrow(/user name or password/);
		expect(act).not.toThrow(/hunter2/);
	});
});
