import {
	isDeceptive,
	requireVisible,
	showDeceptive,
} from '../../../../nodes/shared/validation/invisible';

describe('text that people decide by', () => {
	test.each([
		['\u202e7654321\u202c', '\\u202e7654321\\u202c'],
		['a\u2066b\u2069\u200e\u200f\u061c', 'a\\u2066b\\u2069\\u200e\\u200f\\u061c'],
		['a\u2028b\u2029c\u0085d\u0000', 'a\\u2028b\\u2029c\\u0085d\\u0000'],
		['\u00ad\u2060\ufeff\u3164\u{e0041}', '\\u00ad\\u2060\\ufeff\\u3164\\u{e0041}'],
		['\ud83d', '\\ud83d'],
	])('shows %j', (text, shown) => {
		expect(showDeceptive(text)).toBe(shown);
		expect(isDeceptive(text)).toBe(true);
	});

	test.each(['မင်္ဂလာပါ\u200b', '👨‍👩‍👧 ❤️ 🇲🇲', 'سلام', 'Ärger “quoted” – é', 'a\u200cb\u200dc'])(
		'keeps %s',
		(text) => {
			expect(showDeceptive(text)).toBe(text);
			expect(isDeceptive(text)).toBe(false);
		},
	);

	test('keeps line breaks and tabs', () => {
		expect(showDeceptive('a\r\nb\n\tc\rd')).toBe('a\nb\n\tc\\u000dd');
	});
});

describe('a recipient', () => {
	test.each([
		'09791234567',
		'+95 9 79-123-4567',
		'၀၉၇၉၁၂၃၄၅၆၇',
		'0979,\r\n0978',
		['0979'],
		979,
		null,
	])('is visible: %j', (value) => expect(() => requireVisible(value, 'to', 'To')).not.toThrow());

	test.each([
		'0979\u202e7654321\u202c',
		'0979\u200b1234567',
		'\ufeff09791234567',
		['0978', '\u200e0979'],
		'a\u00adb@example.com',
	])('is not visible: %j', (value) => {
		expect(() => requireVisible(value, 'to', 'To')).toThrow('To contains invisible characters: "');
	});

	test('is shown in the error', () => {
		expect(() => requireVisible('0979\u202e7', 'to', 'To')).toThrow('"0979\\u202e7"');
	});
});
