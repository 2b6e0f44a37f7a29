import { randomUUID } from 'node:crypto';
import type { IConnections, IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Execution, N8nApi } from './N8nApi';
import { until } from '../../scripts/n8n/until';

/** What a test says of a node; the rest is filled in. A type without a dot is one of ours. */
export type NodeUnderTest = Partial<Omit<INode, 'name' | 'type'>> & { name: string; type: string };

export interface RunOptions {
	/** Connections between the nodes after the start; one after the other when left out. */
	connections?: IConnections;
	/** A production execution through a webhook, or "Execute workflow" in the editor. */
	mode?: 'production' | 'manual';
	/** States besides the finished ones that end the waiting, such as `waiting`. */
	orStatus?: string[];
}

export interface WorkflowRun {
	workflowId: string;
	executionId: string;
	status: string;
	/** What ended the execution, when something did. */
	error: Execution['error'];
	/** For every node that ran, the items of each of its outputs, of its last run. */
	outputs: Record<string, INodeExecutionData[][]>;
	/** The same as plain JSON: `json.Balance[0][0].balance`. */
	json: Record<string, IDataObject[][]>;
	execution: Execution;
}

const packageName = 'n8n-nodes-messaging-service';

export function completeNode(node: NodeUnderTest, index: number): INode {
	const type = node.type.includes('.') ? node.type : `${packageName}.${node.type}`;
	const position: [number, number] = [400 + index * 200, 0];
	return { id: randomUUID(), typeVersion: 1, parameters: {}, position, ...node, type };
}

/** Connects the first output of each node with the next node. */
export function connectInLine(names: string[]): IConnections {
	const pairs = names.slice(1).map((name, index) => [names[index], name]);
	return Object.fromEntries(
		pairs.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
	);
}

