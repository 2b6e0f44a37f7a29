import { setTimeout as sleep } from 'node:timers/promises';
import { httpClient } from '../../../scripts/http';
import type { INodeExecutionData } from 'n8n-workflow';

import { gatherTiming } from '../../../nodes/SmsReceiptTrigger/gatherReceipts';
import { startReceiver, type Circumstances, type Receiver } from '../../support/unit/receiver';

const http = httpClient.create({ validateStatus: () => true, timeout: 5000 });

const toReceipt = (n: number) => ({ messageId: `message-${n}`, status: 'Delivered' });
const receipts = (count: number) => Array.from({ length: count }, (_, n) => toReceipt(n));
const namesOf = (items: INodeExecutionData[]) => items.map(({ json }) => json.messageId);

const receivers: Receiver[] = [];
async function serve(batchSize: unknown, circumstances?: Circumstances): Promise<Receiver> {
	const receiver = await startReceiver(
		{ options: { batchSize: batchSize as never } },
		circumstances,
	);
	receivers.push(receiver);
	return receiver;
}
// Calls that are made at once may reach a busy machine with pauses between them.
const usual = { ...gatherTiming };
beforeEach(() => Object.assign(gatherTiming, { ...usual, quietMs: 300, longestMs: 3_000 }));
afterAll(() => Object.assign(gatherTiming, usual));
afterEach(async () => await Promise.all(receivers.splice(0).map(({ close }) => close())));

async function report(url: string, count: number) {
	return await Promise.all(receipts(count).map((receipt) => http.post(url, receipt)));
}
const statusesOf = (answers: Array<{ status: number }>) => answers.map(({ status }) => status);

describe('Batch Size of the SMS Delivery Receipt Trigger', () => {
	test('starts one execution with all receipts that come in at the same time', async () => {
		const { url, executions } = await serve(100);
		const answers = await report(url, 12);
		expect(answers.map(({ status, data }) => [status, data])).toEqual(Array(12).fill([200, 'OK']));
		expect(executions).toHaveLength(1);
		expect(namesOf(executions[0]).sort()).toEqual(namesOf(toItems(12)).sort());
	});

	test('starts no execution with more of them, and leaves none out', async () => {
		const { url, executions } = await serve(5);
		expect(statusesOf(await report(url, 12))).toEqual(Array(12).fill(200));
		expect(executions.map((items) => items.length).sort()).toEqual([2, 5, 5]);
		expect(executions.flatMap(namesOf).sort()).toEqual(namesOf(toItems(12)).sort());
	});

	test('starts an execution at once when no more receipts go into it', async () => {
		gatherTiming.quietMs = 60_000;
		const { url, executions } = await serve(3);
		const first = http.post(url, receipts(2));
		await sleep(50);
		const tooManyForIt = http.post(url, [7, 8].map(toReceipt));
		expect((await first).status).toBe(200);
		expect(executions.map((items) => items.length)).toEqual([2]);
		await http.post(url, toReceipt(9));
		expect((await tooManyForIt).status).toBe(200);
		expect(executions.map((items) => items.length)).toEqual([2, 3]);
	});

	test('leaves together what one call reports', async () => {
		const { url, executions } = await serve(3);
		const [list] = await Promise.all([http.post(url, receipts(5)), http.post(url, toReceipt(9))]);
		expect(list.status).toBe(200);
		expect(executions.map((items) => items.length).sort()).toEqual([1, 5]);
	});

	test('starts executions one after the other for receipts that come one after the other', async () => {
		const { url, executions } = await serve(100);
		for (const receipt of receipts(3)) await http.post(url, receipt);
		expect(executions.map(namesOf)).toEqual([['message-0'], ['message-1'], ['message-2']]);
	});

	test('responds only after the execution has started', async () => {
		let start = () => {};
		const started = new Promise<void>((resolve) => (start = resolve));
		const { url } = await serve(3, { startExecution: () => started });
		let answered = 0;
		const calls = receipts(3).map((receipt) => http.post(url, receipt).then(() => (answered += 1)));
		await sleep(600);
		expect(answered).toBe(0);
		start();
		await Promise.all(calls);
		expect(answered).toBe(3);
	});

	test('asks for every receipt again when the execution could not be started', async () => {
		const { url, executions } = await serve(3, {
			startExecution: () => Promise.reject(new Error('The database is gone')),
		});
		expect(statusesOf(await report(url, 3)).sort()).toEqual([500, 503, 503]);
		expect(executions).toEqual([]);
	});

	test('starts the execution also when the first caller hangs up, and tells the others', async () => {
		const { url, executions } = await serve(100);
		const hangUp = new AbortController();
		const first = http.post(url, toReceipt(0), { signal: hangUp.signal }).catch(() => undefined);
		await sleep(20);
		const others = [1, 2].map((n) => http.post(url, toReceipt(n)));
		await sleep(20);
		hangUp.abort();
		await first;
		expect(statusesOf(await Promise.all(others))).toEqual([200, 200]);
		expect(executions.map(namesOf)).toEqual([['message-0', 'message-1', 'message-2']]);
	});

	test('does not wait for ever while calls keep coming', async () => {
		gatherTiming.longestMs = 500;
		const { url, executions } = await serve(1000);
		const calls = [];
		for (let n = 0; n < 150; n += 1) {
			calls.push(http.post(url, toReceipt(n)));
			await sleep(10);
		}
		expect(statusesOf(await Promise.all(calls))).toEqual(Array(150).fill(200));
		expect(executions.length).toBeGreaterThan(1);
		expect(executions.flat()).toHaveLength(150);
	});

	test('keeps workflows apart', async () => {
		const [one, other] = [await serve(100), await serve(100)];
		await Promise.all([http.post(one.url, toReceipt(1)), http.post(other.url, toReceipt(2))]);
		expect([one, other].map(({ executions }) => executions.map(namesOf))).toEqual([
			[['message-1']],
			[['message-2']],
		]);
	});

	test('starts for each call alone in a test of the editor, and without the option', async () => {
		for (const receiver of [await serve(100, { mode: 'manual' }), await serve(undefined)]) {
			await report(receiver.url, 3);
			expect(receiver.executions.map((items) => items.length)).toEqual([1, 1, 1]);
		}
	});
});

function toItems(count: number): INodeExecutionData[] {
	return receipts(count).map((json) => ({ json }));
}
