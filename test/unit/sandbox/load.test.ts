import { createServer } from 'node:http';
import { listen } from '../../support/listen';
import { numbers, sleep, useSandbox } from '../../support/sandbox/harness';
import { processorMs } from '../../support/unit/processorTime';

describe('the sandbox under load', () => {
	const sandbox = useSandbox({ receiptRetryMs: 5, balance: 1e9 });

	const sendMany = async (count: number) => {
		const all = numbers(count);
		for (let sent = 0; sent < count; sent += 500) {
			const message = `Message number ${sent} of a long day`;
			const to = all.slice(sent, sent + 500);
			await sandbox.sendBulk([{ to, message, from: 'Shop' }]);
		}
	};

	test('keeps fewer requests when they are long', async () => {
		const messages = Array.from({ length: 100 }, (_, index) => ({
			...{ to: '09779123456', from: 'Shop', message: `${index}`.repeat(4_000) },
		}));
		for (let sent = 0; sent < 25; sent += 1) await sandbox.sendBulk(messages);
		const kept = sandbox.requests();
		expect(kept.length).toBeLessThan(25);
		expect(kept.length).toBeGreaterThan(15);
		expect(kept.at(-1)!.number).toBe(25);
	});

	describe('with one very large bulk request', () => {
		const recipients = 20_000;
		const to = numbers(recipients);
		const post = (message: string) => sandbox.sendBulk([{ to, message, from: 'Shop' }]);

		test('twice with the balance for one is accepted once', async () => {
			sandbox.configure({ balance: 600_000 });
			const answers = await Promise.all([post('a'), post('b')]);
			expect(answers.map(({ status }) => status).sort()).toEqual([201, 402]);
			expect(new Set(sandbox.messages().map(({ message }) => message)).size).toBe(1);
			expect([sandbox.messages().length, sandbox.balance().balance]).toEqual([recipients, 200_000]);
		});

		test('moves on as a whole, in the order of its recipients', async () => {
			const few = ['09000000002', ...to.slice(0, 300)];
			await sandbox.sendBulk([{ to: few, message: 'x', from: 'Shop' }]);
			sandbox.advance(60_000);
			const statuses = sandbox.messages().map(({ status }) => status);
			expect(statuses).toEqual(['Undelivered', ...Array<string>(300).fill('Delivered')]);
		});

		test('is rejected when its response would be gigabytes', async () => {
			const { data } = await post('x'.repeat(10_000));
			const message = 'The texts of all recipients have more than 64000000 characters together.';
			expect(data).toMatchObject({ status: 413, message });
			expect(sandbox.messages()).toEqual([]);
		});
	});

	describe('with a receiver', () => {
		let close: () => Promise<void>;
		let calls: number;
		let answerAfterMs: number;
		/** The receiver closes each connection in the moment in which it is used again. */
		let cutsUsed: boolean;

		beforeEach(async () => {
			[calls, answerAfterMs, cutsUsed] = [0, 0, false];
			const used = new WeakSet<object>();
			const server = createServer((request, response) => {
				if (cutsUsed && used.has(request.socket)) return void request.socket.resetAndDestroy();
				used.add(request.socket);
				calls += 1;
				setTimeout(() => response.end(), answerAfterMs);
			});
			const listening = await listen(server);
			close = listening.close;
			sandbox.configure({ defaultReceiptUrl: `${listening.url}/`, receiptAttempts: 1 });
		});
		afterEach(() => close());

		// A second of one core is for 4,000 receipts and the sends: 0.25 ms of it are for each. Here the receiver
		// takes its part, too, and other programs slow everything down.
		test('spends less than a millisecond of the processor on each receipt', async () => {
			await sendMany(1_000);
			const ms = await processorMs(() => sandbox.pass());
			expect([calls, sandbox.receiptQueue().dropped]).toEqual([2_000, 0]);
			expect(ms / 2_000).toBeLessThan(1);
		});

		test('that closes a kept connection gets its receipt by a new one, in the same attempt', async () => {
			cutsUsed = true;
			await sandbox.send();
			await sandbox.pass();
			expect(sandbox.receipts().map(({ answered }) => answered)).toEqual([200, 200]);
		});

		test('that is slow shows by how much', async () => {
			answerAfterMs = 600;
			await sendMany(500);
			sandbox.advance(60_000);
			await sleep(300);
			const { data } = await sandbox.control('GET', '/receipts/queue');
			expect(data).toMatchObject({ underWay: 200, waiting: 300, dropped: 0 });
			expect(data.waitingLateMs).toBeGreaterThanOrEqual(250);
			expect(await sandbox.readPage()).toMatch(/300 receipts wait, the first for [\d.]+ s/);
			sandbox.clear();
		});

		test('that is asked again is not called late for what was due long ago', async () => {
			await sandbox.send();
			await sandbox.pass();
			await sleep(3_000);
			await sandbox.repeatReceipt(sandbox.messages()[0]!.messageId);
			expect(sandbox.receiptQueue().lastLateMs).toBeLessThan(2_500);
		});
	});
});
