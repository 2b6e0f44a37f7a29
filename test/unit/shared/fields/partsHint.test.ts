import { describeParts, type Charge } from '../../../../nodes/shared/fields/partsHint';
import { limitParts } from '../../../../nodes/shared/sending/readDraft';

const chargesOf = (parts: number[]): Charge[] =>
	parts.map((count) => ({ encoding: 'GSM-7', parts: count }));

describe('the hint about long texts', () => {
	test.each([[[]], [[1, 1, 1]]])('is not there for %j', (parts) => {
		expect(describeParts(chargesOf(parts))).toEqual([]);
	});

	test('counts the long ones, the longest, and all parts', () => {
		const [{ message }] = describeParts(chargesOf([1, 3, 2]));
		expect(message).toContain(
			'2 of 3 messages are long and charged as up to 3 parts each, 6 parts in all',
		);
	});

	test('says that characters of the extension table count twice', () => {
		const [{ message }] = describeParts([limitParts('{'.repeat(81), false, Infinity)]);
		expect(message).toContain('each of ^ { } [ ] ~ | \\ € counts as two');
		expect(message).not.toContain('Unicode');
	});

	test('names the characters that made texts Unicode, and what they cost', () => {
		const text = (mark: string) => limitParts(`Don${mark}t${' ok'.repeat(50)}`, false, Infinity);
		const [{ message }] = describeParts([text('\u2019'), text('\u2026'), text("'")]);
		expect(message).toContain(
			'In 2 of them, only ’ (U+2019, curly quote), … (U+2026, ellipsis) makes the text Unicode: 6 parts instead of 2.',
		);
	});

	test('names no letters of another script', () => {
		const [{ message }] = describeParts([limitParts('ကခဂဃငစဆဇ'.repeat(10), false, Infinity)]);
		expect(message).not.toContain('U+');
	});

	test('is made for 100,000 messages', () => {
		expect(describeParts(chargesOf(Array<number>(100_000).fill(2)))).toHaveLength(1);
	});
});
