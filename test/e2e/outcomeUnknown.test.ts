import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type FaultRule, type Sandbox, type Settings } from '../../sandbox';
import {
	accountFor,
	allOnce,
	mapped,
	wantedMessages,
	type Account,
	type WantedMessage,
} from '../support/workflow/sending';
import {
	connectToSharedN8n,
	describeRun,
	inCollections,
	runWorkflow,
	type N8nApi,
	type NodeUnderTest,
	type RunOptions,
	type WorkflowRun,
} from '../../tools/harness';
import { createCredentials } from '../support/e2e/useService';

const second = 1000;
/** Milliseconds. */
const timeout = 2 * second;
const longestRowMs = 200 * second;

const nodes = [
	{ type: 'smsSend', path: '/rest/send', options: {} },
	{ type: 'smsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 2 } },
];
type NodeType = (typeof nodes)[number];

/** A service of its own for each row, so that all of them can be under way at the same time. */
class Row {
	private constructor(
		readonly sandbox: Sandbox,
		private readonly api: N8nApi,
		private readonly node: NodeUnderTest,
	) {}

	static async open({ type, options }: NodeType, more: IDataObject = {}): Promise<Row> {
		const sandbox = await startSandbox({ pace: 0 });
		const { api } = await connectToSharedN8n();
		const node = {
			name: 'Send',
			type,
			parameters: { ...mapped, ...inCollections({ timeout, ...options, ...more }) } as never,
			credentials: { ...(await createCredentials(api, sandbox)) },
		};
		return new Row(sandbox, api, node);
	}

	async run(
		items: IDataObject[],
		settings: Partial<NodeUnderTest> = {},
		options: RunOptions = {},
	): Promise<WorkflowRun> {
		const node = { ...this.node, ...settings };
		return await runWorkflow(this.api, [node], items, { timeoutMs: longestRowMs, ...options });
	}

	async retry({ workflowId, executionId }: WorkflowRun): Promise<WorkflowRun> {
		const id = await this.api.retry(executionId, { loadWorkflow: true });
		return describeRun(workflowId, await this.api.finishedExecution(id));
	}

	async forget({ workflowId }: WorkflowRun): Promise<void> {
		await this.api.deleteWorkflow(workflowId);
	}

	account(wanted: WantedMessage[], { json }: WorkflowRun): Account {
		return accountFor(this.sandbox, wanted, json.Send.flat());
	}
}

interface Behaviour {
	what: string;
	of?: string;
	settings?: Partial<Settings>;
	fault: Omit<FaultRule, 'match'>;
	messages: number;
	to?: (index: number) => string;
	options?: IDataObject;
	/** Nodes that cannot find the messages again, and say so. */
	untraceableBy?: string[];
}

const lostAnswers = { when: 'after', effect: 'cut', probability: 0.3 } as const;

const behaviours: Behaviour[] = [
	{
		what: 'takes a third of the messages 16 s after the time-out',
		fault: { when: 'later', laterMs: timeout + 16 * second, effect: 'hang', probability: 0.3 },
		messages: 40,
	},
	{
		what: 'lists messages after 0 to 25 s and loses a third of the answers',
		settings: { historyLagJitterMs: 25 * second },
		fault: lostAnswers,
		messages: 40,
	},
	{
		what: 'lists messages nearly a minute late and loses every answer',
		settings: { historyLagMs: 58 * second },
		fault: { when: 'after', effect: 'cut' },
		messages: 3,
	},
	{
		what: 'lists no scheduled messages and loses half of the answers',
		of: 'smsSend',
		settings: { unlistedScheduled: true },
		fault: { ...lostAnswers, probability: 0.5 },
		messages: 10,
		options: { scheduledAt: '2031-01-01T09:00:00+06:30' },
		untraceableBy: ['smsSend'],
	},
	{
		what: 'lists the second half of a bulk request 20 s later and loses a third of the answers',
		of: 'smsBulkSend',
		settings: { bulkLagMs: 20 * second },
		fault: lostAnswers,
		messages: 40,
	},
	{
		what: 'shows another sender ID abroad and loses a third of the answers',
		settings: { historySender: 'Operator' },
		fault: lostAnswers,
		messages: 30,
		to: (index) => `+659123${String(1000 + index)}`,
		untraceableBy: ['smsBulkSend'],
	},
];

async function meet(row: Row, behaviour: Behaviour, { path }: NodeType): Promise<Account> {
	const { settings = {}, fault, messages, to } = behaviour;
	row.sandbox.configure(settings);
	row.sandbox.addFault({ ...fault, match: { path } });
	const wanted = wantedMessages(messages).map((one, n) => (to ? { ...one, to: to(n) } : one));
	const run = await row.run(wanted, { onError: 'continueRegularOutput' });
	return row.account(wanted, run);
}

/** Each node with each behaviour that concerns it. */
const rows = nodes.flatMap((node) =>
	behaviours
		.filter(({ of = node.type }) => of === node.type)
		.map((behaviour) => ({ ...behaviour, node, name: `${node.type}, when it ${behaviour.what}` })),
);

describe('a service in a real n8n, with the real times', () => {
	const opened: Row[] = [];
	const accounts: Record<string, Promise<Account>> = {};

	// All at the same time: each of them is a minute of waiting.
	beforeAll(async () => {
		for (const { node, options } of rows) opened.push(await Row.open(node, options));
		rows.forEach(({ name, node, ...behaviour }, n) => {
			accounts[name] = meet(opened[n], behaviour, node);
			// The code that waits for it gets the error.
			accounts[name].catch(() => undefined);
		});
	});
	afterAll(async () => {
		for (const { sandbox } of opened) await sandbox.close();
	});

	test.each(rows)(
		'$name: nothing twice, nothing untold',
		async ({ name, messages, node, untraceableBy = [] }) => {
			const account = await accounts[name];
			if (!untraceableBy.includes(node.type)) return expect(account).toEqual(allOnce(messages));
			expect(account).toMatchObject({ extra: [], unreported: [], invented: [], failed: 0 });
			expect(account.accepted + account.unknown).toBe(messages);
			expect(account.unknown).toBeGreaterThan(0);
		},
		longestRowMs + 20 * second,
	);
});

describe.each(nodes)('$type in a real n8n, and a failed execution', (node) => {
	const wanted = wantedMessages(6);
	let row: Row;
	beforeAll(async () => (row = await Row.open(node, { parallelRequests: 1 })));
	afterAll(async () => await row?.sandbox.close());

	/** So many requests more are taken, then the credential is refused. */
	const refuseAfter = (skip: number) => {
		row.sandbox.clearFaults();
		row.sandbox.addFault({ match: { path: node.path }, skip, effect: { status: 401 } });
	};

	test('that is retried again and again, also twice at the same time, sends each message once', async () => {
		refuseAfter(1);
		const failed = await row.run(wanted, {}, { keep: true });
		refuseAfter(1);
		const failedAgain = await row.retry(failed);
		expect([failed.status, failedAgain.status]).toEqual(['error', 'error']);
		row.sandbox.clearFaults();
		const together = await Promise.all([row.retry(failed), row.retry(failed)]);
		await row.forget(failed);
		expect(together.map(({ status }) => status)).toEqual(['success', 'success']);
		for (const run of together) expect(row.account(wanted, run)).toEqual(allOnce(6));
	});
});

describe('SMS Send with a Client Reference and Skip If Already Sent', () => {
	let row: Row;
	const options = { clientReference: 'order-1', skipIfAlreadySent: true };
	beforeAll(async () => (row = await Row.open(nodes[0], options)));
	afterAll(async () => await row?.sandbox.close());

	test('sends one message in five executions of the same moment, while history is late', async () => {
		row.sandbox.configure({ historyLagMs: 5 * second, latencyMs: 500 });
		const [wanted] = wantedMessages(1);
		const runs = await Promise.all(Array.from({ length: 5 }, async () => await row.run([wanted])));
		const records = runs.flatMap(({ json }) => json.Send.flat());
		expect(row.sandbox.messages()).toHaveLength(1);
		expect(new Set(records.map(({ messageId }) => messageId)).size).toBe(1);
		expect(records.filter(({ alreadySent }) => alreadySent === true)).toHaveLength(4);
	});
});
