import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type StartOptions } from '../../sandbox';
import {
	connectToSharedN8n,
	describeRun,
	inCollections,
	runWorkflow,
	startN8n,
	startWorkflow,
	type N8nApi,
	type NodeUnderTest,
	type OwnN8n,
	type RunOptions,
	type WorkflowRun,
} from '../../tools/harness';
import { accountFor, allOnce, mapped, wantedMessages } from '../support/workflow/sending';
import { AgentRunner, newestAgentVersion } from '../support/e2e/AgentRunner';
import { runAgain } from '../support/e2e/runAgain';
import { createCredentials } from '../support/e2e/useService';

const second = 1000;
const hour = 3_600 * second;
const enough = { balance: 1e9, maxMessagesKept: 1_000_000 };

const senders = [
	{ type: 'smsSend', path: '/rest/send', options: {} },
	{ type: 'smsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 2 } },
];
type Sender = (typeof senders)[number];

/** A service of its own for each test: nothing is known of an account that another test has used. */
class Service {
	private static readonly opened: Sandbox[] = [];

	private constructor(
		readonly sandbox: Sandbox,
		readonly api: N8nApi,
		private readonly credentials: NodeUnderTest['credentials'],
	) {}

	static async open(options: StartOptions = {}, ownApi?: N8nApi): Promise<Service> {
		const sandbox = await startSandbox({ pace: 0, ...options });
		Service.opened.push(sandbox);
		const api = ownApi ?? (await connectToSharedN8n()).api;
		return new Service(sandbox, api, { ...(await createCredentials(api, sandbox)) });
	}

	static async closeAll(): Promise<void> {
		for (const sandbox of Service.opened.splice(0)) await sandbox.close();
	}

	node(type: string, parameters: IDataObject, more: Partial<NodeUnderTest> = {}): NodeUnderTest {
		const { credentials } = this;
		return { name: 'Send', type, parameters: parameters as never, credentials, ...more };
	}

	sender(
		{ type, options }: Sender,
		more: IDataObject = {},
		fields: IDataObject = {},
	): NodeUnderTest {
		const parameters = {
			...mapped,
			...fields,
			...inCollections({ parallelRequests: 1, ...options, ...more }),
		};
		return this.node(type, parameters);
	}

	async run(node: NodeUnderTest, items: IDataObject[], options: RunOptions = {}) {
		return await runWorkflow(this.api, [node], items, { timeoutMs: 200 * second, ...options });
	}

	async retry({ workflowId, executionId }: WorkflowRun): Promise<WorkflowRun> {
		const id = await this.api.retry(executionId, { loadWorkflow: true });
		return describeRun(workflowId, await this.api.finishedExecution(id));
	}

	/** An execution that fails before anything is sent. */
	async failAtStart({ path }: Sender, node: NodeUnderTest, items: IDataObject[]) {
		this.sandbox.addFault({ match: { path }, effect: { status: 401 } });
		const failed = await this.run(node, items, { keep: true });
		expect(failed.status).toBe('error');
		this.sandbox.clearFaults();
		return failed;
	}

	count(): number {
		return this.sandbox.messages().length;
	}

	looks(): number {
		return this.sandbox.stats().byPath['/api/rest/messages']?.requests ?? 0;
	}
}

const establishedAt = ({ execution }: WorkflowRun) =>
	/"establishedAt":"?(\d+)/.exec(execution.saved)?.[1];

afterAll(async () => await Service.closeAll());

/** Campaigns of two minutes, with history that is prompt, and one request that is taken late; beside the other tests. */
const campaigns: Record<string, Promise<{ service: Service; run: WorkflowRun }>> = {};
const wanted = wantedMessages(320);

async function runCampaign(sender: Sender) {
	const service = await Service.open({ latencyMs: sender.type === 'smsSend' ? 400 : 800 });
	const effect = { status: 504 };
	const match = { path: sender.path, contains: wanted[10].to };
	service.sandbox.addFault({ match, when: 'later', laterMs: 90 * second, effect, count: 1 });
	const node = { ...service.sender(sender), onError: 'continueRegularOutput' as const };
	return { service, run: await service.run(node, wanted) };
}

beforeAll(() => {
	for (const sender of senders) {
		campaigns[sender.type] = runCampaign(sender);
		// The code that waits for it gets the error.
		campaigns[sender.type].catch(() => undefined);
	}
});

describe.each(senders)('$type in a real n8n', (sender) => {
	const { type, path } = sender;
	const byReference = type === 'smsSend' ? { clientReference: '={{ $json.to }}' } : {};

	test('sends each message once over two retries with many others between', async () => {
		const service = await Service.open();
		const node = service.sender(sender, byReference);
		const items = wantedMessages(6);
		const failed = await service.failAtStart(sender, node, items);
		expect(Number(establishedAt(failed))).toBeGreaterThan(0);
		expect(establishedAt(await service.retry(failed))).toBe(establishedAt(failed));
		const others = Array.from({ length: 21 }, (_, n) => wantedMessages(n + 1, 'Other').slice(n));
		service.sandbox.addFault({ match: { path }, effect: { status: 401 } });
		const failures = await Promise.all(
			others.map(async (one) => await service.run(node, one, { keep: true })),
		);
		service.sandbox.clearFaults();
		await Promise.all(failures.map(async (other) => await service.retry(other)));
		await service.retry(failed);
		expect(service.count()).toBe(6 + 21);
	});

	test('sends each message once where the execution failed before this node', async () => {
		const service = await Service.open();
		const nodes: NodeUnderTest[] = [
			service.node('smsBalance', { options: {} }, { name: 'Before' }),
			service.sender(sender, {}, { to: "={{ $('Items').item.json.to }}", message: 'Hello' }),
			{
				name: 'After',
				type: 'n8n-nodes-base.stopAndError',
				parameters: { errorMessage: 'broken' },
			},
		];
		const balance = { path: '/rest/account/get-balance' };
		service.sandbox.addFault({ match: balance, effect: { status: 401 } });
		const failed = await runWorkflow(service.api, nodes, wantedMessages(9), { keep: true });
		expect(failed.execution.runData).not.toHaveProperty('Send');
		service.sandbox.clearFaults();
		await service.retry(failed);
		expect(service.count()).toBe(9);
		await service.retry(failed);
		expect(service.count()).toBe(9);
	});

	test.each([{ when: '' }, { when: null }, {}])(
		'refuses an empty option of %j, and sends nothing',
		async (row) => {
			const service = await Service.open();
			const name = type === 'smsSend' ? 'scheduledAt' : 'maxMessages';
			const options = [name, 'whenOutcomeUnknown', 'timeout'].map((option) => ({
				[option]: '={{ $json.when }}',
			}));
			for (const option of options) {
				const run = await service.run(service.sender(sender, option), [
					{ ...wantedMessages(1)[0], ...row },
				]);
				expect([Object.keys(option)[0], run.status]).toEqual([Object.keys(option)[0], 'error']);
			}
			expect(service.count()).toBe(0);
		},
	);

	test('refuses an option of the whole run that differs between items', async () => {
		const service = await Service.open();
		const items = wantedMessages(4).map((one, n) => ({ ...one, most: n === 2 ? 60 : 50 }));
		const run = await service.run(
			service.sender(sender, { maxMessages: '={{ $json.most }}' }),
			items,
		);
		expect(service.count()).toBe(0);
		expect(`${run.error?.message} ${String(run.error?.description)}`).toMatch(/\b0\b[^]*\b2\b/);
	});

	test.each(['2026-11-22', '192.168.100.200', '20231234'])('sends nothing to %s', async (to) => {
		const service = await Service.open();
		const run = await service.run(service.sender(sender), [{ to, message: 'Hello' }]);
		expect(service.count()).toBe(0);
		expect(run.error?.message).toContain('To');
	});

	test('asks history in proportion to the size of a campaign that failed at its start', async () => {
		const service = await Service.open(enough);
		const [count, most] = type === 'smsSend' ? [2_000, 12] : [10_000, 28];
		const items = wantedMessages(count).map((one, n) => ({ ...one, to: `95977${1_000_000 + n}` }));
		const node = service.sender(sender, { parallelRequests: 5, recipientsPerRequest: 100 });
		const failed = await service.failAtStart(sender, node, items);
		await service.retry(failed);
		expect(service.count()).toBe(count);
		expect(service.looks()).toBeLessThanOrEqual(most);
	});

	test('names all wrong rows before anything is sent', async () => {
		const service = await Service.open();
		const rows = wantedMessages(5).map((one, n) =>
			[2, 4].includes(n) ? { ...one, to: 'x' } : one,
		);
		const run = await service.run(service.sender(sender), rows);
		expect(service.count()).toBe(0);
		expect(`${run.error?.message} ${String(run.error?.description)}`).toMatch(/\b2\b[^]*\b4\b/);
	});
});

describe('SMS Bulk Send in a real n8n', () => {
	const [, bulk] = senders;

	test('sends a daily text again that Look Back does not reach', async () => {
		const service = await Service.open();
		const items = wantedMessages(50);
		const createdAtMs = Date.now() - 24 * hour;
		service.sandbox.seedMessages(50, (n) => ({ ...items[n], from: 'MyShop', createdAtMs }));
		const options = { skipIfAlreadySent: true, lookBackHours: 12 };
		await service.run(service.sender(bulk, options), items);
		expect(service.count() - 50).toBe(50);
	});

	test('reads Skip If Already Sent for each item', async () => {
		const service = await Service.open();
		const items = wantedMessages(2).map((one, n) => ({ ...one, skip: n === 1 }));
		await service.run(service.sender(bulk), items);
		const { json } = await service.run(
			service.sender(bulk, { skipIfAlreadySent: '={{ $json.skip }}' }),
			items,
		);
		expect(service.count()).toBe(3);
		expect(json.Send[0].map(({ alreadySent = false }) => alreadySent)).toEqual([false, true]);
	});

	test('sends to 99 of 100 numbers where the service refuses one, within half a minute', async () => {
		const service = await Service.open();
		const items = wantedMessages(100);
		items[37].to = '959000000018';
		const node = service.sender(bulk, { recipientsPerRequest: 100 });
		const begunAt = Date.now();
		const { json } = await service.run({ ...node, onError: 'continueRegularOutput' }, items);
		expect(service.count()).toBe(99);
		expect(json.Send[0].filter(({ error }) => error !== undefined)).toHaveLength(1);
		expect(Date.now() - begunAt).toBeLessThan(30 * second);
	});

	test.each([{ skipDuplicates: true }, { doNotSendTo: '09779999999' }, { maxMessages: 10 }])(
		'ends with On Error Continue and %j behind a wrong first row',
		async (options) => {
			const service = await Service.open();
			const items = wantedMessages(2).map((one, n) => (n === 0 ? { ...one, to: 'x' } : one));
			const node = { ...service.sender(bulk, options), onError: 'continueRegularOutput' as const };
			const { workflowId, executionId } = await startWorkflow(service.api, [node], items);
			const ended = await service.api
				.finishedExecution(executionId, [], 10 * second)
				.catch(() => undefined);
			if (!ended) await service.api.http.post(`/rest/executions/${executionId}/stop`);
			await service.api.deleteWorkflow(workflowId);
			expect({ sent: service.count(), status: ended?.status }).toEqual({
				sent: 1,
				status: 'success',
			});
		},
	);
});

describe('SMS Send in a real n8n', () => {
	test('takes no rehearsal with Test for the real message', async () => {
		const service = await Service.open();
		for (const test of [true, false]) {
			const options = { clientReference: 'order-1', skipIfAlreadySent: true, test };
			await service.run(service.sender(senders[0], options), wantedMessages(1));
		}
		expect(service.sandbox.messages().map(({ test }) => test)).toEqual([true, false]);
	});
});

describe('a retry in an n8n that was started again', () => {
	let n8n: OwnN8n;
	beforeAll(async () => void (n8n = await startN8n()));
	afterAll(async () => await n8n?.close());

	test('sends its own after an alike campaign, or says how many it took from history', async () => {
		const [, bulk] = senders;
		const service = await Service.open({}, n8n.api);
		const items = wantedMessages(6);
		const failed = await service.failAtStart(bulk, service.sender(bulk), items);
		await runAgain(n8n.api, failed.workflowId, items);
		expect(service.count()).toBe(6);
		await n8n.restart();
		const { execution } = await service.retry(failed);
		const hints = (execution.runData.Send.at(-1)?.hints ?? []).map(({ message }) => message);
		const isTold = hints.some((hint) => /\b6\b/.test(hint) && /\d{1,2}:\d{2}/.test(hint));
		expect({ sent: service.count(), isTold }).toEqual({ sent: isTold ? 6 : 12, isTold });
	});
});

describe('SMS Send and Wait with Execute Once in a real n8n', () => {
	const items = wantedMessages(3).map((one) => ({ ...one, outcome: 'delivered' }));
	const open = async (timeLimit: number) => {
		const service = await Service.open();
		const parameters = { ...mapped, waitFor: 'anyFinal', timeLimit, simplify: false, options: {} };
		const more = { executeOnce: true, webhookId: 'send-and-wait' };
		return { service, node: service.node('smsSendAndWait', parameters, more) };
	};
	const outcomes = ({ json }: WorkflowRun) =>
		json.Send.flat().map(({ messageId, outcome }) => [messageId, outcome]);

	/** n8n looks for time limits once a minute. */
	let atTimeLimit: Promise<{ service: Service; run: WorkflowRun }>;
	const runToTimeLimit = async () => {
		const { service, node } = await open(0.1);
		return { service, run: await service.run(node, items) };
	};
	beforeAll(() => {
		atTimeLimit = runToTimeLimit();
		atTimeLimit.catch(() => undefined);
	});

	test('is woken by the receipt of its one message', async () => {
		const { service, node } = await open(0.5);
		const { workflowId, executionId } = await service.run(node, items, {
			keep: true,
			orStatus: ['waiting'],
		});
		expect(service.count()).toBe(1);
		const [{ messageId }] = service.sandbox.messages();
		await service.sandbox.setStatus(messageId, 'Delivered');
		const run = describeRun(workflowId, await service.api.finishedExecution(executionId));
		expect(outcomes(run)).toEqual([[messageId, 'delivered']]);
	});

	test('gives out one item at the time limit', async () => {
		const { service, run } = await atTimeLimit;
		const [{ messageId }] = service.sandbox.messages();
		expect(outcomes(run)).toEqual([[messageId, 'timedOut']]);
	}, 180_000);
});

describe('SMS History as a tool in a real n8n', () => {
	let runner: AgentRunner;
	beforeAll(async () => void (runner = await AgentRunner.open()));
	afterAll(async () => await runner?.close());

	const ask = async (to: string, args: IDataObject) => {
		runner.sandbox.reset();
		runner.sandbox.seedMessages(3);
		runner.model.play([[{ tool: 'SMS_History', args }], 'Done.']);
		const parameters = { returnAll: true, filters: { to }, options: {} };
		await runner.run({
			agentVersion: newestAgentVersion,
			tool: { name: 'SMS History', type: 'smsHistoryTool', parameters },
		});
		return JSON.stringify(runner.answers());
	};

	test("shows nobody's messages where an expression of the builder gives nothing", async () => {
		expect(await ask('={{ $json.customer }}', {})).not.toContain('Seeded message');
		expect(runner.sandbox.requests().length).toBe(0);
	});

	test('lets the model leave out what it may fill in', async () => {
		const to = "={{ $fromAI('to', 'Number', 'string', '') }}";
		expect(await ask(to, { to: '' })).toContain('Seeded message');
	});
});

test.each(senders)(
	'$type sends once what a service takes 90 seconds after its 504, in a real n8n',
	async ({ type }) => {
		const { service, run } = await campaigns[type];
		expect(accountFor(service.sandbox, wanted, run.json.Send.flat())).toEqual(allOnce(320));
	},
	240_000,
);
