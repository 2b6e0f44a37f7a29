import { startSandbox, type Sandbox } from '../../sandbox';
import { until } from '../../scripts/n8n/until';
import {
	describeRun,
	inCollections,
	runWorkflow,
	startN8n,
	startWorkflow,
	type NodeUnderTest,
	type OwnN8n,
} from '../../tools/harness';
import { runAgain } from '../support/e2e/runAgain';
import { createCredentials } from '../support/e2e/useService';
import { accountFor, allOnce, mapped, wantedMessages } from '../support/workflow/sending';

const historyLagMs = 1_000;
const count = 100;
/** Messages that the service has taken when n8n is killed, and more. */
const taken = 40;
const mostRetries = 3;

const senders = [
	{
		type: 'smsSend',
		path: '/rest/send',
		requests: taken,
		options: { parallelRequests: 5, clientReference: '={{ $json.message }}' },
	},
	{
		type: 'smsBulkSend',
		path: '/rest/send/bulk',
		requests: taken / 5,
		options: { recipientsPerRequest: 5 },
	},
];

type Check = () => Promise<void>;

/** One n8n for all: each prepares something, n8n is killed in the middle of it, and each checks what happens then. */
describe('after n8n was killed', () => {
	let n8n: OwnN8n;
	const sandboxes: Sandbox[] = [];
	const checks: Record<string, Check> = {};

	const open = async (type: string, parameters: object, more: Partial<NodeUnderTest> = {}) => {
		const sandbox = await startSandbox({ pace: 0 });
		sandboxes.push(sandbox);
		const credentials = { ...(await createCredentials(n8n.api, sandbox)) };
		const node = { name: 'Node', type, parameters: { ...mapped, ...parameters }, ...more };
		return { sandbox, node: { ...node, credentials } as NodeUnderTest };
	};

	/** SECURITY.md: "Where a workflow may start again, use Skip If Already Sent." */
	const prepareSending = async ({ type, path, requests, options }: (typeof senders)[number]) => {
		const { api } = n8n;
		const parameters = inCollections({ ...options, skipIfAlreadySent: true });
		const { sandbox, node } = await open(type, parameters);
		sandbox.configure({ historyLagMs });
		// Taken by the service, and never answered: they are under way when n8n dies.
		sandbox.addFault({
			...{ match: { path }, when: 'after', effect: 'hang' },
			skip: requests,
		});
		const items = wantedMessages(count);
		const { workflowId } = await startWorkflow(api, [node], items);
		const isUnderWay = async () => sandbox.messages().length > taken || undefined;
		await until(isUnderWay, { what: 'messages', everyMs: 20 });
		return async () => {
			expect(sandbox.messages().length).toBeLessThan(count);
			sandbox.clearFaults();
			let last = await runAgain(api, workflowId, items);
			for (let n = 0; last.status === 'error' && n < mostRetries; n += 1) {
				const id = await api.retry(last.executionId, { loadWorkflow: false });
				last = describeRun(workflowId, await api.finishedExecution(id));
			}
			expect(accountFor(sandbox, items, last.json.Node.flat())).toEqual(allOnce(count));
		};
	};

	/** Without Skip If Already Sent. n8n 1 saves nothing of an execution that was killed. */
	const prepareCrashed = async (): Promise<Check> => {
		const { api } = n8n;
		const { sandbox, node } = await open('smsSend', {});
		sandbox.addFault({
			...{ match: { path: '/rest/send' }, when: 'after', effect: 'hang' },
			skip: taken,
		});
		const { executionId } = await startWorkflow(api, [node], wantedMessages(count));
		const isUnderWay = async () => sandbox.messages().length > taken || undefined;
		await until(isUnderWay, { what: 'messages', everyMs: 20 });
		return async () => {
			sandbox.clearFaults();
			const { api } = n8n;
			const id = await api.retry(executionId, { loadWorkflow: true });
			await api.finishedExecution(id);
			const sent = sandbox.messages().map(({ to }) => to);
			expect(sent).toHaveLength(new Set(sent).size);
		};
	};

	const prepareRetry = async (): Promise<Check> => {
		const { api } = n8n;
		const parameters = inCollections({ recipientsPerRequest: 2, parallelRequests: 1 });
		const { sandbox, node } = await open('smsBulkSend', parameters);
		const items = wantedMessages(6);
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status: 401 } });
		const failed = await runWorkflow(api, [node], items);
		expect(failed.status).toBe('error');
		sandbox.clearFaults();
		await runAgain(api, failed.workflowId, items);
		expect(sandbox.messages().length).toBe(6);
		return async () => {
			const id = await api.retry(failed.executionId, { loadWorkflow: true });
			const { runData } = await api.finishedExecution(id);
			const hints = (runData.Node.at(-1)?.hints ?? []).map(({ message }) => message);
			const isTold = hints.some((hint) => /\b6\b/.test(hint) && /\d{1,2}:\d{2}/.test(hint));
			const sent = sandbox.messages().length;
			expect({ sent, isTold }).toEqual({ sent: isTold ? 6 : 12, isTold });
		};
	};

	const prepareWaiting = async (): Promise<Check> => {
		const { api } = n8n;
		const parameters = { waitFor: 'anyFinal', timeLimit: 5, simplify: false, options: {} };
		const { sandbox, node } = await open('smsSendAndWait', parameters, {
			webhookId: 'send-and-wait',
		});
		const { workflowId, executionId, status } = await runWorkflow(api, [node], wantedMessages(1), {
			orStatus: ['waiting'],
		});
		expect(status).toBe('waiting');
		return async () => {
			await sandbox.setStatus(sandbox.messages()[0].messageId, 'Delivered');
			const { json } = describeRun(workflowId, await api.finishedExecution(executionId));
			expect(json.Node[0][0]).toMatchObject({ outcome: 'delivered', status: 'Delivered' });
		};
	};

	beforeAll(async () => {
		n8n = await startN8n();
		checks.waiting = await prepareWaiting();
		checks.retry = await prepareRetry();
		checks.crashed = await prepareCrashed();
		for (const sender of senders) checks[sender.type] = await prepareSending(sender);
		await n8n.crash();
	});
	afterAll(async () => {
		await n8n?.close();
		await Promise.all(sandboxes.map(async (sandbox) => await sandbox.close()));
	});

	test.each(senders)(
		'$type with Skip If Already Sent sends each message once when the workflow starts again',
		async ({ type }) => await checks[type](),
	);

	test('a retry of the killed execution sends no message twice', async () => {
		await checks.crashed();
	});

	test('SMS Send and Wait for Delivery goes on with the receipt', async () => {
		await checks.waiting();
	});

	test('a retry by hand sends its own after the same campaign, or reports how many it found in history', async () => {
		await checks.retry();
	});
});
