import fc from 'fast-check';

import { unfold } from '../../../../nodes/shared/client/unfold';

const readings = (text: string) => [...unfold(text)];
const last = (text: string) => readings(text).at(-1)?.signs;

describe('unfold', () => {
	test.each([
		['a%2Bb', 'a+b'],
		['a%252Bb', 'a+b'],
		['%e1%80%80', '\u1000'],
		['\\u002b \\x2f \\/', '+ / /'],
		['&plus;&#43;&#x2B;', '+++'],
		['%25u', '%u'],
		['plain', 'plain'],
		['&unknown; %zz', '&unknown; %zz'],
		['&#9999999;', '\u{10ffff}'],
	])('reads %j as %j in the end', (text, meant) => expect(last(text)).toBe(meant));

	test('says of each sign where it stands in the text', () => {
		const [, reading] = readings('a%2Bb');
		const places = [...reading.signs].map((_, n) => [reading.startOf(n), reading.endOf(n)]);
		expect(places).toEqual([
			[0, 1],
			[1, 4],
			[4, 5],
		]);
	});

	test('undoes what was encoded, up to five times', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), fc.nat(5), (text, times) => {
				fc.pre(!/[%\\&]/.test(text));
				let folded = text;
				for (let n = 0; n < times; n += 1) folded = encodeURIComponent(folded);
				expect(readings(folded).map(({ signs }) => signs)).toContain(text);
			}),
		);
	});

	test('ends, whatever is nested', () => {
		expect(readings(`%${'25'.repeat(50)}2B`).length).toBeLessThanOrEqual(6);
	});
});
