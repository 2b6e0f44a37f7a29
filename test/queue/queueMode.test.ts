import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { describeRun, runWorkflow, type NodeUnderTest } from '../../tools/harness';
import { connectOutputs, makeMarker } from '../e2e/runAgain';
import { publishTrigger } from '../e2e/publishTrigger';
import { createCredentials, type Credentials } from '../e2e/useService';
import { missingPrograms } from './services';
import { startQueuedN8n, type QueuedN8n } from './queuedN8n';

const message = { to: '={{ $json.to }}', message: 'Your table is free', from: 'Bistro' };
const recipient = { to: '09791234567' };

const describeIfPossible = missingPrograms.length > 0 ? describe.skip : describe;

describeIfPossible('n8n in queue mode: main process, worker and webhook processor', () => {
	let n8n: QueuedN8n;
	let sandbox: Sandbox;
	let credentials: Credentials;

	beforeAll(async () => {
		[n8n, sandbox] = await Promise.all([startQueuedN8n(), startSandbox({ pace: 0 })]);
		credentials = await createCredentials(n8n.api, sandbox);
	}, 240_000);
	afterAll(async () => {
		await sandbox?.close();
		await n8n?.close();
	}, 60_000);
	beforeEach(() => sandbox.reset());

	const makeNode = (type: string, parameters: IDataObject, more = {}): NodeUnderTest => ({
		name: 'Node',
		type,
		parameters: parameters as NodeUnderTest['parameters'],
		credentials: { ...credentials },
		...more,
	});

	test('sends, in the worker', async () => {
		const nodes = [makeNode('smsSend', { ...message, options: {} })];
		const run = await runWorkflow(n8n.api, nodes, [recipient]);
		const sent = { to: '959791234567', status: 'Accepted' };
		expect(run.json.Node[0]).toEqual([expect.objectContaining(sent)]);
		expect(sandbox.messages()).toHaveLength(1);
		expect(n8n.worker.log()).toContain(`execution ${run.executionId}`);
	});

	test.each(['smsSend', 'smsBulkSend'])(
		'sends once when an answer gets lost (%s)',
		async (type) => {
			const items = [recipient, { to: '09791234568' }];
			const path = type === 'smsSend' ? '/rest/send' : '/rest/send/bulk';
			sandbox.addFault({ match: { path }, effect: 'cut', when: 'after', count: 1 });
			const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
			const nodes = [makeNode(type, { ...message, options: {} }, retry)];
			const run = await runWorkflow(n8n.api, nodes, items);
			expect(run.json.Node[0]).toHaveLength(2);
			expect(sandbox.messages()).toHaveLength(2);
		},
	);

	test.each([true, false])(
		'sends nothing twice when a failed execution is tried again (loadWorkflow: %s)',
		async (loadWorkflow) => {
			const items = [recipient, { to: '09791234568' }];
			const match = { path: '/rest/send', contains: '959791234568' };
			sandbox.addFault({ match, effect: { status: 402 }, count: 1 });
			const parameters = { ...message, options: { parallelRequests: 1 } };
			const nodes = [makeNode('smsSend', parameters)];
			const failed = await runWorkflow(n8n.api, nodes, items, { keep: true });
			expect(failed.status).toBe('error');
			const retried = await n8n.api.retry(failed.executionId, { loadWorkflow });
			const run = describeRun(failed.workflowId, await n8n.api.finishedExecution(retried));
			expect(run.json.Node[0]).toHaveLength(2);
			expect(sandbox.messages()).toHaveLength(2);
		},
	);

	test('requests codes, lets the right one in and turns the wrong one away', async () => {
		const options = { pauseSeconds: 0 };
		const request = makeNode('otpRequest', { ...message, brand: 'Bistro', options });
		const requested = await runWorkflow(n8n.api, [request], [recipient, recipient]);
		const [{ requestId }, { requestId: another }] = requested.json.Node[0];
		const { code } = sandbox.codes()[0];
		const verify = makeNode('otpVerify', { requestId: '={{ $json.requestId }}', code });
		const doors = ['Turn Away', 'Let In'];
		const nodes = [verify, ...doors.map(makeMarker)];
		const items = [{ requestId }, { requestId: another }];
		const connections = connectOutputs('Node', doors);
		const { json } = await runWorkflow(n8n.api, nodes, items, { connections });
		expect(json['Let In'][0]).toEqual([expect.objectContaining({ verified: true, requestId })]);
		expect(json['Turn Away'][0]).toEqual([
			expect.objectContaining({ verified: false, requestId: another }),
		]);
	});

	test('takes receipts at the webhook processor', async () => {
		const { api, webhookUrl } = n8n;
		const options = { secret: 'of the trigger alone', confirmWithTheService: true };
		const parameters = { options };
		const trigger = await publishTrigger({ api, credentials, webhookUrl, parameters });
		const url = `${trigger.url}?secret=of%20the%20trigger%20alone`;
		const send = makeNode('smsSend', { ...message, options: { deliveryReceiptUrl: url } });
		await runWorkflow(api, [send], [recipient]);
		const [{ messageId }] = sandbox.messages();
		await sandbox.setStatus(messageId, 'Delivered');
		expect(sandbox.receipts()).toEqual([expect.objectContaining({ answered: 200 })]);
		expect(await trigger.items(1)).toEqual([
			[expect.objectContaining({ messageId, delivered: true, final: true })],
		]);
		expect((await trigger.call({ params: { messageId, status: 'Sent' } })).status).toBe(401);
	});

	test('wakes a waiting execution by its receipt, through the webhook processor', async () => {
		const parameters = { ...message, waitFor: 'anyFinal', timeLimit: 5, options: {} };
		const nodes = [makeNode('smsSendAndWait', parameters, { webhookId: 'send-and-wait' })];
		const run = await runWorkflow(n8n.api, nodes, [recipient], {
			keep: true,
			orStatus: ['waiting'],
		});
		expect(run.status).toBe('waiting');
		const { deliveryReceiptUrl } = sandbox.requests()[0].body as IDataObject;
		expect(String(deliveryReceiptUrl)).toContain(`${n8n.webhookUrl}/`);
		await sandbox.setStatus(sandbox.messages()[0].messageId, 'Delivered');
		const execution = await n8n.api.finishedExecution(run.executionId);
		const { status, json } = describeRun(run.workflowId, execution);
		expect(status).toBe('success');
		expect(json.Node[0]).toEqual([
			expect.objectContaining({ outcome: 'delivered', status: 'Delivered' }),
		]);
	});

	test('wakes a waiting execution by what history knows, asked by the worker at the webhook processor', async () => {
		sandbox.configure({ pace: 1_500 });
		const withoutReceipts = { to: '09000000017' };
		const parameters = { ...message, waitFor: 'anyFinal', timeLimit: 5, options: {} };
		const nodes = [makeNode('smsSendAndWait', parameters, { webhookId: 'send-and-wait' })];
		const begun = Date.now();
		const run = await runWorkflow(n8n.api, nodes, [withoutReceipts]);
		expect(run.json.Node[0]).toMatchObject([{ outcome: 'delivered', receipt: null }]);
		expect(Date.now() - begun).toBeLessThan(60_000);
	});
});
