import { countParts } from '../../../../nodes/shared/validation/parts';
import {
	describeCharacter,
	replaceTypography,
} from '../../../../nodes/shared/validation/typography';

const long = ' and so on'.repeat(10);

describe('typographic characters', () => {
	test.each([
		['‘Hi’ “you” «there»', `'Hi' "you" "there"`],
		['a – b — c ‑ d', 'a - b - c - d'],
		['wait…', 'wait...'],
		['a\u00A0b\u202Fc\u2009d', 'a b c d'],
		['soft\u00ADhyphen', 'softhyphen'],
	])('of %j are replaced where that saves parts', (text, expected) => {
		expect(replaceTypography(text + long)).toBe(expected + long);
		expect(countParts(text + long).parts).toBe(2);
		expect(countParts(expected + long).parts).toBe(1);
	});

	test.each([
		['in a short text, which is one part as it is', 'Don’t'],
		['beside an emoji', `Don’t 😀${long}`],
		['in another script, where they have their place', `${'က'.repeat(66)}${'\u200B'.repeat(6)}`],
		['where the text is as long without them', `Don't${long}`],
		['where three dots would make it no shorter', '…'.repeat(70)],
	])('stay %s', (_, text) => expect(replaceTypography(text)).toBe(text));

	test.each([
		['’', '’ (U+2019, curly quote)'],
		['–', '– (U+2013, dash)'],
		['\u00A0', 'U+00A0 (no-break space)'],
		['\u200B', 'U+200B (invisible character)'],
		['\t', 'U+0009'],
		['😀', '😀 (U+1F600)'],
		['ê', 'ê (U+00EA)'],
	])('%j is called %j', (character, expected) =>
		expect(describeCharacter(character)).toBe(expected),
	);
});
