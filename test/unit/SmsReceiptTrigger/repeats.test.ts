import { setTimeout as sleep } from 'node:timers/promises';
import { httpClient } from '../../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { acceptedLimits } from '../../../nodes/SmsReceiptTrigger/AcceptedReceipts';
import { startReceiver, type Circumstances, type Receiver } from '../../support/unit/receiver';

const http = httpClient.create({ validateStatus: () => true, timeout: 10_000 });
const receipt = { messageId: 'm-1', status: 'Delivered' };

const receivers: Receiver[] = [];
async function serve(options: IDataObject = {}, circumstances?: Circumstances): Promise<Receiver> {
	const receiver = await startReceiver({ options }, circumstances);
	receivers.push(receiver);
	return receiver;
}
afterEach(async () => {
	await Promise.all(receivers.splice(0).map(({ close }) => close()));
});

const statusesOf = (answers: Array<{ status: number }>) => answers.map(({ status }) => status);
const namesOf = ({ executions }: Receiver) =>
	executions.map((items) => items.map(({ json }) => json.messageId));

/** An execution that n8n starts, or cannot start, when it is told to. */
function startLater() {
	let start = () => {};
	let refuse: (error: Error) => void = () => {};
	const started = new Promise<void>((resolve, reject) => ([start, refuse] = [resolve, reject]));
	started.catch(() => {});
	return { start: () => start(), refuse: () => refuse(new Error('No database')), started };
}

describe('a receipt that comes again', () => {
	test('gets 200 and starts nothing', async () => {
		const receiver = await serve();
		const again = [
			{ updatedAt: '2026-11-20 10:00:05' },
			{ status: 'Success' },
			{ messageId: 'M1' },
		];
		for (const call of [receipt, ...again.map((change) => ({ ...receipt, ...change })), receipt])
			expect(await http.post(receiver.url, call)).toMatchObject({ status: 200, data: 'OK' });
		expect(receiver.executions).toHaveLength(1);
	});

	test('starts one execution for each of many messages that 20 callers report', async () => {
		// By hand, the size of a campaign: RECEIPTS_OF_MESSAGES=12000.
		const messages = Number(process.env.RECEIPTS_OF_MESSAGES ?? 600);
		const receiver = await serve({}, { startExecution: async () => await sleep(5) });
		const calls = Array.from({ length: (messages * 4) / 3 }, (_, n) => `m-${(n * 7) % messages}`);
		const statuses: number[] = [];
		const work = async () => {
			for (let messageId = calls.pop(); messageId; messageId = calls.pop())
				statuses.push((await http.post(receiver.url, { ...receipt, messageId })).status);
		};
		await Promise.all(Array.from({ length: 20 }, work));
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(statuses).toHaveLength((messages * 4) / 3);
		expect(new Set(namesOf(receiver).flat()).size).toBe(messages);
		expect(receiver.executions).toHaveLength(messages);
	}, 120_000);

	test('is left out of a list', async () => {
		const receiver = await serve();
		const list = ['a', 'b', 'a'].map((messageId) => ({ ...receipt, messageId }));
		await http.post(receiver.url, list);
		await http.post(receiver.url, [...list, { ...receipt, messageId: 'c' }]);
		expect(namesOf(receiver)).toEqual([['a', 'b'], ['c']]);
	});

	test.each<[string, IDataObject, Circumstances]>([
		['with Allow Repeated Receipts', { passOnRepeats: true }, {}],
		['in a test of the editor', {}, { mode: 'manual' }],
	])('starts the workflow each time %s', async (_, options, circumstances) => {
		const receiver = await serve(options, circumstances);
		await http.post(receiver.url, receipt);
		await http.post(receiver.url, receipt);
		expect(receiver.executions).toHaveLength(2);
	});

	test('was not counted by a test of the editor', async () => {
		const workflowId = 'the same';
		const [tried, published] = [
			await serve({}, { workflowId, mode: 'manual' }),
			await serve({}, { workflowId }),
		];
		await http.post(tried.url, receipt);
		await http.post(published.url, receipt);
		await http.post(tried.url, receipt);
		expect([tried, published].map(({ executions }) => executions.length)).toEqual([2, 1]);
	});

	test('is not a repeat with another status, in another workflow or at another trigger', async () => {
		const workflowId = 'shared';
		const [one, otherTrigger, otherWorkflow] = [
			await serve({}, { workflowId, nodeId: 'a' }),
			await serve({}, { workflowId, nodeId: 'b' }),
			await serve(),
		];
		for (const { url } of [one, otherTrigger, otherWorkflow]) {
			await http.post(url, receipt);
			await http.post(url, { ...receipt, status: 'Sent' });
		}
		const counts = [one, otherTrigger, otherWorkflow].map(({ executions }) => executions.length);
		expect(counts).toEqual([2, 2, 2]);
	});

	test('is not a repeat for another recipient of the same message ID', async () => {
		const receiver = await serve();
		const [one, other] = ['959791234567', '959791234568'].map((to) => ({ ...receipt, to }));
		const spellings = ['09791234567', '+959791234567', '+95 9 791 234 567', '၀၉၇၉၁၂၃၄၅၆၇'];
		for (const call of [one, other, ...spellings.map((to) => ({ ...receipt, to }))])
			expect(await http.post(receiver.url, call)).toMatchObject({ status: 200, data: 'OK' });
		expect(receiver.executions.flat().map(({ json }) => json.to)).toEqual([one.to, other.to]);
		const [list, again] = [await serve(), [one, other, one, other]];
		await Promise.all([1, 2, 3].map(() => http.post(list.url, again)));
		expect(list.executions.flat().map(({ json }) => json.to)).toEqual([one.to, other.to]);
	});

	test('starts the workflow again after 24 hours', async () => {
		const receiver = await serve();
		await http.post(receiver.url, receipt);
		await http.post(receiver.url, receipt);
		expect(receiver.executions).toHaveLength(1);
		const later = performance.now() + acceptedLimits.rememberedMs + 1_000;
		const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
		await http.post(receiver.url, receipt);
		clock.mockRestore();
		expect(receiver.executions).toHaveLength(2);
	});
});

