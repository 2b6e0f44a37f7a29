import {
	acceptedLimits,
	AcceptedReceipts,
} from '../../../nodes/SmsReceiptTrigger/AcceptedReceipts';
import type { DeliveryReceipt } from '../../../nodes/shared/receipt/receipt';
import { collectGarbage } from '../../support/unit/collectGarbage';

const scope = ['workflow', 'node'];
const toReceipt = (n: number) => ({ receiptId: `message-${n}:Sent` }) as DeliveryReceipt;
const started = Promise.resolve(true);

const usual = { ...acceptedLimits };
afterEach(() => Object.assign(acceptedLimits, usual));

/** Takes receipts, as many for each call as a call may hold. */
async function take(taken: AcceptedReceipts, from: number, to: number): Promise<void> {
	for (let n = from; n < to; n += 1000) {
		const receipts = Array.from({ length: Math.min(1000, to - n) }, (_, i) => toReceipt(n + i));
		taken.claim(scope, receipts, started);
		await started;
	}
}

async function countTaken(taken: AcceptedReceipts, from: number, to: number): Promise<number> {
	const receipts = Array.from({ length: to - from }, (_, n) => toReceipt(from + n));
	const notStarted = Promise.resolve(false);
	const { toStart } = taken.claim(scope, receipts, notStarted);
	await notStarted;
	return receipts.length - toStart.length;
}

function measureMemory(): number {
	collectGarbage();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return (heapUsed + arrayBuffers) / 1024 / 1024;
}

describe('AcceptedReceipts', () => {
	test('remembers 250,000 receipts in less than 50 MB, so 1,000,000 in 200 MB', async () => {
		// What is compiled only once is not counted.
		await take(new AcceptedReceipts(), 0, 20_000);
		const before = measureMemory();
		const taken = new AcceptedReceipts();
		await take(taken, 0, 250_000);
		const megabytes = measureMemory() - before;
		process.stdout.write(`250,000 receipts are remembered in ${megabytes.toFixed(0)} MB\n`);
		expect(megabytes).toBeLessThan(50);
		expect(acceptedLimits.remembered).toBe(1_000_000);
		for (const n of [0, 125_000, 245_000])
			expect(await countTaken(taken, n, n + 5_000)).toBe(5_000);
		expect(await countTaken(taken, 250_000, 255_000)).toBe(0);
	}, 120_000);

	test('forgets the oldest when there are more, and never one of the newest', async () => {
		acceptedLimits.remembered = 2_000;
		const taken = new AcceptedReceipts();
		for (let count = 1_000; count <= 20_000; count += 1_000) {
			await take(taken, count - 1_000, count);
			const newest = Math.min(count, 2_000);
			expect(await countTaken(taken, count - newest, count)).toBe(newest);
		}
		expect(await countTaken(taken, 0, 16_000)).toBe(0);
	});
});
