import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '../../scripts/n8n/until';
import { describeRun, runWorkflow, startWorkflow } from '../../tools/harness';
import { runAgain } from '../support/e2e/runAgain';
import { accountFor, allOnce, mapped, wantedMessages } from '../support/workflow/sending';
import { useNextStep } from '../support/queue/nextStep';
import type { QueuedProgram } from '../support/queue/queuedN8n';
import { hasBegun, type Queue } from '../support/queue/useQueue';

const historyLagMs = 1_000;

export function describeKilling(queue: Queue): void {
	const nextStep = useNextStep();
	const killed = new Set<QueuedProgram>();
	const kill = async (program: QueuedProgram) => {
		killed.add(program);
		await program.kill();
	};
	const startKilled = async () => {
		for (const program of killed) await program.start();
		killed.clear();
	};
	afterEach(startKilled, 120_000);

	test('sends each message of a campaign once if it starts again after its worker was killed', async () => {
		const { n8n, sandbox } = queue;
		sandbox.configure({ latencyMs: 200, historyLagMs });
		const options = { recipientsPerRequest: 20 };
		const node = queue.makeNode('smsBulkSend', {
			...mapped,
			options: { ...options, skipIfAlreadySent: true },
		});
		const items = wantedMessages(1_000);
		const { workflowId, executionId } = await startWorkflow(n8n.api, [node], items);
		const isUnderWay = async () => sandbox.messages().length >= 400 || undefined;
		await until(isUnderWay, { what: '400 messages', everyMs: 20 });
		const { worker, others } = queue.findWorker(executionId);
		await kill(worker);
		// What users are told to wait a minute for: until history shows what was under way.
		await sleep(historyLagMs * 2);
		expect(sandbox.messages().length).toBeLessThan(items.length);

		const again = await runAgain(n8n.api, workflowId, items);
		const account = accountFor(sandbox, items, again.json.Node.flat());
		expect(account).toEqual(allOnce(items.length));
		const skipped = again.json.Node[0].filter(({ alreadySent }) => alreadySent === true);
		expect(skipped.length).toBeGreaterThanOrEqual(400);

		// Nor does n8n take up what was killed, by itself or when the worker comes back.
		await startKilled();
		// n8n says "crashed" as the worker comes back, or "error" if it misses the worker before.
		const { status } = await n8n.api.finishedExecution(executionId);
		expect(['crashed', 'error']).toContain(status);
		expect(others.map((other) => hasBegun(other, executionId))).toEqual([false]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(items.length);
	});

	test('goes on once with a waiting execution whose worker was killed, after the main process was, too', async () => {
		const { n8n, sandbox } = queue;
		const parameters = { ...mapped, waitFor: 'anyFinal', timeLimit: 5, options: {} };
		const wait = queue.makeNode('smsSendAndWait', parameters, { webhookId: 'send-and-wait' });
		const nodes = [wait, nextStep.makeNode('Next')];
		const { workflowId, executionId, status } = await runWorkflow(
			n8n.api,
			nodes,
			wantedMessages(1),
			{ orStatus: ['waiting'] },
		);
		expect(status).toBe('waiting');
		const { worker, others } = queue.findWorker(executionId);
		await kill(worker);
		await n8n.main.kill();
		await n8n.main.start();

		const [{ messageId }] = sandbox.messages();
		await sandbox.setStatus(messageId, 'Delivered');
		const execution = await n8n.api.finishedExecution(executionId);
		expect(describeRun(workflowId, execution).status).toBe('success');
		await sandbox.repeatReceipt(messageId);
		expect(nextStep.items()).toMatchObject([{ messageId, outcome: 'delivered' }]);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		expect(others.map((other) => hasBegun(other, executionId))).toEqual([true]);
	});
}
