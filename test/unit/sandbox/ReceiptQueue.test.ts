import { ReceiptQueue } from '../../../sandbox/ReceiptQueue';

describe('the queue of receipts', () => {
	const never = { dueMs: 0, call: () => new Promise<void>(() => undefined) };
	const turn = () => new Promise((resolve) => setImmediate(resolve));

	test('makes so many calls of one receiver at once, the others as these end, first come first', async () => {
		const queue = new ReceiptQueue();
		const begun: number[] = [];
		const ends: Array<() => void> = [];
		for (let index = 0; index < 3_000; index += 1) {
			const call = () => {
				begun.push(index);
				return new Promise<void>((resolve) => ends.push(resolve));
			};
			expect(queue.enter('a', { dueMs: index, call })).toBe(true);
		}
		expect(begun).toHaveLength(200);
		expect(queue.report(1_200)).toMatchObject({
			underWay: 200,
			waiting: 2_800,
			waitingLateMs: 1_000,
		});
		for (let index = 0; index < 3_000; index += 1) {
			ends[index]!();
			if (index % 100 === 99) await turn();
		}
		expect(begun).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
		expect(queue.report(0)).toMatchObject({ underWay: 0, waiting: 0, waitingLateMs: 0 });
	});

	test('gives up at once what memory would not bear, and counts it', () => {
		const queue = new ReceiptQueue();
		for (let index = 0; index < 200 + 50_000; index += 1) queue.enter('a', never);
		expect(queue.enter('a', never)).toBe(false);
		expect(queue.enter('b', never)).toBe(true);
		expect(queue.report(0)).toMatchObject({ underWay: 201, waiting: 50_000, dropped: 1 });
	});

	test('goes on after a call that failed', async () => {
		const queue = new ReceiptQueue();
		const call = () => Promise.reject(new Error('no'));
		for (let index = 0; index < 500; index += 1) queue.enter('a', { dueMs: 0, call });
		await turn();
		expect(queue.report(0)).toMatchObject({ underWay: 0, waiting: 0 });
	});
});
