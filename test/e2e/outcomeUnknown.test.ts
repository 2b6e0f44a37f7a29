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
		return await runWorkflow(this.api, [node], items, options);
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

interface Behavior {
	what: string;
	settings?: Partial<Settings>;
	fault: Omit<FaultRule, 'match'>;
	messages: number;
}

const behaviors: Behavior[] = [
	{
		what: 'accepts messages 16 s after a time-out',
		fault: { when: 'later', laterMs: timeout + 16 * second, effect: 'hang', probability: 0.3 },
		messages: 20,
	},
	{
		what: 'lists messages nearly a minute late, and its responses are lost',
		settings: { historyLagMs: 58 * second },
		fault: { when: 'after', effect: 'cut' },
		messages: 3,
	},
];

async function meet(row: Row, behavior: Behavior, { path }: NodeType): Promise<Account> {
	const { settings = {}, fault, messages } = behavior;
	row.sandbox.configure(settings);
	row.sandbox.addFault({ ...fault, match: { path } });
	const wanted = wantedMessages(messages);
	const run = await row.run(wanted, { onError: 'continueRegularOutput' });
	return row.account(wanted, run);
}

const rows = nodes.flatMap((node) =>
	behaviors.map((behavior) => ({
		...behavior,
		node,
		name: `${node.type} to one that ${behavior.what}`,
	})),
);

describe('messages in doubt in a real n8n, with real times', () => {
	const opened: Row[] = [];
	const accounts: Record<string, Promise<Account>> = {};

	// All at the same time: each of them is a minute of waiting.
	beforeAll(async () => {
		for (const { node } of rows) opened.push(await Row.open(node));
		rows.forEach(({ name, node, ...behavior }, n) => {
			accounts[name] = meet(opened[n], behavior, node);
			// The code that waits for it gets the error.
			accounts[name].catch(() => undefined);
		});
	});
	afterAll(async () => {
		for (const { sandbox } of opened) await sandbox.close();
	});

	test.each(rows)('are sent once by $name', async ({ name, messages }) => {
		expect(await accounts[name]).toEqual(allOnce(messages));
	});
});
