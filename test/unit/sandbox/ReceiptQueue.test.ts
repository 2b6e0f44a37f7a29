import { ReceiptQueue } from '../../../sandbox/ReceiptQueue';

describe('the queue of receipts', () => {
	const end = () => undefined;
	const never = { dueMs: 0, call: () => new Promise<void>(() => undefined), end };
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
			expect(queue.enter('a', { dueMs: index, call, end })).toBe(true);
		}
		expect(begun).toHaveLength(200);
		expect(queue.report(1_200)).toMatchObject({
			underWay: 200,
			waiting: 2_800,
			waitingLateMs: 1_000,
		});
		for (let index = 0; index < 3_000; index += 1) {
			while (!ends[index]) await turn();
			ends[index]();
			if (index % 100 === 99) await turn();
		}
		expect(begun).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
		await turn();
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
		for (let index = 0; index < 500; index += 1) queue.enter('a', { dueMs: 0, call, end });
		const isBusy = ({ underWay, waiting } = queue.report(0)) => underWay + waiting > 0;
		while (isBusy()) await turn();
		expect(queue.report(0)).toMatchObject({ underWay: 0, waiting: 0 });
	});

	test('gives up what waits in line, or for its next attempt, when told', async () => {
		const queue = new ReceiptQueue();
		let given = 0;
		const giveUp = () => void (given += 1);
		for (let index = 0; index < 300; index += 1) queue.enter('a', { ...never, end: giveUp });
		const goOn = jest.fn();
		for (let index = 0; index < 300; index += 1) {
			queue.pause(20, { ...never, end: giveUp }, goOn);
		}
		queue.endAll();
		expect([given, queue.report(0).waiting]).toEqual([400, 0]);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(goOn).not.toHaveBeenCalled();
	});

	test('has one come back after a pause', async () => {
		await new Promise<void>((resolve) => new ReceiptQueue().pause(5, never, resolve));
	});
});
