import { setImmediate as turn } from 'node:timers/promises';
import { ReceiptQueue } from '../../../sandbox/ReceiptQueue';

describe('the queue of receipts', () => {
	const never = () => new Promise<void>(() => undefined);

	test('makes so many calls of one receiver at once, the others as these end, first come first', async () => {
		const queue = new ReceiptQueue();
		const begun: number[] = [];
		const ends: Array<() => void> = [];
		const all = Array.from({ length: 3_000 }, (_, index) => index);
		for (const index of all) {
			void queue.call('a', index, () => {
				begun.push(index);
				return new Promise<void>((resolve) => ends.push(resolve));
			});
		}
		expect(begun).toHaveLength(200);
		const report = { underWay: 200, waiting: 2_800, waitingLateMs: 1_000 };
		expect(queue.report(1_200)).toMatchObject(report);
		for (const index of all) {
			while (!ends[index]) await turn();
			ends[index]();
		}
		await turn();
		expect(begun).toEqual(all);
		expect(queue.report(0)).toMatchObject({ underWay: 0, waiting: 0, waitingLateMs: 0 });
	});

	test('drops at once what memory cannot hold, and counts it', async () => {
		const queue = new ReceiptQueue();
		for (let index = 0; index < 200 + 50_000; index += 1) void queue.call('a', 0, never);
		expect(await queue.call('a', 0, never)).toBeUndefined();
		void queue.call('b', 0, never);
		expect(queue.report(0)).toMatchObject({ underWay: 201, waiting: 50_000, dropped: 1 });
	});
});
