import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { publishTrigger } from '../support/e2e/publishTrigger';
import { useService } from '../support/e2e/useService';

const genuine = {
	messageId: '8c2b6a1e-6f0e-4d0e-9a39-0a1b2c3d4e5f',
	to: '959791234567',
	status: 'Delivered',
	updatedAt: '2026-11-20 15:00:00',
};

describe('SMS Delivery Receipt Trigger with Verify Against Message History, in a real n8n', () => {
	const service = useService();
	const published: string[] = [];

	const publish = async () => {
		const { api, credentials } = service;
		const parameters = { safeguards: { confirmWithTheService: true } };
		const trigger = await publishTrigger({ api, credentials, parameters });
		published.push(trigger.workflowId);
		return trigger;
	};
	afterAll(async () => {
		await Promise.all(published.map(async (id) => await service.api.deleteWorkflow(id)));
	});

	const seed = (status: string, changes: IDataObject = {}) => {
		service.sandbox.seedMessages(1, () => ({ status, to: genuine.to, ...changes }));
		return service.sandbox.messages().at(-1)?.messageId ?? '';
	};

	test('starts for what the service knows, and drops what it does not', async () => {
		const trigger = await publish();
		const messageId = seed('Delivered');
		const report = (changes: IDataObject) => trigger.call({ data: { ...genuine, ...changes } });
		const [known, unknown, otherNumber, contradicting, notFinal] = await Promise.all([
			report({ messageId }),
			report({}),
			report({ messageId, to: '959790000000' }),
			report({ messageId, status: 'Failed' }),
			report({ messageId, status: 'Sent' }),
		]);
		const answers = [known, unknown, otherNumber, contradicting, notFinal];
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
		const statuses = (await trigger.items(2)).flat().map(({ status }) => status);
		expect(statuses.sort()).toEqual(['Delivered', 'Sent']);
	});

	test('drops every final status of an expired message but Expired, and accepts that once', async () => {
		const trigger = await publish();
		const messageId = seed('Expired');
		const report = async (status: string) =>
			(await trigger.call({ data: { ...genuine, messageId, status } })).status;
		const lies = [
			'Delivered',
			'DELIVERED',
			'Success',
			'Failed',
			'Rejected',
			'Error',
			'Undelivered',
		];
		const answers = await Promise.all([...lies, 'EXPIRED', 'Expired', 'expired '].map(report));
		expect(new Set(answers)).toEqual(new Set([200]));
		const [[{ receiptId }]] = await trigger.items(1);
		expect(receiptId).toBe(`${messageId}:${genuine.to}:Expired`);
	});

	test('waits for a history that is late', async () => {
		const trigger = await publish();
		const messageId = seed('Delivered', { listedFromMs: Date.now() + 500 });
		expect(await trigger.call({ data: { ...genuine, messageId } })).toMatchObject({
			status: 200,
		});
		expect(await trigger.items(1)).toEqual([[expect.objectContaining({ messageId })]]);
	});

	test('starts nothing for a forged final status of a message that is in flight', async () => {
		const trigger = await publish();
		const messageId = seed('Sent');
		// A genuine one that is ahead of history is to come again.
		expect((await trigger.call({ data: { ...genuine, messageId } })).status).toBe(503);
		expect(await service.api.executions(trigger.workflowId)).toEqual([]);
	});

	test('asks to come again when the service cannot say', async () => {
		const trigger = await publish();
		const messageId = seed('Delivered');
		service.sandbox.addFault({ effect: { status: 401 } });
		expect((await trigger.call({ data: { ...genuine, messageId } })).status).toBe(503);
		service.sandbox.clearFaults();
		expect((await trigger.call({ data: { ...genuine, messageId } })).status).toBe(200);
		expect(await trigger.items(1)).toEqual([[expect.objectContaining({ messageId })]]);
	});

	test('drops what history knows of another number or reference', async () => {
		const trigger = await publish();
		const messageId = seed('Delivered', { to: '6581234567', clientReference: 'order-7' });
		const report = async (changes: IDataObject) =>
			(await trigger.call({ data: { ...genuine, messageId, ...changes } })).status;
		expect(await report({ to: '+65 8123 4568' })).toBe(200);
		expect(await report({ to: '6581234567', clientReference: 'order-8' })).toBe(200);
		expect(await service.api.executions(trigger.workflowId)).toEqual([]);
		expect(await report({ to: '+65 8123 4567', clientReference: 'order-7' })).toBe(200);
		expect(await trigger.items(1)).toEqual([[expect.objectContaining({ messageId })]]);
	});

	const toNumber = (n: number) => `95979${String(n).padStart(7, '0')}`;

	test('confirms a call with receipts for many numbers by few requests', async () => {
		const trigger = await publish();
		service.sandbox.seedMessages(1_200, (n) => ({ status: 'Delivered', to: toNumber(n) }));
		const data = service.sandbox
			.messages()
			.slice(0, 300)
			.map(({ messageId, to }) => ({ ...genuine, messageId, to }));
		expect((await trigger.call({ data })).status).toBe(200);
		expect(service.sandbox.requests().length).toBeLessThanOrEqual(2);
		const [items] = await trigger.items(1);
		expect(items.map(({ messageId }) => messageId)).toEqual(data.map(({ messageId }) => messageId));
	});

	test.each([
		['in numbers at home', (n: number) => toNumber(n)],
		['in one number', () => genuine.to],
		['in 20 numbers', (n: number) => toNumber(n % 20)],
		['abroad', (n: number) => `6581${String(n).padStart(6, '0')}`],
	])('is driven into at most 60 requests by 300 forged receipts, %s', async (_, to) => {
		const trigger = await publish();
		service.sandbox.seedMessages(1_500, () => ({ status: 'Delivered' }));
		const data = Array.from({ length: 300 }, (__, n) => {
			const updatedAt = `19${String(n % 90).padStart(2, '0')}-01-01 00:00:00`;
			return { ...genuine, messageId: `forged-${n}`, to: to(n), updatedAt };
		});
		expect((await trigger.call({ data })).status).toBe(200);
		const asked = service.sandbox.requests();
		process.stdout.write(`300 forged receipts cost ${asked.length} requests\n`);
		expect(asked.length).toBeLessThanOrEqual(60);
		expect(JSON.stringify(asked)).not.toContain('filterByCreatedDateFrom":"19');
		expect(await service.api.executions(trigger.workflowId)).toEqual([]);
	});

	test('searches at most three times at once, for all calls together', async () => {
		const trigger = await publish();
		service.sandbox.configure({ latencyMs: 50 });
		const forge = async (n: number) =>
			await trigger.call({ data: { ...genuine, messageId: `forged-${n}`, to: toNumber(n) } });
		await Promise.all(Array.from({ length: 40 }, async (_, n) => await forge(n)));
		expect(service.sandbox.stats().peakInFlight).toBeLessThanOrEqual(3);
	});

	test('starts once for each recipient of a message ID that several share, in any notation', async () => {
		const trigger = await publish();
		const numbers = ['6581234567', '6581234568', '959791234567', '959791234568'];
		const records = numbers.map((to, n) => ({ to, status: n % 2 === 0 ? 'Delivered' : 'Failed' }));
		service.sandbox.seedMessages(4, (n) => ({ ...records[n], messageId: 'shared' }));
		const report = async (to: string, status: string) =>
			(await trigger.call({ data: { ...genuine, messageId: 'shared', to, status } })).status;
		const answers = [];
		for (const { to, status } of [...records, ...records]) {
			answers.push(await report(to, status === 'Failed' ? 'Delivered' : 'Failed'));
			answers.push(await report(to, status));
			answers.push(await report(`+${to}`, status));
		}
		expect(answers).toEqual(Array(24).fill(200));
		const started = (await trigger.items(4)).flat();
		expect(started.map(({ to, status }) => ({ to, status }))).toEqual(records);
		expect(new Set(started.map(({ receiptId }) => receiptId)).size).toBe(4);
	});

	test('a call that joins a search has its own time after that of the first has ended', async () => {
		const trigger = await publish();
		const report = async (to: string) => {
			const { messageId } = service.sandbox.messages().find((message) => message.to === to) ?? {};
			return (await trigger.call({ data: { ...genuine, messageId, to } })).status;
		};
		// All searches are busy for 24 s, which is more than a call waits.
		const busy = [8_000, 8_000, 8_000].map((slowMs, n) => ({
			slowMs,
			numbers: [1, 2, 3].map((at) => `9597930${n}000${at}`),
		}));
		const shared = '959794000001';
		const numbers = [...busy.flatMap((one) => one.numbers), shared];
		service.sandbox.seedMessages(10, (n) => ({ status: 'Delivered', to: numbers[n] }));
		const others = [];
		for (const one of busy) {
			const contains = one.numbers[0].slice(0, -1);
			service.sandbox.addFault({ match: { contains }, effect: { slowMs: one.slowMs } });
			others.push(...one.numbers.map(report));
			await sleep(300);
		}
		const first = report(shared);
		await sleep(12_000);
		const second = report(shared);
		expect(await first).toBe(503);
		expect(await second).toBe(200);
		expect(await trigger.items(7)).toHaveLength(7);
		const asked = service.sandbox.requests().filter(({ query }) => query.to === shared);
		expect(asked).toHaveLength(1);
		await Promise.all(others);
	});

	test('responds in time when the service does not, and confirms again as soon as it does', async () => {
		const trigger = await publish();
		service.sandbox.addFault({ effect: 'hang' });
		const messageIds = [1, 2, 3, 4].map((n) => seed('Delivered', { to: toNumber(n) }));
		const report = async (n: number) => {
			const data = { ...genuine, messageId: messageIds[n - 1], to: toNumber(n) };
			return (await trigger.call({ data })).status;
		};
		const begin = Date.now();
		expect(await Promise.all([1, 2, 3].map(report))).toEqual([503, 503, 503]);
		// After 20 s, on a machine that has time.
		expect(Date.now() - begin).toBeLessThan(60_000);
		service.sandbox.clearFaults();
		expect(await Promise.all([1, 2, 3, 4].map(report))).toEqual([200, 200, 200, 200]);
	});
});
