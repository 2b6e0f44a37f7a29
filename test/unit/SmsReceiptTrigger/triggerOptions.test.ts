import { readBatchSize } from '../../../nodes/SmsReceiptTrigger/triggerOptions';

test.each([
	[undefined, 1],
	['', 1],
	[1, 1],
	['100', 100],
	[1000, 1000],
])('Batch Size %p is %i', (batchSize, expected) => {
	expect(readBatchSize({ batchSize })).toBe(expected);
});

test.each([0, -1, 1.5, 1001, 'many', true])('Batch Size %p is refused', (batchSize) => {
	expect(() => readBatchSize({ batchSize })).toThrow('Batch Size');
});
