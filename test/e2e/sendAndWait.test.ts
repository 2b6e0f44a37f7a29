import { httpClient } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { isN8n1 } from '../../scripts/n8n/paths';
import { until } from '../../scripts/n8n/until';
import { connectToSharedN8n, describeRun, runWorkflow, type N8n } from '../../tools/harness';
import { setNode } from '../support/e2e/setNode';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { publishCalled } from '../support/e2e/subWorkflow';
import { createCredentials, type Credentials } from '../support/e2e/useService';

/** Numbers of the sandbox whose way is fixed. */
const numbers = {
	withoutReceipts: '09000000017',
};

describe('SMS Send and Wait for Delivery in a real n8n', () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let credentials: Credentials;

	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await connectToSharedN8n();
		credentials = await createCredentials(n8n.api, sandbox);
	});
	afterAll(async () => await sandbox?.close());
	beforeEach(() => {
		sandbox.reset();
		sandbox.configure({ pace: 0 });
	});

	const node = (parameters: IDataObject) => ({
		name: 'Wait',
		type: 'smsSendAndWait',
		credentials: { ...credentials },
		webhookId: 'send-and-wait',
		parameters: {
			to: '09791234567',
			message: 'Your table is free',
			from: 'Bistro',
			waitFor: 'anyFinal',
			timeLimit: 5,
			simplify: false,
			options: {},
			...parameters,
		},
	});

	const fallAsleep = async (parameters: IDataObject = {}, mode?: 'manual' | 'production') => {
		const run = await runWorkflow(n8n.api, [node(parameters)], [{ private: 'of the parent' }], {
			orStatus: ['waiting'],
			mode,
		});
		expect(run.error).toBeUndefined();
		expect(run.status).toBe('waiting');
		return run;
	};
	const finish = async (workflowId: string, executionId: string) =>
		describeRun(workflowId, await n8n.api.finishedExecution(executionId));
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
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		},
	);

	test('returns an item paired with its input item', async () => {
		const behind = setNode('Behind', { private: "={{ $('Items').item.json.private }}" });
		const run = await runWorkflow(n8n.api, [node({}), behind], [{ private: 'of the parent' }], {
			orStatus: ['waiting'],
		});
		await sandbox.setStatus(messageId(), 'Delivered');
		const { error, json } = await finish(run.workflowId, run.executionId);
		expect([error, json.Behind]).toEqual([undefined, [[{ private: 'of the parent' }]]]);
	});

	test('is not woken by a forged receipt', async () => {
		const { workflowId, executionId } = await fallAsleep();
		const genuine = new URL(receiptUrl());
		const report = async (change: (url: URL) => void, id = messageId()) => {
			const url = new URL(genuine);
			change(url);
			url.searchParams.set('messageId', id);
			url.searchParams.set('status', 'Delivered');
			return (await httpClient.post(url.href, null, { validateStatus: () => true })).status;
		};
		expect(await report((url) => url.searchParams.delete('q'))).toBe(401);
		expect(await report((url) => url.searchParams.set('q', '0'.repeat(16)))).toBe(401);
		// n8n 1 has no token of its own in the address: there, the proof is all that holds.
		if (!isN8n1()) {
			expect(await report((url) => url.searchParams.delete('signature'))).toBe(401);
		}
		expect(await report(() => undefined, 'another-message')).toBe(200);
		expect((await n8n.api.execution(executionId)).status).toBe('waiting');
		await sandbox.setStatus(messageId(), 'Delivered');
		expect((await finish(workflowId, executionId)).json.Wait[0][0].outcome).toBe('delivered');
	});

	test('ends without a wait where history shows the outcome in the first 30 seconds', async () => {
		sandbox.configure({ pace: 1_500 });
		const run = await runWorkflow(n8n.api, [node({ to: numbers.withoutReceipts })]);
		expect(run.status).toBe('success');
		expect(run.json.Wait[0][0]).toMatchObject({ outcome: 'delivered', receipt: null });
	});

	describe("n8n's own token in the address that the service gets", () => {
		const testOfToken = sinceN8n2('token in the address that the service gets').test;
		const pause = {
			name: 'Pause',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			webhookId: 'pause',
			parameters: { resume: 'webhook', options: {} },
		};
		const openPause = async (executionId: string) => {
			const signature = new URL(receiptUrl()).searchParams.get('signature');
			const url = `${n8n.url}/webhook-waiting/${executionId}`;
			const request = { params: { signature }, validateStatus: () => true };
			return (await httpClient.get(url, request)).status;
		};

		testOfToken('opens what else the same execution waits for', async () => {
			const nodes = [node({ timeLimit: 60 }), pause];
			const options = { orStatus: ['waiting'] };
			const { executionId } = await runWorkflow(n8n.api, nodes, [{}], options);
			await sandbox.setStatus(messageId(), 'Delivered');
			await n8n.api.finishedExecution(executionId, ['waiting']);
			await until(async () => ((await openPause(executionId)) === 200 ? true : undefined), {
				what: 'the pause',
			});
			expect((await n8n.api.finishedExecution(executionId)).status).toBe('success');
		});

		testOfToken('opens nothing of the workflow that calls the one with the node', async () => {
			const { call } = await publishCalled(n8n.api, node({ timeLimit: 60 }));
			const options = { orStatus: ['waiting'] };
			const { executionId } = await runWorkflow(n8n.api, [call, pause], [{}], options);
			const isAtPause = async () => {
				const { runData } = await n8n.api.execution(executionId);
				return runData.Pause ? true : undefined;
			};
			await sandbox.setStatus(messageId(), 'Delivered');
			await until(isAtPause, { what: 'the pause' });
			expect(await openPause(executionId)).toBe(401);
			const { runData } = await n8n.api.execution(executionId);
			expect(runData.Call[0].data?.main[0]?.[0].json).toMatchObject({ outcome: 'delivered' });
		});
	});
});
