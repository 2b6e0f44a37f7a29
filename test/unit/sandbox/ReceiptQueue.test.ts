import { ReceiptQueue } from '../../../sandbox/ReceiptQueue';

describe('the queue of receipts', () => {
	const never = () => new Promise<number>(() => undefined);

	test('makes so many calls of one receiver at once, the others as these end, first come first', async () => {
		const queue = new ReceiptQueue();
		const begun: number[] = [];
		const ends: Array<() => void> = [];
		const calls = Array.from({ length: 150 }, (_, index) =>
			queue.call('a', index, () => {
				begun.push(index);
				return new Promise<number>((resolve) => ends.push(() => resolve(index)));
			}),
		);
		expect(begun).toHaveLength(100);
		expect(queue.report(1_100)).toMatchObject({ underWay: 100, waiting: 50, waitingLateMs: 1_000 });
		await queue.call('b', 0, async () => 1);
		for (let index = 0; index < 150; index += 1) {
			ends[index]!();
			await calls[index];
		}
		expect(begun).toEqual(Array.from({ length: 150 }, (_, index) => index));
		expect(queue.report(0)).toMatchObject({ underWay: 0, waiting: 0, waitingLateMs: 0 });
	});

	test('gives up at once what memory would not bear, and counts it', async () => {
		const queue = new ReceiptQueue();
		for (let index = 0; index < 100 + 50_000; index += 1) void queue.call('a', 0, never);
		expect(await queue.call('a', 0, never)).toBeUndefined();
		expect(await queue.call('b', 0, async () => 200)).toBe(200);
		expect(queue.report(0)).toMatchObject({ underWay: 100, waiting: 50_000, dropped: 1 });
	});

	test('goes on after a call that failed', async () => {
		const queue = new ReceiptQueue();
		const failing = () => Promise.reject(new Error('no'));
		const calls = Array.from({ length: 200 }, () => queue.call('a', 0, failing));
		const settled = await Promise.allSettled(calls);
		expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
		expect(queue.report(0)).toMatchObject({ underWay: 0, waiting: 0 });
	});
});
