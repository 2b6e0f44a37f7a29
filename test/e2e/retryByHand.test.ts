import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type StartOptions } from '../../sandbox';
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
import { mapped, wantedMessages } from '../support/workflow/sending';
import { createCredentials } from '../support/e2e/useService';

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

	static async open(options: StartOptions = {}): Promise<Service> {
		const sandbox = await startSandbox({ pace: 0, ...options });
		Service.opened.push(sandbox);
		const { api } = await connectToSharedN8n();
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
		return await runWorkflow(this.api, [node], items, options);
	}

	async retry({ workflowId, executionId }: WorkflowRun): Promise<WorkflowRun> {
		const id = await this.api.retry(executionId, { loadWorkflow: true });
		return describeRun(workflowId, await this.api.finishedExecution(id));
	}

	/** An execution that fails before anything is sent. */
	async failAtStart({ path }: Sender, node: NodeUnderTest, items: IDataObject[]) {
		this.sandbox.addFault({ match: { path }, effect: { status: 401 } });
		const failed = await this.run(node, items);
		expect(failed.status).toBe('error');
		this.sandbox.clearFaults();
		return failed;
	}

	count(): number {
		return this.sandbox.messages().length;
	}
}

const establishedAt = ({ execution }: WorkflowRun) =>
	/"establishedAt":"?(\d+)/.exec(execution.saved)?.[1];

afterAll(async () => await Service.closeAll());

describe.each(senders)('retries by hand of $type in a real n8n', (sender) => {
	const { type } = sender;
	const byReference = type === 'smsSend' ? { clientReference: '={{ $json.to }}' } : {};

	test('send each message once, since n8n keeps when the first execution began', async () => {
		const service = await Service.open();
		const node = service.sender(sender, byReference);
		const items = wantedMessages(6);
		const failed = await service.failAtStart(sender, node, items);
		expect(Number(establishedAt(failed))).toBeGreaterThan(0);
		expect(establishedAt(await service.retry(failed))).toBe(establishedAt(failed));
		await service.retry(failed);
		expect(service.count()).toBe(6);
	});

	test('send each message once if the execution failed before the node', async () => {
		const service = await Service.open();
		// The balance is one item for all.
		const toAll = "={{ $('Items').all().map(({ json }) => json.to).join() }}";
		const nodes: NodeUnderTest[] = [
			service.node('smsBalance', { options: {} }, { name: 'Before' }),
			service.sender(sender, {}, { to: toAll, message: 'Hello' }),
			{
				name: 'After',
				type: 'n8n-nodes-base.stopAndError',
				parameters: { errorMessage: 'broken' },
			},
		];
		const balance = { path: '/rest/account/get-balance' };
		service.sandbox.addFault({ match: balance, effect: { status: 401 } });
		const failed = await runWorkflow(service.api, nodes, wantedMessages(9));
		expect(failed.execution.runData).not.toHaveProperty('Send');
		service.sandbox.clearFaults();
		await service.retry(failed);
		expect(service.count()).toBe(9);
		await service.retry(failed);
		expect(service.count()).toBe(9);
	});
});
