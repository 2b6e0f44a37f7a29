import { describeParts } from '../../../../nodes/shared/fields/partsHint';

describe('the hint about long texts', () => {
	test.each([[[]], [[1, 1, 1]]])('is not there for %j', (parts) => {
		expect(describeParts(parts)).toEqual([]);
	});

	test('counts the long ones, the longest, and all parts', () => {
		const [{ message }] = describeParts([1, 3, 2]);
		expect(message).toContain(
			'2 of 3 messages are long and charged as up to 3 parts each, 6 parts in all',
		);
	});

	test('is made for 100,000 messages', () => {
		expect(describeParts(Array<number>(100_000).fill(2))).toHaveLength(1);
	});
});
