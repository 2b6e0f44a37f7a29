import { readFileSync } from 'node:fs';

import { countParts, isZawgyi, withoutZeroWidthSpaces } from '../../../../nodes/shared/input/parts';

describe('countParts', () => {
	test.each([
		['a', 0, 'GSM-7', 0, 1, 160],
		['a', 160, 'GSM-7', 160, 1, 160],
		['a', 161, 'GSM-7', 161, 2, 153],
		['a', 306, 'GSM-7', 306, 2, 153],
		['a', 307, 'GSM-7', 307, 3, 153],
		['€', 80, 'GSM-7', 160, 1, 160],
		['€', 81, 'GSM-7', 162, 2, 153],
		['မ', 70, 'UCS-2', 70, 1, 70],
		['မ', 71, 'UCS-2', 71, 2, 67],
		['မ', 134, 'UCS-2', 134, 2, 67],
		['မ', 135, 'UCS-2', 135, 3, 67],
		['😀', 35, 'UCS-2', 70, 1, 70],
	])(
		'counts %s × %i as %s, %i units, %i parts',
		(sign, times, encoding, units, parts, unitsPerPart) => {
			expect(countParts(sign.repeat(times))).toEqual({ encoding, units, parts, unitsPerPart });
		},
	);

	test('does not split an extension character: 152 + € + 152 + € need one part more', () => {
		const message = `${'a'.repeat(152)}€${'a'.repeat(151)}€${'a'}`;
		expect(countParts(message)).toMatchObject({ units: 308, parts: 3 });
		expect(countParts(`${'a'.repeat(152)}€${'a'.repeat(152)}`)).toMatchObject({
			units: 306,
			parts: 3,
		});
	});

	test('does not split a surrogate pair: 66 + 😀 + 66 need three parts', () => {
		const message = `${'မ'.repeat(66)}😀${'မ'.repeat(66)}`;
		expect(countParts(message)).toMatchObject({ units: 134, parts: 3 });
	});

	test('counts every character of both GSM tables, and only those, as GSM-7', () => {
		const alphabet = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
		const gsm = alphabet.filter((character) => countParts(character).encoding === 'GSM-7');
		expect(gsm).toHaveLength(127 + 10);
		expect(
			gsm
				.filter((character) => countParts(character).units === 2)
				.sort()
				.join(''),
		).toBe('\f[\\]^{|}~€');
	});
});

describe('withoutZeroWidthSpaces', () => {
	test.each([
		['မင်္ဂလာ\u200Bပါ', 'မင်္ဂလာပါ'],
		['\u200Bမင်္ဂလာ\u200Bပါ\u200B OK', 'မင်္ဂလာပါ OK'],
		['a\u200Bb', 'a\u200Bb'],
		['plain', 'plain'],
	])('makes %j %j', (text, sent) => {
		expect(withoutZeroWidthSpaces(text)).toBe(sent);
	});

	test('removes them from any text that goes out as Unicode', () => {
		expect(withoutZeroWidthSpaces('a\u200Bb', true)).toBe('ab');
	});
});

describe('isZawgyi', () => {
	const resources = require.resolve('myanmar-tools').replace(/index\.js$/, 'resources/');
	/** Lines, and pieces of about the length of an SMS. */
	const readTexts = (file: string) => {
		const lines = readFileSync(`${resources}${file}`, 'utf8').split('\n');
		const pieces = lines.flatMap((line) => line.match(/.{20,70}?(?:[\s၊။]|$)/gu) ?? []);
		return [...lines, ...pieces].filter(
			(text) => (text.match(/[\u1000-\u109F]/gu)?.length ?? 0) >= 20,
		);
	};
	const share = (texts: string[]) => texts.filter(isZawgyi).length / texts.length;
	const { ZawgyiDetector } = jest.requireActual<{
		ZawgyiDetector: new () => { getZawgyiProbability(text: string): number };
	}>('myanmar-tools');
	const detector = new ZawgyiDetector();

	test.each(['mmgov_unicode_out.txt', 'udhr_mya_unicode_src.txt'])('is false in %s', (file) => {
		const texts = readTexts(file);
		expect(texts.length).toBeGreaterThan(150);
		expect(texts.filter(isZawgyi)).toEqual([]);
	});

	test.each(['mmgov_zawgyi_src.txt', 'udhr_mya_zawgyi_out.txt'])('is true in %s', (file) => {
		expect(share(readTexts(file))).toBeGreaterThan(0.98);
	});

	test('agrees with the detector of myanmar-tools wherever it is sure that a text is Unicode', () => {
		const compatibility = readFileSync(`${resources}compatibility.tsv`, 'utf8').split('\n');
		const texts = compatibility.map((line) => line.split('\t')[1] ?? '');
		const sure = texts.filter((text) => detector.getZawgyiProbability(text) < 0.05);
		expect(sure.length).toBeGreaterThan(10);
		expect(sure.filter(isZawgyi)).toEqual([]);
	});

	test.each(['', 'Hello', '😀', 'မင်္ဂလာပါ', 'ၵႂၢမ်းတႆး', 'ဘာသာ မန်', 'ကညီကျိာ်', 'နေ ကောင်း လား'])(
		'is false for %s',
		(text) => expect(isZawgyi(text)).toBe(false),
	);

	test.each(['ေနေကာင္းလား', 'ျမန္မာ', 'Order ၁၂ ကို ေပးပို႔ၿပီးပါၿပီ'])('is true for %s', (text) =>
		expect(isZawgyi(text)).toBe(true),
	);
});
