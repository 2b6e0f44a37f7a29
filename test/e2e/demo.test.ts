import type { INode } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import {
	doorCredentials,
	ensureCredentials,
	findReceiptUrl,
	importExamples,
	mailCredential,
	serviceCredential,
	type DemoState,
	type ReadyCredentials,
} from '../../scripts/demo/demoContent';
import { exampleNames, readExample } from '../../scripts/n8n/examples';
import { demoKey } from '../../scripts/demo/sandboxProcess';
import { until } from '../../scripts/n8n/until';
import { type Mailbox, showInInbox, startMailbox } from '../../scripts/demo/mailbox';
import { open } from '../support/e2e/questions';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import {
	connectInLine,
	connectToSharedN8n,
	describeRun,
	type N8nApi,
	type Workflow,
} from '../../tools/harness';

/** What `npm start` puts into n8n, with the examples as it imports them. */
sinceN8n2('part in the demo').describe('the demo', () => {
	const state: DemoState = { password: 'not used', credentials: {}, examples: {} };
	let api: N8nApi;
	let sandbox: Sandbox;
	let mailbox: Mailbox;
	let ready: ReadyCredentials;

	const ensure = async () =>
		await ensureCredentials(api, state, [
			serviceCredential(sandbox.baseUrl),
			mailCredential(mailbox.port),
			...doorCredentials(state.password),
		]);

	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 100, ...demoKey });
		({ api } = await connectToSharedN8n());
		mailbox = await startMailbox(showInInbox(`${sandbox.url}/_sandbox`));
		ready = await ensure();
		const addresses = { n8n: api.url, inbox: `${sandbox.url}/_sandbox` };
		expect(await importExamples(api, state, ready, addresses)).toEqual([]);
	});
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		for (const id of Object.values(state.examples)) await api.deleteWorkflow(id);
		for (const { id } of Object.values(state.credentials)) await api.deleteCredential(id);
		await Promise.all([sandbox?.close(), mailbox?.close()]);
	});

	/** "Execute workflow" in an example, as it is or with another number for its customer. */
	const execute = async (file: string, start: string, phone?: string) => {
		const workflow = await api.getWorkflow(state.examples[file]);
		const change = (node: INode) =>
			phone === undefined
				? node
				: (JSON.parse(JSON.stringify(node).replaceAll('09791234567', phone)) as INode);
		const { name, connections, settings } = workflow;
		const nodes = workflow.nodes.map(change);
		const { id } = await api.createWorkflow({ name, nodes, connections, settings });
		const executionId = await api.runManually(id, start);
		const run = describeRun(id, await api.finishedExecution(executionId));
		await api.deleteWorkflow(id);
		return run;
	};
	const shownMails = () =>
		sandbox
			.mails()
			.map(({ subject, text }) => `${subject}\n${text}`)
			.join('\n');

	/** What only the user can have: a database, a model. Their examples say so. */
	const ofTheUser = ['openAiApi', 'postgres', 'redis'];

	test('leaves no node of an example without a credential that can be made for it', async () => {
		for (const id of Object.values(state.examples)) {
			const { nodes } = await api.getWorkflow(id);
			const references = nodes.flatMap((node) => Object.entries(node.credentials ?? {}));
			for (const [type, reference] of references) {
				if (!ofTheUser.includes(type))
					expect([type, reference.id]).toEqual([type, ready[type]?.id]);
			}
		}
	});

	test('lists the examples in the order in which to try them, with their tags', async () => {
		const ids = new Set(Object.values(state.examples));
		// As the page of the workflows asks.
		const params = { sortBy: 'updatedAt:desc' };
		const { data } = await api.http.get<{ data: Workflow[] }>('/rest/workflows', { params });
		const listed = data.data.filter(({ id }) => ids.has(id));
		const shown = listed.map(({ name, tags }) => [name, tags?.map((tag) => tag.name).sort()]);
		const wanted = exampleNames
			.map(readExample)
			.map(({ name, tags }) => [...[name, tags?.map((tag) => tag.name).sort()]]);
		// The one that is published was changed a moment later.
		const byName = (list: typeof shown) =>
			list.filter(([name]) => !String(name).startsWith('06')).map(([name]) => name);
		expect(byName(shown)).toEqual(byName(wanted));
		expect(new Set(shown.map(String))).toEqual(new Set(wanted.map(String)));
	});

	test('has the sandbox report to the example that alerts', async () => {
		const url = await findReceiptUrl(api, state);
		sandbox.configure({ defaultReceiptUrl: url });
		await execute('send-one-sms.json', 'Start', '09000000003');
		// What its schedule does once a minute, but for a tick that a busy machine misses.
		const alert = await until(
			async () => {
				const minute = await api.runManually(
					state.examples['alert-when-not-delivered.json'],
					'Every minute',
				);
				const { status, error } = await api.finishedExecution(minute);
				expect([status, error?.message]).toEqual(['success', undefined]);
				return await sandbox.latestMessage({ to: '09790000001', waitMs: 1000 });
			},
			{ what: 'the alert' },
		);
		expect(alert.message).toContain('Messages are not being delivered.');
		expect(sandbox.receipts().map(({ answered }) => answered)).toContain(200);
	});

	test('opens the page of a question by one click in the inbox', async () => {
		const { nodes } = await api.getWorkflow(state.examples['refund-approval.json']);
		const ask = nodes.find(({ name }) => name === 'Ask the owner')!;
		const values = { approvalType: 'double', disapproveLabel: "Don't refund" };
		const own = { message: 'Refund it?', approvalOptions: { values }, options: {} };
		const parameters = { ...ask.parameters, ...own };
		const start = {
			...ask,
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			parameters: {},
		};
		const { id } = await api.createWorkflow({
			...{ name: 'Question', settings: {}, nodes: [start, { ...ask, parameters }] },
			connections: connectInLine(['Start', ask.name]),
		});
		const executionId = await api.runManually(id, 'Start');
		await api.finishedExecution(executionId, ['waiting']);
		const inbox = await open(`${sandbox.url}/_sandbox`);
		const [, link] = /<a\s+href="([^"]+webhook-waiting[^"]+)"/.exec(inbox.data) ?? [];
		const page = await open(String(link).replaceAll('&amp;', '&'));
		expect(page.data).toContain('Refund it?');
		expect(page.data).toContain('Don&#39;t refund');
		await api.deleteWorkflow(id);
	});

	test('has its credentials follow to other ports, and makes none twice', async () => {
		const before = structuredClone(state.credentials);
		expect(await ensure()).toEqual(ready);
		expect(state.credentials).toEqual(before);
		await mailbox.close();
		mailbox = await startMailbox(showInInbox(`${sandbox.url}/_sandbox`));
		expect(await ensure()).toEqual(ready);
		sandbox.configure({ balance: 90 });
		expect(
			(await execute('low-balance-alert.json', 'Every hour of the day')).error,
		).toBeUndefined();
		expect(shownMails()).toContain('The balance is 90 MMK.');
	});
});
