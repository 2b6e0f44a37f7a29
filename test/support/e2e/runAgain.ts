import type { IConnections, IDataObject } from 'n8n-workflow';
import { until } from '../../../scripts/n8n/until';
import {
	callWebhook,
	describeRun,
	type N8nApi,
	type NodeUnderTest,
	type RunOptions,
	type WorkflowRun,
} from '../../../tools/harness';

/** A node that hands on what it gets: it shows that, and with what, an output was taken. */
export function makeMarker(name: string): NodeUnderTest {
	return { name, type: 'n8n-nodes-base.noOp' };
}

/** Connects each output of a node with a node of its own. */
export function connectOutputs(from: string, targets: string[]): IConnections {
	const main = targets.map((node) => [{ node, type: 'main' as const, index: 0 }]);
	return { [from]: { main } };
}

/** Of the production webhook that a workflow of `runWorkflow` starts with. */
export async function findStartPath(api: N8nApi, workflowId: string): Promise<string> {
	const { nodes } = await api.getWorkflow(workflowId);
	const start = nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
	return String(start?.parameters.path);
}

/** Executes a workflow once more that `runWorkflow` has kept, with other items. */
export async function runAgain(
	api: N8nApi,
	workflowId: string,
	items: IDataObject[],
	{ orStatus }: Pick<RunOptions, 'orStatus'> = {},
): Promise<WorkflowRun> {
	const path = await findStartPath(api, workflowId);
	const known = new Set((await api.executions(workflowId)).map(({ id }) => id));
	await callWebhook(api, path, { body: { items } });
	const id = await until(
		async () => (await api.executions(workflowId)).find((row) => !known.has(row.id))?.id,
		{ what: 'the next execution to start', everyMs: 25 },
	);
	return describeRun(workflowId, await api.finishedExecution(id, orStatus));
}