function startNodes(path: string, given?: IDataObject): INode[] {
	const usual = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
	const webhook = { ...usual, ...given };
	const split = { fieldToSplitOut: 'body.items', options: {} };
	const nodes = [
		{ name: 'Start', type: 'n8n-nodes-base.webhook', typeVersion: 2, webhookId: path },
		{ name: 'Items', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
	];
	const [start, items] = nodes.map((node, index) => completeNode(node, index - 2));
	return [
		{ ...start, parameters: webhook },
		{ ...items, parameters: split },
	];
}

function lastOutputs({ runData }: Execution): WorkflowRun['outputs'] {
	const entries = Object.entries(runData).map(([name, runs]) => {
		const main = runs.at(-1)?.data?.main ?? [];
		return [name, main.map((items) => items ?? [])] as const;
	});
	return Object.fromEntries(entries);
}

/** Calls a production webhook as soon as n8n has registered it. @returns its answer */
export async function callWebhook(
	api: N8nApi,
	path: string,
	request: {
		method?: string;
		body?: unknown;
		query?: Record<string, unknown>;
		headers?: Record<string, string>;
	} = {},
) {
	return await until(
		async () => {
			const { method = 'POST', body, query, headers } = request;
			const options = { method, url: `/webhook/${path}`, data: body, params: query, headers };
			const response = await api.http.request(options);
			const isNotYetThere =
				response.status === 404 && JSON.stringify(response.data).includes('not registered');
			return isNotYetThere ? undefined : response;
		},
		{ what: `webhook ${path}` },
	);
}

interface CreatedWorkflow {
	workflowId: string;
	path: string;
	versionId: string;
}

async function startExecution(api: N8nApi, created: CreatedWorkflow, body: unknown) {
	const { workflowId, path, versionId } = created;
	await api.activate(workflowId, versionId);
	const { status, data } = await callWebhook(api, path, { body });
	if (status !== 200) throw new Error(`The webhook answered ${status}: ${JSON.stringify(data)}`);
	const [{ id }] = await until(
		async () => {
			const executions = await api.executions(workflowId);
			return executions.length > 0 ? executions : undefined;
		},
		{ what: 'the execution to start', everyMs: 25 },
	);
	return id;
}

/** Puts nodes behind a webhook, which hands the `items` of a call to the first node. */
export async function createWorkflow(
	api: N8nApi,
	nodes: NodeUnderTest[],
	options: {
		connections?: IConnections;
		pinnedItems?: IDataObject[];
		/** Other parameters of the webhook than the usual ones. */
		webhook?: IDataObject;
	} = {},
): Promise<CreatedWorkflow> {
	const { connections, pinnedItems, webhook } = options;
	const path = randomUUID();
	const names = ['Start', 'Items', ...nodes.map(({ name }) => name)];
	const chain = connectInLine(connections ? names.slice(0, 3) : names);
	const { id: workflowId, versionId } = await api.createWorkflow({
		name: `e2e ${path}`,
		nodes: [...startNodes(path, webhook), ...nodes.map(completeNode)],
		connections: { ...chain, ...connections },
		...(pinnedItems && { pinData: { Start: [{ json: { body: { items: pinnedItems } } }] } }),
	});
	return { workflowId, path, versionId };
}

/**
 * Puts nodes behind a start that hands them the items, and executes them in n8n as a workflow of their own. The first
 * node gets the items.
 */
export async function startWorkflow(
	api: N8nApi,
	nodes: NodeUnderTest[],
	items: IDataObject[] = [{}],
	options: Pick<RunOptions, 'connections' | 'mode'> = {},
): Promise<Pick<WorkflowRun, 'workflowId' | 'executionId'>> {
	const { connections, mode } = options;
	const isManual = mode === 'manual';
	const pinnedItems = isManual ? items : undefined;
	const created = await createWorkflow(api, nodes, { connections, pinnedItems });
	const { workflowId } = created;
	const executionId = isManual
		? await api.runManually(workflowId, 'Start')
		: await startExecution(api, created, { items });
	return { workflowId, executionId };
}

/** Starts a workflow and waits for the end of its execution. Both stay, since deleting them costs n8n as much again. */
export async function runWorkflow(
	api: N8nApi,
	nodes: NodeUnderTest[],
	items: IDataObject[] = [{}],
	options: RunOptions = {},
): Promise<WorkflowRun> {
	const { workflowId, executionId } = await startWorkflow(api, nodes, items, options);
	const execution = await api.finishedExecution(executionId, options.orStatus);
	return describeRun(workflowId, execution);
}

/** What jest would show of an unexpected error, on several screens; it stays readable. */
const bulky = ['stack', 'errorResponse', 'node', 'context', 'tags', 'timestamp', 'level'];

/** For the message of a test that fails after it: test/support/e2e/environment.cjs. */
function keepFailure(
	{ id: executionId, runData }: Execution,
	error: NonNullable<Execution['error']>,
): void {
	const { message, description } = error;
	const node = 'node' in error && error.node ? ` in "${error.node.name}"` : '';
	const words = [message, description].filter(Boolean).join('. ');
	const nodes = Object.keys(runData).join(', ');
	const sentence = `The last execution that failed (${executionId}${node}): ${words}\nNodes that ran: ${nodes}. Others have no output.`;
	for (const detail of bulky.filter((name) => Object.hasOwn(error, name)))
		Object.defineProperty(error, detail, { enumerable: false });
	Object.assign(globalThis, { [Symbol.for('e2e.lastFailure')]: sentence });
}

export function describeRun(workflowId: string, execution: Execution): WorkflowRun {
	const outputs = lastOutputs(execution);
	const json = Object.fromEntries(
		Object.entries(outputs).map(([name, all]) => [
			name,
			all.map((items) => items.map((item) => item.json)),
		]),
	);
	const { id: executionId, status, error } = execution;
	if (error) keepFailure(execution, error);
	return { workflowId, executionId, status, error, outputs, json, execution };
}