describe('a receipt whose execution is being started', () => {
	test('is counted only then, and no caller gets a response before', async () => {
		const { started, start } = startLater();
		const receiver = await serve({}, { startExecution: () => started });
		let answered = 0;
		const calls = [1, 2, 3].map(() => http.post(receiver.url, receipt).finally(() => answered++));
		await receiver.called(3);
		await sleep(50);
		expect(answered).toBe(0);
		start();
		expect(statusesOf(await Promise.all(calls))).toEqual([200, 200, 200]);
		expect(receiver.executions).toHaveLength(1);
	});

	test('starts nothing at first, is posted again by all callers, and is then counted', async () => {
		const { started, refuse } = startLater();
		let starting = () => started;
		const receiver = await serve({}, { startExecution: () => starting() });
		const calls = [1, 2, 3].map(() => http.post(receiver.url, receipt));
		await receiver.called(3);
		refuse();
		expect(statusesOf(await Promise.all(calls)).sort()).toEqual([500, 503, 503]);
		expect(receiver.executions).toEqual([]);
		starting = async () => {};
		expect((await http.post(receiver.url, receipt)).status).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	test('is counted even if its caller hangs up', async () => {
		const { started, start } = startLater();
		const receiver = await serve({}, { startExecution: () => started });
		const hangUp = new AbortController();
		const first = http.post(receiver.url, receipt, { signal: hangUp.signal });
		first.catch(() => {});
		await receiver.called(1);
		const second = http.post(receiver.url, receipt);
		hangUp.abort();
		await receiver.called(2);
		start();
		expect((await second).status).toBe(200);
		expect((await http.post(receiver.url, receipt)).status).toBe(200);
		expect(receiver.executions).toHaveLength(1);
	});

	test('keeps its whole list uncounted', async () => {
		const { started, refuse } = startLater();
		let starting = () => started;
		const receiver = await serve({}, { startExecution: () => starting() });
		const first = http.post(receiver.url, receipt);
		await receiver.called(1);
		const list = [receipt, { ...receipt, messageId: 'm-2' }];
		const withList = http.post(receiver.url, list);
		await receiver.called(2);
		refuse();
		expect(statusesOf(await Promise.all([first, withList]))).toEqual([500, 503]);
		starting = async () => {};
		expect((await http.post(receiver.url, list)).status).toBe(200);
		expect(namesOf(receiver)).toEqual([['m-1', 'm-2']]);
	});
});
