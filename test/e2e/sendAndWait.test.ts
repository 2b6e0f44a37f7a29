import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { connectToSharedN8n, describeRun, runWorkflow, startN8n, type N8n } from './harness';

/** Numbers of the sandbox whose way is fixed. */
const numbers = {
	delivered: '09000000001',
	failed: '09000000003',
	staysPending: '09000000007',
	withoutReceipts: '09000000017',
	receiptsBeforeAnswer: '09000000019',
};
import { createCredentials, type Credentials } from './useService';

describe('SMS Send and Wait for Delivery in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let credentials: Credentials;

	beforeAll(async () => {
		[n8n, sandbox] = await Promise.all([connectToSharedN8n(), startSandbox()]);
		credentials = await createCredentials(n8n.api, sandbox);
	});
	afterAll(async () => await sandbox?.close());
	beforeEach(() => {
		sandbox.reset();
		sandbox.configure({ pace: 0 });
	});

	const node = (parameters: IDataObject, used = credentials) => ({
		name: 'Wait',
		type: 'smsSendAndWait',
		credentials: { ...used },
		webhookId: 'send-and-wait',
		parameters: {
			to: '09791234567',
			message: 'Your table is free',
			from: 'Bistro',
			waitFor: 'anyFinal',
			timeLimit: 5,
			options: {},
			...parameters,
		},
	});

	const fallAsleep = async (parameters: IDataObject = {}, mode?: 'manual' | 'production') => {
		const run = await runWorkflow(n8n.api, [node(parameters)], [{ private: 'of the parent' }], {
			keep: true,
			orStatus: ['waiting'],
			mode,
		});
		expect(run.error).toBeUndefined();
		expect(run.status).toBe('waiting');
		return run;
	};
	const finish = async (workflowId: string, executionId: string, api = n8n.api) =>
		describeRun(workflowId, await api.finishedExecution(executionId));
	const receiptUrl = () => String((sandbox.requests()[0].body as IDataObject).deliveryReceiptUrl);
	const messageId = () => sandbox.messages()[0].messageId;

	test.each(['production', 'manual'] as const)(
		'sleeps until the message is delivered (%s execution)',
		async (mode) => {
			const { workflowId, executionId } = await fallAsleep({}, mode);
			await sandbox.setStatus(messageId(), 'Sent');
			expect((await n8n.api.execution(executionId)).status).toBe('waiting');
			await sandbox.setStatus(messageId(), 'Delivered');

			const { status, json } = await finish(workflowId, executionId);
			expect(status).toBe('success');
			expect(json.Wait).toEqual([
				[
					expect.objectContaining({
						messageId: messageId(),
						to: '959791234567',
						outcome: 'delivered',
						status: 'Delivered',
						receipt: expect.objectContaining({ status: 'Delivered', delivered: true, final: true }),
					}),
				],
			]);
			expect(json.Wait[0][0]).not.toHaveProperty('private');
			expect(sandbox.messages()).toHaveLength(1);
		},
	);

	test('tells that a message could not be delivered', async () => {
		const { workflowId, executionId } = await fallAsleep();
		await sandbox.setStatus(messageId(), 'Failed');
		const { json } = await finish(workflowId, executionId);
		expect(json.Wait[0][0]).toMatchObject({ outcome: 'notDelivered', status: 'Failed' });
	});

	test('sleeps on after a failure when it waits for delivery only', async () => {
		const { workflowId, executionId } = await fallAsleep({ waitFor: 'delivered' });
		await sandbox.setStatus(messageId(), 'Failed');
		expect((await n8n.api.execution(executionId)).status).toBe('waiting');
		await sandbox.setStatus(messageId(), 'Delivered');
		const { json } = await finish(workflowId, executionId);
		expect(json.Wait[0][0]).toMatchObject({ outcome: 'delivered' });
	});

	test('is not woken by a forged receipt', async () => {
		const { workflowId, executionId } = await fallAsleep();
		const genuine = new URL(receiptUrl());
		const report = async (change: (url: URL) => void, id = messageId()) => {
			const url = new URL(genuine);
			change(url);
			url.searchParams.set('messageId', id);
			url.searchParams.set('status', 'Delivered');
			return (await axios.post(url.href, null, { validateStatus: () => true })).status;
		};
		expect(await report((url) => url.searchParams.delete('proof'))).toBe(401);
		expect(await report((url) => url.searchParams.set('proof', '0'.repeat(32)))).toBe(401);
		expect(await report((url) => url.searchParams.delete('signature'))).toBe(401);
		expect(await report(() => undefined, 'another-message')).toBe(200);
		expect((await n8n.api.execution(executionId)).status).toBe('waiting');
		await sandbox.setStatus(messageId(), 'Delivered');
		expect((await finish(workflowId, executionId)).json.Wait[0][0].outcome).toBe('delivered');
	});

	test('finds out in history what was reported before it slept', async () => {
		sandbox.configure({ pace: 5, receiptAttempts: 1 });
		const run = await runWorkflow(n8n.api, [node({ to: numbers.receiptsBeforeAnswer })]);
		expect(run.status).toBe('success');
		expect(run.json.Wait[0][0]).toMatchObject({ outcome: 'delivered', receipt: null });
	});

	test('finds out in history at the time limit what no receipt ever told', async () => {
		sandbox.configure({ pace: 1_500 });
		const run = await runWorkflow(n8n.api, [node({ to: numbers.withoutReceipts, timeLimit: 0.2 })]);
		expect(run.json.Wait[0][0]).toMatchObject({ outcome: 'delivered', receipt: null });
	});

	test('goes on at the time limit when the outcome is open', async () => {
		sandbox.configure({ pace: 100 });
		const run = await runWorkflow(n8n.api, [node({ to: numbers.staysPending, timeLimit: 0.1 })]);
		expect(run.status).toBe('success');
		expect(run.json.Wait[0]).toEqual([
			expect.objectContaining({ messageId: messageId(), outcome: 'timedOut', receipt: null }),
		]);
	}, 120_000);

	test('sends nothing for several items and says what to do', async () => {
		const run = await runWorkflow(n8n.api, [node({})], [{}, {}]);
		expect(run.status).toBe('error');
		expect(run.error?.message).toContain('2 items');
		expect(sandbox.requests()).toHaveLength(0);
	});

	test('goes on after n8n was started anew', async () => {
		const own = await startN8n();
		try {
			const used = await createCredentials(own.api, sandbox);
			const options = { keep: true, orStatus: ['waiting'] };
			const { workflowId, executionId } = await runWorkflow(
				own.api,
				[node({}, used)],
				[{}],
				options,
			);
			await own.restart();
			await sandbox.setStatus(messageId(), 'Delivered');
			const { json } = await finish(workflowId, executionId, own.api);
			expect(json.Wait[0][0]).toMatchObject({ outcome: 'delivered', status: 'Delivered' });
		} finally {
			await own.close();
		}
	}, 120_000);
});
