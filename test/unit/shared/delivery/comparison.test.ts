import fc from 'fast-check';

import { collapse } from '../../../../nodes/shared/delivery/BulkDelivery';
import { comparableText, digitsOf } from '../../../../nodes/shared/delivery/pairing';

const unlike = fc.uniqueArray(
	fc.record({
		to: fc.constantFrom('959779100001', '959779100002', '+6591234567'),
		message: fc.constantFrom('One', 'Two', ' Three\n'),
		from: fc.constantFrom('Shop', 'SHOP'),
	}),
	{
		maxLength: 18,
		selector: ({ to, message, from }) => JSON.stringify([to, message, from]),
	},
);

describe('collapse', () => {
	test('keeps every message once', () => {
		fc.assert(
			fc.property(unlike, (messages) => {
				const entries = collapse(messages);
				const all = entries.flatMap(({ to, ...text }) =>
					to.map((number) => ({ to: number, ...text })),
				);
				expect(all).toHaveLength(messages.length);
				expect(all).toEqual(expect.arrayContaining(messages));
				const texts = entries.map(({ message, from }) => JSON.stringify([message, from]));
				expect(new Set(texts).size).toBe(texts.length);
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
	])('takes %j and %j as the same', (a, b) => expect(comparableText(a)).toBe(comparableText(b)));
	test('tells upper from lower case', () => {
		expect(comparableText('A')).not.toBe(comparableText('a'));
	});
});

describe('digitsOf', () => {
	test.each(['09779100001', '+959779100001', '959 779-100-001', 959779100001])(
		'reads %p as the same domestic number',
		(to) => expect(digitsOf(to)).toBe('959779100001'),
	);
	test.each([undefined, null, '', 'nobody'])('finds none in %p', (to) => {
		expect(digitsOf(to)).toBe('');
	});
});
