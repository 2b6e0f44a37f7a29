import { describeParts, type Charge } from '../../../../nodes/shared/fields/partsHint';
import { limitParts } from '../../../../nodes/shared/sending/readDraft';

const chargesOf = (parts: number[]): Charge[] =>
	parts.map((count) => ({ encoding: 'GSM-7', parts: count }));

describe('the hint about long texts', () => {
	test.each([[[]], [[1, 1, 1]]])('is not there for %j', (parts) => {
		expect(describeParts(chargesOf(parts))).toEqual([]);
	});

	test('counts the long ones, and all parts', () => {
		const [{ message }] = describeParts(chargesOf([1, 3, 2]));
		expect(message).toBe(
			'2 of 3 messages need more than one part: 6 parts in all. Limit this with Max Parts.',
		);
	});

	test('of one message counts its parts, with characters that count twice', () => {
		expect(describeParts([limitParts('{'.repeat(81), false, Infinity)])).toEqual([
			expect.objectContaining({
				message: 'The message needs 2 parts. Limit this with Max Parts.',
			}),
		]);
	});

	test('names the characters that made texts Unicode, and what they cost', () => {
		const text = (mark: string) => limitParts(`Don${mark}t${' ok'.repeat(50)}`, false, Infinity);
		const [, { message }] = describeParts([text('\u2019'), text('\u2026'), text("'")]);
		expect(message).toContain(
			'6 parts instead of 2 because of ’ (U+2019, curly quote), … (U+2026, ellipsis).',
		);
	});

	test('names no letters of another script', () => {
		const hints = describeParts([limitParts('ကခဂဃငစဆဇ'.repeat(10), false, Infinity)]);
		expect(hints).toHaveLength(1);
	});

	test('is made for 100,000 messages', () => {
		expect(describeParts(chargesOf(Array<number>(100_000).fill(2)))).toHaveLength(1);
	});
});
