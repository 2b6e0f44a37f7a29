import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters } from 'n8n-workflow';

import { findFreePort } from '../../../scripts/n8n/freePort';
import { readExample } from '../../../scripts/n8n/examples';
import type { CredentialReference, WorkflowDefinition } from '../../../scripts/n8n/n8nClient';
import { isN8n1 } from '../../../scripts/n8n/paths';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { credentialsOf } from '../workflow/credentialsOf';
import {
	callWebhook,
	connectToSharedN8n,
	describeRun,
	type N8n,
	type Workflow,
	type WorkflowRun,
} from '../../../tools/harness';
import { type Mailbox, startMailbox } from '../../../scripts/demo/mailbox';
import { FormVisitor, type Login } from './visitForm';

/** Parameters that a user would fill in, by the name of the node. */
export type Changes = Record<string, INodeParameters>;

/**
 * The names of the credentials of the examples belong to one runner each, since tests can share an n8n. In n8n 1 it is
 * the editor that finds a credential by its name, and not the server.
 */
function nameCredentials({ credentials }: INode, ours: Record<string, CredentialReference>) {
	const types = Object.keys(credentials ?? {});
	return Object.fromEntries(
		types.map((type) => [type, { id: isN8n1() ? ours[type]?.id : null, name: ours[type]?.name }]),
	);
}

/** Several examples read and write them: each test has its own. */
export const sharedTables = ['SMS opt-outs', 'SMS runs'];

/** Renames a table in the parameters of nodes, and in their expressions. */
const rename = (text: string, table: string, to: string) =>
	['"', "'"].reduce((old, mark) => old.replaceAll(mark + table + mark, mark + to + mark), text);

/**
 * An example whose data tables have names of their own, so that it finds no rows of other tests. No name contains
 * another: n8n takes the first table whose name contains the one that it looks for.
 */
export function withOwnTables(name: string): WorkflowDefinition {
	const example = readExample(name);
	const mark = randomUUID().slice(0, 8);
	const created = example.nodes
		.flatMap(({ parameters }) => parameters.tableName ?? [])
		.filter((table) => !sharedTables.includes(String(table)));
	const text = created.reduce<string>(
		(moved, table, n) => rename(moved, String(table), `Table ${n} of ${mark}`),
		JSON.stringify(example),
	);
	return JSON.parse(text) as WorkflowDefinition;
}

/** A Data Table passes its input on for the first, as where n8n's database fails, and tells the second. */
export const faults = ["$('Never').first()", "'not found'"];

