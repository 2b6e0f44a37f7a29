import fc from 'fast-check';
import { isUsableBaseUrl } from '../../../../nodes/shared/client/address';
import { InputError } from '../../../../nodes/shared/input/InputError';
import {
	comparableText,
	escapeHtml,
	normalizeEmail,
	readReference,
	requireSenderId,
	requireTemplate,
	requireText,
	requireWebUrl,
	showDeceptive,
} from '../../../../nodes/shared/input/text';
import { processorMs } from '../../../support/unit/processorTime';

const message = (value: unknown) => requireText(value, 'message');

describe('requireText', () => {
	test('reads a long text of braces at once', async () => {
		const ms = await processorMs(() => {
			expect(message('{'.repeat(1_000_000))).toHaveLength(1_000_000);
			expect(() => message(`${'{'.repeat(1_000_000)}}}`)).toThrow(/expression/);
		});
		expect(ms).toBeLessThan(1000);
	});

	test('turns numbers into text', () => {
		expect(message(42)).toBe('42');
		expect(message(0)).toBe('0');
	});

	test('rejects half of an emoji in plain words, and accepts the whole one', () => {
		expect(() => message('hi \ud83d')).toThrow(/half a character/);
		expect(() => message('\ude00 hi')).toThrow(InputError);
		expect(message('hi 😀')).toBe('hi 😀');
	});

	test('holds the length when there is one', () => {
		expect(requireText('abc', 'brand', 3)).toBe('abc');
		expect(() => requireText('abcd', 'brand', 3)).toThrow(/4 characters/);
	});

	test('returns well-formed text as it came, or rejects, whatever comes', () => {
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

describe('comparableText', () => {
	test.each([
		['a\r\nb', 'a\nb'],
		[' a  b ', 'a b'],
		['e\u0301', '\u00e9'],
		['\ud800', '\ufffd'],
	])('accepts %j and %j as the same', (a, b) => expect(comparableText(a)).toBe(comparableText(b)));
	test('tells upper from lower case', () => {
		expect(comparableText('A')).not.toBe(comparableText('a'));
	});
});

describe('requireSenderId', () => {
	test('keeps upper and lower case and drops spaces around', () => {
		expect(requireSenderId(' MyShop ')).toBe('MyShop');
		expect(requireSenderId(1234)).toBe('1234');
	});

	test.each(['', ' ', null, 'My\nShop', 'My\u0000Shop', {}, []])('rejects %j', (value) => {
		expect(() => requireSenderId(value)).toThrow(/^Sender ID /);
	});
});

describe('readReference', () => {
	test('accepts up to 50 characters as they are', () => {
		expect(readReference('x'.repeat(50))).toBe('x'.repeat(50));
		expect(readReference(' order 7 ')).toBe(' order 7 ');
		expect(readReference(7)).toBe('7');
	});

	test('rejects a number that has lost digits: two of them would be one reference', () => {
		expect(readReference(Number.MAX_SAFE_INTEGER)).toBe('9007199254740991');
		expect(() => readReference(Number('12345678901234567891'))).toThrow(/last are lost/);
	});

	test.each(['x'.repeat(51), '😀'.repeat(26), 'a\nb', {}, ['a'], true])('rejects %j', (value) => {
		expect(() => readReference(value)).toThrow(/^Client Reference /);
	});
});

describe('requireTemplate', () => {
	test.each(['Your code', '{Code}', '{ code }', '', null])('rejects %j', (value) => {
		expect(() => requireTemplate(value)).toThrow(/^Template /);
	});
});

describe('requireWebUrl', () => {
	const url = (value: unknown) => requireWebUrl(value, 'deliveryReceiptUrl');

	test('rejects a password in it without repeating it', () => {
		const act = () => url('https://me:hunter2@example.com');
		expect(act).toThrow(/user name or password/);
		expect(act).not.toThrow(/hunter2/);
	});
});

const good = ['https://example.com', 'http://localhost:4010/api', 'HTTPS://Example.com/a/b'];
const none = [
	...['', 'example.com', 'ftp://example.com', 'https://', 'https:///a', 'https://?a', 'https://#a'],
	...['https://a b', 'https://a\\b', 'https://exa\u200bmple.com', 'https://a:99999', 'mailto:a@b'],
];
const withUser = ['https://user@example.com', 'https://user:pass@example.com/a', 'https://@a'];

test('the Base URL and the address for receipts are read the same way', () => {
	const isTaken = (address: string) => {
		try {
			return requireWebUrl(` ${address} `, 'deliveryReceiptUrl') === address;
		} catch {
			return false;
		}
	};
	for (const address of good)
		expect([isUsableBaseUrl(address), isTaken(address)]).toEqual([true, true]);
	for (const address of [...none, ...withUser]) {
		expect([isUsableBaseUrl(address), isTaken(address)]).toEqual([false, false]);
	}
});

describe('invisible', () => {
	describe('text that people decide by', () => {
		test.each([
			['\u202e7654321\u202c', '\\u202e7654321\\u202c'],
			['a\u2066b\u2069\u200e\u200f\u061c', 'a\\u2066b\\u2069\\u200e\\u200f\\u061c'],
			['a\u2028b\u2029c\u0085d\u0000', 'a\\u2028b\\u2029c\\u0085d\\u0000'],
			['\u00ad\u2060\ufeff\u3164\u{e0041}', '\\u00ad\\u2060\\ufeff\\u3164\\u{e0041}'],
			['\ud83d', '\\ud83d'],
			['a\u200cb\u200dc\ufe0f', 'a\\u200cb\\u200dc\\ufe0f'],
			['မင်္ဂလာပါ\u200b \u200b', 'မင်္ဂလာပါ\\u200b \\u200b'],
			['\ue000\ufff9', '\\ue000\\ufff9'],
		])('shows %j', (text, shown) => {
			expect(showDeceptive(text)).toBe(shown);
		});

		test('keeps line breaks and tabs', () => {
			expect(showDeceptive('a\r\nb\n\tc\rd')).toBe('a\nb\n\tc\\u000dd');
		});
	});
});

describe('an email address', () => {
	test.each(['name@example.com', 'Na.Me+tag@mail.example.co', "o'x@xn--e1a.example"])(
		'keeps %s, but for spaces around it and the case of the domain',
		(address) => {
			expect(normalizeEmail(` ${address}\n`)).toBe(address);
			const [name, domain] = address.split('@');
			expect(normalizeEmail(`${name}@${domain.toUpperCase()}`)).toBe(address);
		},
	);

	test.each([
		...['name@localhost', '@example.com', 'name@', 'a@b@example.com', 'a b@example.com'],
		...['a@example..com', '.a@example.com', 'a@-example.com', 'a@example.1', 'a@example.com.'],
		...['a@[127.0.0.1]', '"a b"@example.com', '<a@example.com>', 'a@example.com,b@example.com'],
		...['mailto:a@example.com', `${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(250)}.com`],
		...['959791234567@s.whatsapp.net', '959791234567@c.us', '959791234567-1612345678@G.us'],
		// Not ASCII, or not what it looks like.
		...['name@münchen.de', 'မ@example.com', 'name@gmaіl.com', 'na\u200Bme@gmail.com', 'a＠b.com'],
	])('is not %s', (address) => expect(normalizeEmail(address)).toBeUndefined());
});

test('text cannot put HTML into a page or an email', () => {
	expect(escapeHtml(`<b>"A" & 'B'</b>`)).toBe('&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;');
});
