import fc from 'fast-check';

import { countParts } from '../../../../nodes/shared/input/parts';

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

	test('never has fewer parts than the units need, and grows with the text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.boolean(), (text, unicode) => {
				const { units, parts, unitsPerPart } = countParts(text, unicode);
				expect(parts * unitsPerPart).toBeGreaterThanOrEqual(units);
				expect((parts - 1) * (unitsPerPart - 1)).toBeLessThanOrEqual(units);
				expect(countParts(`${text}a`, unicode).parts).toBeGreaterThanOrEqual(parts);
			}),
		);
	});
});