/** Lets the expressions of a node fail where a condition holds. */
export function breakNode(
	{ nodes }: WorkflowDefinition,
	name: string,
	condition: string,
	fault = faults[0],
): void {
	const begin = `{{ ${condition} ? ${fault} : `;
	for (const node of nodes.filter((one) => one.name === name)) {
		const text = JSON.stringify(node.parameters)
			.replace(/("=[^"{]*)\{\{ /g, (_, key) => key + begin)
			.replace(/("tableName":")([^"]+)/, (_, key, table) => `${key}=${begin}'${table}' }}`);
		node.parameters = JSON.parse(text) as INodeParameters;
	}
}

/** The change that sets `language` of an example to Burmese. */
export function inBurmese(name: string): Changes {
	const texts = readExample(name).nodes.find((node) => node.name === 'Texts');
	const written = JSON.stringify(texts?.parameters);
	return { Texts: JSON.parse(written.replace('"value":"en"', '"value":"my"')) as INodeParameters };
}

const secret = 'a-secret-of-the-examples';
const isReceiptTrigger = ({ type }: INode) => type.endsWith('.smsReceiptTrigger');

const isForm = ({ type }: { type: string }) => type === 'n8n-nodes-base.formTrigger';
/** A form without fields: a test can press its button by executing the workflow. */
const isButton = ({ type, parameters }: INode) =>
	isForm({ type }) && (parameters.formFields as { values: object[] }).values.length === 0;

/** A published example that starts with a receipt. */
export interface Receiver {
	id: string;
	/** Reports as the service does. @returns the HTTP status of the answer */
	report(receipt: Record<string, string>): Promise<number>;
	/** What a service is to call. */
	url: string;
}

/** Of the forms that ask who is there. */
export const formLogin: Login = { username: 'shop', password: 'only for the team' };

/** n8n with a sandbox, a mailbox and credentials. An example names them, and n8n finds them by their names. */
export class ExampleRunner {
	private workflows: string[] = [];
	private readonly credentials: Record<string, CredentialReference> = {};
	private readonly mark = randomUUID().slice(0, 8);
	private tableMark = this.mark;
	private apiKey: string;
	/** Whether the mail server refuses every mail. */
	isMailDown = false;

	private constructor(
		readonly n8n: N8n,
		readonly sandbox: Sandbox,
		readonly mailbox: Mailbox,
	) {
		this.apiKey = sandbox.apiKey;
	}

	/**
	 * @param more credentials of other services, by type
	 * @param ownN8n instead of the one that all tests share
	 */
	static async open(
		more: Record<string, Record<string, unknown>> = {},
		ownN8n?: N8n,
	): Promise<ExampleRunner> {
		const n8n = ownN8n ?? (await connectToSharedN8n());
		const holder: { runner?: ExampleRunner } = {};
		const takeMail = async () => {
			if (holder.runner?.isMailDown) throw new Error('The mail server is down.');
		};
		const [sandbox, mailbox] = await Promise.all([
			startSandbox({ pace: 100 }),
			startMailbox(takeMail),
		]);
		const runner = new ExampleRunner(n8n, sandbox, mailbox);
		holder.runner = runner;
		try {
			await runner.addCredentials(more);
			return runner;
		} catch (error) {
			await runner.close();
			throw error;
		}
	}

	/** For a test beside others: opens one of its own, and closes it. @param more as for `open` */
	static async use(
		more: Record<string, Record<string, unknown>>,
		work: (runner: ExampleRunner) => Promise<void>,
	): Promise<void> {
		const runner = await ExampleRunner.open(more);
		try {
			await work(runner);
		} finally {
			await runner.close();
		}
	}

	private async addCredentials(more: Record<string, Record<string, unknown>>): Promise<void> {
		const shop = { senderId: 'MyShop', brand: 'MyShop' };
		await this.addCredential('messagingServiceApi', credentialsOf(this.sandbox, shop));
		await this.addCredential('smtp', {
			...{ host: '127.0.0.1', port: this.mailbox.port },
			...{ secure: false, disableStartTls: true },
		});
		await this.addCredential('httpBasicAuth', {
			user: formLogin.username,
			password: formLogin.password,
		});
		for (const [type, data] of Object.entries(more)) await this.addCredential(type, data);
	}

	/** For the nodes of all examples that take this type. */
	async addCredential(type: string, data: object): Promise<void> {
		const credential = { name: `Example ${randomUUID()}`, type, data: { ...data } };
		this.credentials[type] = await this.n8n.api.createCredential(credential);
	}

	credentialsFor(type: string): Record<string, CredentialReference> {
		return { [type]: this.credentials[type] };
	}

	/** The credential leads to where nobody listens, as while the service is down. */
	async disconnect(): Promise<void> {
		await this.lead(`http://127.0.0.1:${await findFreePort()}/api`);
	}

	async reconnect(): Promise<void> {
		await this.lead(this.sandbox.baseUrl);
	}

	private async lead(baseUrl: string): Promise<void> {
		const type = 'messagingServiceApi';
		const { id, name } = this.credentials[type];
		const changes = { apiKey: this.apiKey, baseUrl, senderId: 'MyShop', brand: 'MyShop' };
		const data = credentialsOf(this.sandbox, changes);
		await this.n8n.api.updateCredential(id, { name, type, data });
	}

	/** Forgets what the last test did. */
	async reset(): Promise<void> {
		this.tableMark = randomUUID().slice(0, 8);
		await this.deleteWorkflows();
		this.mailbox.mails.splice(0);
		this.isMailDown = false;
		await this.renewService();
	}

	/** Empties the sandbox. n8n knows for a while what an account has sent: a new key is a new account. */
	async renewService(): Promise<void> {
		this.sandbox.reset();
		this.apiKey = randomUUID();
		const { apiSecret } = this.sandbox;
		const keys = [this.sandbox.apiKey, this.apiKey];
		this.sandbox.configure({ credentials: keys.map((apiKey) => ({ apiKey, apiSecret })) });
		await this.reconnect();
	}

	private async deleteWorkflows(): Promise<void> {
		for (const id of this.workflows.splice(0)) await this.n8n.api.deleteWorkflow(id);
	}

	async close(): Promise<void> {
		try {
			await this.deleteWorkflows();
			for (const { id } of Object.values(this.credentials)) {
				await this.n8n.api.deleteCredential(id);
			}
		} finally {
			await Promise.all([this.sandbox.close(), this.mailbox.close()]);
		}
	}

	/** @param example by its name, or one that a test has changed */
	async import(example: string | WorkflowDefinition, changes: Changes = {}): Promise<Workflow> {
		const definition = typeof example === 'string' ? readExample(example) : example;
		return await this.importWorkflow(definition, changes);
	}

	/** In n8n 1 it is the editor that gives a trigger the id of its webhook, and not the server. */
	async importWorkflow(example: WorkflowDefinition, changes: Changes = {}): Promise<Workflow> {
		const nodes = example.nodes.map((node) => ({
			...node,
			...(isN8n1() && isReceiptTrigger(node) && { webhookId: randomUUID() }),
			parameters: { ...node.parameters, ...changes[node.name] },
			credentials: nameCredentials(node, this.credentials),
		}));
		const pinData = Object.fromEntries(
			nodes.filter(isButton).map(({ name }) => [name, [{ json: {} }]]),
		);
		const workflow = await this.n8n.api.createWorkflow(this.move({ ...example, nodes, pinData }));
		this.workflows.push(workflow.id);
		return workflow;
	}

	/** What an address of an example, the path or the ID of a webhook, is for this runner. */
	addressOf(address: string): string {
		return `${address}-${this.mark}`;
	}

	/** What a data table that several examples share is called in this test. */
	tableOf(name: string): string {
		return `${name} ${this.tableMark}`;
	}

	/** An address of an n8n that tests share belongs to one workflow: side by side, each runner has its own. */
	private move(example: WorkflowDefinition): WorkflowDefinition {
		const addresses = example.nodes.flatMap(({ type, webhookId, parameters }) => [
			...(webhookId ? [webhookId] : []),
			...(type === 'n8n-nodes-base.webhook' ? [String(parameters.path)] : []),
		]);
		const text = [...new Set(addresses)].reduce(
			(moved, address) => moved.replaceAll(address, this.addressOf(address)),
			JSON.stringify(example),
		);
		const own = sharedTables.reduce(
			(moved, table) => rename(moved, table, this.tableOf(table)),
			text,
		);
		return JSON.parse(own) as WorkflowDefinition;
	}

	/** Calls a webhook of an example. */
	async call(path: string, request?: Parameters<typeof callWebhook>[2]) {
		return await callWebhook(this.n8n.api, this.addressOf(path), request);
	}

	/** Imports an example and executes it as "Execute workflow" in the editor does. */
	async run(name: string, start: string, changes: Changes = {}): Promise<WorkflowRun> {
		return await this.execute(await this.import(name, changes), start);
	}

	async execute({ id }: Workflow, start: string): Promise<WorkflowRun> {
		const executionId = await this.n8n.api.runManually(id, start);
		return describeRun(id, await this.n8n.api.finishedExecution(executionId));
	}

	/** @param saveAll whether executions are saved, also where the example saves none, so that a test reads them */
	async activate(
		example: string | WorkflowDefinition,
		changes: Changes = {},
		{ saveAll = true } = {},
	): Promise<Workflow> {
		const definition = typeof example === 'string' ? readExample(example) : example;
		const settings = {
			...definition.settings,
			...(saveAll && { saveDataSuccessExecution: 'all' as const }),
		};
		const workflow = await this.importWorkflow({ ...definition, settings }, changes);
		await this.n8n.api.activate(workflow.id);
		return workflow;
	}

	/** Publishes an example that starts with a receipt, with a secret. */
	async publishReceiver(
		example: string | WorkflowDefinition,
		changes: Changes = {},
		options: { saveAll?: boolean } = {},
	): Promise<Receiver> {
		const definition = typeof example === 'string' ? readExample(example) : example;
		const trigger = definition.nodes.find(isReceiptTrigger)?.name ?? '';
		const { id, nodes } = await this.activate(
			definition,
			{ ...changes, [trigger]: { secret } },
			options,
		);
		const path = `${nodes.find(isReceiptTrigger)?.webhookId}/webhook`;
		const report = async (receipt: Record<string, string>) =>
			(await callWebhook(this.n8n.api, path, { query: { ...receipt, secret } })).status;
		return { id, report, url: `${this.n8n.url}/webhook/${path}?secret=${secret}` };
	}

	/** Imports an example that begins with a form. @returns opens the form, as often as it is called */
	async publishForm(
		example: string | WorkflowDefinition,
		changes: Changes = {},
		login?: Login,
	): Promise<() => Promise<FormVisitor>> {
		const { nodes } = await this.activate(example, changes);
		const trigger = nodes.find((node) => isForm(node) && !isButton(node));
		return async () => await FormVisitor.open(this.n8n.url, trigger?.webhookId ?? '', login);
	}

	/** Imports an example that begins with a form, and opens the form as "Execute workflow" in the editor does. */
	async visitFromEditor(name: string, changes: Changes = {}): Promise<FormVisitor> {
		const { id, nodes } = await this.import(name, changes);
		const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		await this.n8n.api.listenForTest(id, trigger?.name ?? '');
		return await FormVisitor.open(this.n8n.url, trigger?.webhookId ?? '', undefined, 'form-test');
	}

	/** Imports an example that begins with a form, and opens the form. */
	async visit(name: string, changes: Changes = {}, login?: Login): Promise<FormVisitor> {
		const open = await this.publishForm(name, changes, login);
		return await open();
	}
}
