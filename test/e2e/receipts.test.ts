import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxiosRequestConfig } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { connectToSharedN8n, runWorkflow, type NodeUnderTest } from '../../tools/harness';
import { publishTrigger } from '../support/e2e/publishTrigger';
import { makeMarker } from '../support/e2e/runAgain';
import { useService } from '../support/e2e/useService';

const genuine = {
	messageId: '8c2b6a1e-6f0e-4d0e-9a39-0a1b2c3d4e5f',
	to: '959791234567',
	clientReference: 'order-7',
	status: 'Delivered',
	updatedAt: '2026-11-20 15:00:00',
	finishedAt: '2026-11-20 15:00:00',
};
const started = {
	...genuine,
	recipient: genuine.to,
	delivered: true,
	final: true,
	updatedAtUtc: '2026-11-20T08:30:00.000Z',
	finishedAtUtc: '2026-11-20T08:30:00.000Z',
};

describe('SMS Delivery Receipt Trigger in a real n8n', () => {
	const service = useService({ receiptAttempts: 1 });
	const published: string[] = [];

	const publish = async (
		parameters: IDataObject = {},
		next: NodeUnderTest | NodeUnderTest[] = makeMarker('Received'),
	) => {
		const trigger = await publishTrigger({ api: service.api, parameters, next });
		published.push(trigger.workflowId);
		return trigger;
	};
	afterAll(async () => {
		await Promise.all(published.map(async (id) => await service.api.deleteWorkflow(id)));
	});

	const asMultipart = () => {
		const form = new FormData();
		for (const [name, value] of Object.entries(genuine)) form.append(name, value);
		return form;
	};
	const ways: Array<[string, AxiosRequestConfig]> = [
		['GET', { method: 'GET', params: genuine }],
		['POST with a query', { params: genuine }],
		['POST of a form', { data: new URLSearchParams(genuine) }],
		['POST of JSON', { data: genuine }],
		[
			'POST of JSON under the header of a form',
			{
				data: JSON.stringify(genuine),
				headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			},
		],
		['POST of a multipart form', { data: asMultipart() }],
	];

	test('accepts receipts in every way in which they come, with one receiptId', async () => {
		const trigger = await publish({ options: { passOnRepeats: true } });
		for (const [, request] of ways) {
			expect(await trigger.call(request)).toMatchObject({ status: 200, data: 'OK' });
		}
		const executions = await trigger.items(ways.length);
		const receiptId = executions[0][0].receiptId;
		expect(receiptId).toEqual(expect.any(String));
		expect(executions).toEqual(ways.map(() => [{ ...started, receiptId }]));
	});

	test('lets through by the recipe of the page what history confirms, and nothing else', async () => {
		const page = readFileSync(join(__dirname, '../../docs/receipts.md'), 'utf8');
		const [, recipe] = page.split('### Compare a receipt with message history');
		const [clientReference, to, ...pairs] = [...recipe.matchAll(/`(\{\{.+?\}\})`/g)].map(
			([, expression]) => `=${expression.replace('SMS Delivery Receipt Trigger', 'Trigger')}`,
		);
		const operator = { type: 'string', operation: 'equals' };
		const conditions = [0, 2].map((n) => ({
			...{ id: `${n}`, leftValue: pairs[n], rightValue: pairs[n + 1], operator },
		}));
		const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
		const trigger = await publish({ statuses: ['onDelivered', 'onNotDelivered'] }, [
			{
				...{ name: 'History', type: 'smsHistory', credentials: { ...service.credentials } },
				parameters: { returnAll: true, filters: { clientReference, to } },
			},
			{
				...{ name: 'If', type: 'n8n-nodes-base.if', typeVersion: 2.2 },
				parameters: { conditions: { options, conditions, combinator: 'and' }, options: {} },
			},
			makeMarker('Received'),
		]);
		service.sandbox.seedMessages(3, (n) => ({
			...{ to: genuine.to, clientReference: `order-${n}` },
			status: ['Success', 'Expired', 'Sent'][n],
		}));
		const { messageId: otherId } = service.sandbox.messages()[0];
		const report = async (n: number, status: string, changes: IDataObject = {}) => {
			const { messageId } = service.sandbox.messages()[n];
			const reference = { clientReference: `order-${n}` };
			const data = { ...genuine, messageId, ...reference, status, ...changes };
			expect((await trigger.call({ data })).status).toBe(200);
		};
		await report(0, 'Delivered');
		await report(1, 'Delivered');
		await report(1, 'Expired');
		await report(1, 'Expired', { messageId: otherId });
		await report(2, 'Failed');
		await report(2, 'Delivered', { clientReference: 'order-9' });
		const executions = await service.api.finishedExecutions(trigger.workflowId, 6);
		expect(executions.map(({ runData }) => 'Received' in runData)).toEqual([
			true,
			false,
			true,
			false,
			false,
			false,
		]);
	});

	test('starts the workflow once for a receipt that comes again, also 50 times at once', async () => {
		const trigger = await publish();
		const report = async () => await trigger.call({ data: genuine });
		const answers = await Promise.all(Array.from({ length: 50 }, report));
		expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
		expect((await report()).status).toBe(200);
		await trigger.call({ data: { ...genuine, status: 'Success' } });
		await trigger.call({ data: { ...genuine, status: 'Failed' } });
		const statuses = (await trigger.items(2)).map(([{ status }]) => status);
		expect(statuses).toEqual(['Delivered', 'Failed']);
	});

	test.each([
		[{ options: { secret: 'too-short' } }, 'Secret is too short'],
		[{ options: { secret: '={{ "short" }}' } }, 'Secret is too short'],
		[{ options: { ipAllowlist: 'the office' } }, 'is not an IP address'],
		[{ statuses: ['Delivered', 'Gone'] }, '"Gone" is not valid for Trigger On'],
	])('with %j, each call, the log and one failed execution name it', async (parameters, words) => {
		const trigger = await publish(parameters);
		for (let calls = 0; calls < 3; calls += 1) {
			const { status, data } = await trigger.call({ data: genuine });
			expect([status, data]).toEqual([500, expect.stringContaining(words)]);
		}
		const [failed, ...others] = await service.api.finishedExecutions(trigger.workflowId, 1);
		expect(failed.status).toBe('error');
		expect(failed.error?.message).toContain(words);
		expect(others).toEqual([]);
		const { log } = await connectToSharedN8n();
		expect(log()).toMatch(new RegExp(`workflow ${trigger.workflowId}\\).* with 500: .*${words}`));
	});

	test('rejects addresses that are not on the list', async () => {
		const [open, shut] = await Promise.all([
			publish({ options: { ipAllowlist: '203.0.113.7, 127.0.0.0/8, ::1' } }),
			publish({ options: { ipAllowlist: '203.0.113.0/24' } }),
		]);
		const forged = { headers: { 'X-Forwarded-For': '203.0.113.7' }, params: genuine };
		expect(await shut.call(forged)).toMatchObject({ status: 403 });
		expect(await open.call({ params: genuine })).toMatchObject({ status: 200 });
		expect(await open.items(1)).toHaveLength(1);
		expect(await service.api.executions(shut.workflowId)).toEqual([]);
	});

	test('responds before the workflow behind it is done', async () => {
		const wait = { name: 'Received', type: 'n8n-nodes-base.wait', typeVersion: 1.1 };
		const trigger = await publish({}, { ...wait, parameters: { amount: 10, unit: 'seconds' } });
		expect(await trigger.call({ data: genuine })).toMatchObject({ status: 200 });
		// n8n 1 may list the execution a moment later.
		const executions = await service.api.executions(trigger.workflowId);
		expect(executions.filter(({ stoppedAt }) => stoppedAt)).toEqual([]);
		await trigger.items(1);
	});

	test('accepts what the service really posts, even with a query of its own in the URL', async () => {
		const { api, sandbox, credentials } = service;
		const trigger = await publish({ options: { secret: 'a-secret.without~spaces' } });
		const own = `${trigger.url}?secret=a-secret.without~spaces&campaign=tea%20%26%20cake`;
		const send = async (options: IDataObject) =>
			await runWorkflow(
				api,
				[
					{
						name: 'Send',
						type: 'smsSend',
						parameters: { to: '09791234567', message: 'Hello', from: 'MyShop', options } as never,
						credentials: { ...credentials },
					},
				],
				[{}],
				{ mode: 'manual' },
			);
		await send({ deliveryReceiptUrl: own, clientReference: 'with its own' });
		sandbox.configure({ defaultReceiptUrl: `${trigger.url}?secret=a-secret.without~spaces` });
		await send({ clientReference: 'by default' });
		const methods = ['query', 'form', 'json', 'get'] as const;
		for (const [index, receiptMethod] of methods.entries()) {
			sandbox.configure({ receiptMethod });
			const { messageId } = sandbox.messages()[index % 2];
			await sandbox.setStatus(messageId, ['Sent', 'Sent', 'Delivered', 'Failed'][index]);
		}
		expect(sandbox.receipts().map(({ answered }) => answered)).toEqual([200, 200, 200, 200]);
		const found = (await trigger.items(4)).flat();
		expect(found.map((item) => [item.clientReference, item.status])).toEqual(
			expect.arrayContaining([
				['with its own', 'Sent'],
				['by default', 'Sent'],
				['with its own', 'Delivered'],
				['by default', 'Failed'],
			]),
		);
		expect(found.map(({ messageId }) => messageId)).toEqual(
			expect.arrayContaining(sandbox.messages().map(({ messageId }) => messageId)),
		);
	});
});
