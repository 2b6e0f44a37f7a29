import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { control, send, sendBulk } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the sandbox under load', () => {
	const sandbox = useSandbox({ methods: 'any', receiptRetryMs: 5, balance: 1e9 });

	const sendMany = async (count: number) => {
		for (let sent = 0; sent < count; sent += 500) {
			const messages = Array.from({ length: 500 }, (_, index) => ({
				to: `0977${1_000_000 + sent + index}`,
				message: `Message number ${sent + index} of a long day`,
				from: 'Shop',
			}));
			await sendBulk(sandbox, messages);
		}
	};

	test('keeps fewer requests when they are long', async () => {
		const messages = Array.from({ length: 100 }, (_, index) => ({
			...{ to: '09779123456', from: 'Shop', message: `${index}`.repeat(4_000) },
		}));
		for (let sent = 0; sent < 25; sent += 1) await sendBulk(sandbox, messages);
		const kept = sandbox.requests();
		expect(kept.length).toBeLessThan(25);
		expect(kept.length).toBeGreaterThan(15);
		expect(kept.at(-1)!.number).toBe(25);
	}, 60_000);

	test('looks at no message that is not due', async () => {
		sandbox.configure({ pace: 1e9 });
		await sendMany(5_000);
		const start = process.cpuUsage();
		for (let tick = 0; tick < 1_000; tick += 1) sandbox.advance(0);
		expect(process.cpuUsage(start).user).toBeLessThan(200_000);
	});

	describe('with one very large bulk request', () => {
		const recipients = 20_000;
		const numbers = Array.from({ length: recipients }, (_, index) => `0977${1_000_000 + index}`);
		const post = (message: string) => sendBulk(sandbox, [{ to: numbers, message, from: 'Shop' }]);

		test('is stored and charged in one moment', async () => {
			const seen = new Set<string>();
			const before = sandbox.mark();
			let isOver = false;
			const sending = post('Hello').finally(() => (isOver = true));
			let looks = 0;
			for (; !isOver; looks += 1) {
				const { length } = sandbox.messages({ newest: 1 });
				seen.add([length, sandbox.balance().balance, sandbox.mark()].join(' '));
				await new Promise((resolve) => setImmediate(resolve));
			}
			await sending;
			expect(looks).toBeGreaterThan(10);
			expect([...seen]).toEqual([`0 1000000000 ${before}`, `1 999600000 ${sandbox.mark()}`]);
			expect(sandbox.mark()).toBeGreaterThanOrEqual(before + recipients);
		}, 60_000);

		test('twice with the balance for one is accepted once', async () => {
			sandbox.configure({ balance: 600_000 });
			const answers = await Promise.all([post('a'), post('b')]);
			expect(answers.map(({ status }) => status).sort()).toEqual([201, 402]);
			expect(new Set(sandbox.messages().map(({ message }) => message)).size).toBe(1);
			expect([sandbox.messages().length, sandbox.balance().balance]).toEqual([recipients, 200_000]);
		}, 60_000);

		test('is there as a whole, or not at all, when everything is removed meanwhile', async () => {
			const sending = post('Hello');
			while (sandbox.stats().requests === 0) await sleep(0);
			await sleep(20);
			sandbox.clear();
			const { status, data } = await sending;
			expect(status).toBe(201);
			expect([0, recipients]).toContain(sandbox.messages().length);
			if (sandbox.messages().length === 0) return;
			await sandbox.setStatus(data.messages[0].messageId, 'Failed');
		}, 60_000);

		test('moves on as a whole, in the order of its recipients', async () => {
			const to = ['09000000002', ...numbers.slice(0, 300)];
			await sendBulk(sandbox, [{ to, message: 'x', from: 'Shop' }]);
			sandbox.advance(60_000);
			const statuses = sandbox.messages().map(({ status }) => status);
			expect(statuses).toEqual(['Undelivered', ...Array<string>(300).fill('Delivered')]);
		});

		test('is rejected when its response would be gigabytes', async () => {
			const { status, data } = await post('x'.repeat(10_000));
			expect([status, data.message]).toEqual([
				413,
				'The texts of all recipients have more than 64000000 characters together.',
			]);
			expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		}, 60_000);
	});

	describe('with a receiver', () => {
		let server: Server;
		let url: string;
		let calls: number;
		let answerAfterMs: number;
		/** The receiver closes each connection in the moment in which it is used again. */
		let cutsUsed: boolean;

		beforeEach(async () => {
			[calls, answerAfterMs, cutsUsed] = [0, 0, false];
			const used = new WeakSet<object>();
			server = createServer((request, response) => {
				if (cutsUsed && used.has(request.socket)) return void request.socket.resetAndDestroy();
				used.add(request.socket);
				calls += 1;
				setTimeout(() => response.end(), answerAfterMs);
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
			sandbox.configure({ defaultReceiptUrl: url });
		});
		afterEach(() => {
			server.close();
			server.closeAllConnections();
		});

		// A second of one core is for 4,000 receipts and the sends: 0.25 ms of it are for each. Here the receiver
		// takes its part, too, and other programs slow everything down.
		test('spends less than a millisecond of the processor on each receipt', async () => {
			await sendMany(1_000);
			const start = process.cpuUsage();
			sandbox.advance(60_000);
			await sandbox.settle();
			const { user, system } = process.cpuUsage(start);
			expect([calls, sandbox.receiptQueue().dropped]).toEqual([2_000, 0]);
			expect((user + system) / 1_000 / 2_000).toBeLessThan(1);
		}, 30_000);

		test('that closes a kept connection gets its receipt by a new one, in the same attempt', async () => {
			sandbox.configure({ receiptAttempts: 1 });
			cutsUsed = true;
			await send(sandbox);
			sandbox.advance(60_000);
			await sandbox.settle();
			expect(sandbox.receipts().map(({ answered }) => answered)).toEqual([200, 200]);
		});

		test('that is slow shows by how much', async () => {
			answerAfterMs = 600;
			await sendMany(500);
			sandbox.advance(60_000);
			await sleep(300);
			const { data } = await control(sandbox, 'GET', '/receipts/queue');
			expect(data).toMatchObject({ underWay: 200, waiting: 300, dropped: 0 });
			expect(data.waitingLateMs).toBeGreaterThanOrEqual(250);
			const page = await fetch(`${sandbox.url}/_sandbox`);
			expect(await page.text()).toMatch(/300 receipts wait, the first for [\d.]+ s/);
			sandbox.clear();
		}, 30_000);

		test('that is asked again is not called late for what was due long ago', async () => {
			await send(sandbox);
			sandbox.advance(60_000);
			await sandbox.settle();
			await sleep(3_000);
			await sandbox.repeatReceipt(sandbox.messages()[0]!.messageId);
			expect(sandbox.receiptQueue().lastLateMs).toBeLessThan(2_500);
		});
	});
});
