import type { IDataObject } from 'n8n-workflow';

import { publishTrigger } from './publishTrigger';
import { useService } from './useService';

const genuine = {
	messageId: '8c2b6a1e-6f0e-4d0e-9a39-0a1b2c3d4e5f',
	to: '959791234567',
	status: 'Delivered',
	updatedAt: '2026-11-20 15:00:00',
};

describe('SMS Delivery Receipt Trigger with Confirm With The Service, in a real n8n', () => {
	const service = useService();
	const published: string[] = [];

	const publish = async () => {
		const { api, credentials } = service;
		const parameters = { options: { confirmWithTheService: true } };
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

	test('waits for a history that is late', async () => {
		const trigger = await publish();
		const messageId = seed('Delivered', { listedFromMs: Date.now() + 500 });
		expect(await trigger.call({ data: { ...genuine, messageId } })).toMatchObject({
			status: 200,
		});
		expect(await trigger.items(1)).toEqual([[expect.objectContaining({ messageId })]]);
	});

	test('starts nothing for a forged final status of a message that is under way', async () => {
		const trigger = await publish();
		const messageId = seed('Sent', { finishedAt: null });
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

	test('is not driven by 300 forged receipts of one call into more than 60 requests', async () => {
		const trigger = await publish();
		service.sandbox.seedMessages(1_500, () => ({ status: 'Delivered' }));
		const forged = Array.from({ length: 300 }, (_, n) => ({
			...genuine,
			messageId: `forged-${n}`,
			to:
				n % 2 === 0 ? `9597912${String(n).padStart(5, '0')}` : `65812${String(n).padStart(5, '0')}`,
			updatedAt: `19${String(n % 90).padStart(2, '0')}-01-01 00:00:00`,
		}));
		const begin = Date.now();
		const answer = await trigger.call({ data: forged });
		const requests = service.sandbox.requests().length;
		process.stdout.write(
			`300 forged: ${requests} requests, ${Date.now() - begin} ms, answer ${answer.status}\n`,
		);
		expect(requests).toBeLessThanOrEqual(60);
		expect(await service.api.executions(trigger.workflowId)).toEqual([]);
	});
});
