import type { IDataObject } from 'n8n-workflow';

import { callWebhook, createWorkflow, describeRun, runWorkflow } from '../../tools/harness';
import { connectOutputs, makeMarker } from '../support/e2e/runAgain';
import { accountFor, allOnce, faults, mapped, wantedMessages } from '../support/workflow/sending';
import { hasBegun, type Queue } from '../support/queue/useQueue';

const message = { to: '={{ $json.to }}', message: 'Your table is free', from: 'Bistro' };
const recipient = { to: '09791234567' };
const another = { to: '09791234568' };
/** Few of each kind: every one of them keeps a message in doubt for a while. */
const passingFaults = faults.map(([, rule]) => ({
	...rule,
	match: { path: '/rest/send*' },
	probability: 0.1,
	count: 2,
}));

export function describeSending(queue: Queue): void {
	test('sends over both workers, and each message once', async () => {
		const { n8n, sandbox } = queue;
		const node = queue.makeNode('smsSend', { ...mapped, options: {} });
		const { workflowId, path } = await createWorkflow(n8n.api, [node]);
		await n8n.api.activate(workflowId);
		sandbox.configure({ latencyMs: 200 });
		const items = wantedMessages(40);
		const call = async (item: IDataObject) =>
			await callWebhook(n8n.api, path, { body: { items: [item] } });
		await Promise.all(items.map(call));
		const executions = await n8n.api.finishedExecutions(workflowId, items.length);
		const output = executions.flatMap((one) => describeRun(workflowId, one).json.Node[0]);
		expect(accountFor(sandbox, items, output)).toEqual(allOnce(items.length));
		const shares = n8n.workers.map(
			(worker) => executions.filter(({ id }) => hasBegun(worker, id)).length,
		);
		expect(Math.min(...shares)).toBeGreaterThan(0);
		expect(shares[0] + shares[1]).toBe(items.length);
	});

	test.each(['smsSend', 'smsBulkSend'])('sends once if a response is lost (%s)', async (type) => {
		const { n8n, sandbox } = queue;
		const path = type === 'smsSend' ? '/rest/send' : '/rest/send/bulk';
		sandbox.addFault({ match: { path }, effect: 'cut', when: 'after', count: 1 });
		const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
		const nodes = [queue.makeNode(type, { ...message, options: {} }, retry)];
		const run = await runWorkflow(n8n.api, nodes, [recipient, another]);
		expect(run.json.Node[0]).toHaveLength(2);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
	});

	test('sends each message once with Retry On Fail, at both workers, while requests fail in many ways', async () => {
		const { n8n, sandbox } = queue;
		sandbox.configure({ latencyMs: 10, latencyJitterMs: 30, historyLagMs: 1_000 });
		for (const fault of passingFaults) sandbox.addFault(fault);
		const items = wantedMessages(400);
		const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 };
		const senders = [
			{ type: 'smsSend', options: { parallelRequests: 20 } },
			{ type: 'smsBulkSend', options: { recipientsPerRequest: 20 } },
		];
		const run = async (n: number) => {
			const part = items.slice(n * 100, (n + 1) * 100);
			const { type, options } = senders[n % 2];
			const node = queue.makeNode(type, { ...mapped, options }, retry);
			return await runWorkflow(n8n.api, [node], part);
		};
		const runs = await Promise.all([0, 1, 2, 3].map(run));
		expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'success'));
		const output = runs.flatMap(({ json }) => json.Node.flat());
		expect(accountFor(sandbox, items, output)).toEqual(allOnce(items.length));
		const hits = sandbox.faults().map((fault) => fault.hits);
		expect(hits.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(20);
	});

	test.each([true, false])(
		'sends nothing twice when a failed execution is tried again (loadWorkflow: %s)',
		async (loadWorkflow) => {
			const { n8n, sandbox } = queue;
			const match = { path: '/rest/send', contains: '959791234568' };
			sandbox.addFault({ match, effect: { status: 402 }, count: 1 });
			const parameters = { ...message, options: { parallelRequests: 1 } };
			const nodes = [queue.makeNode('smsSend', parameters)];
			const failed = await runWorkflow(n8n.api, nodes, [recipient, another]);
			expect(failed.status).toBe('error');
			const retried = await n8n.api.retry(failed.executionId, { loadWorkflow });
			const run = describeRun(failed.workflowId, await n8n.api.finishedExecution(retried));
			expect(run.json.Node[0]).toHaveLength(2);
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
		},
	);

	test('requests codes, lets the right one in and rejects the wrong one', async () => {
		const { n8n, sandbox } = queue;
		const request = queue.makeNode('otpRequest', { ...message, brand: 'Bistro' });
		const requested = await runWorkflow(n8n.api, [request], [recipient, another]);
		const [{ requestId }, { requestId: other }] = requested.json.Node[0];
		const { code } = sandbox.codes()[0];
		const verify = queue.makeNode('otpVerify', { requestId: '={{ $json.requestId }}', code });
		const doors = ['Turn Away', 'Let In'];
		const nodes = [verify, ...doors.map(makeMarker)];
		const items = [{ requestId }, { requestId: other }];
		const connections = connectOutputs('Node', doors);
		const { json } = await runWorkflow(n8n.api, nodes, items, { connections });
		expect(json['Let In'][0]).toEqual([expect.objectContaining({ verified: true, requestId })]);
		expect(json['Turn Away'][0]).toEqual([
			expect.objectContaining({ verified: false, requestId: other }),
		]);
	});
}
