import type { IConnections, IDataObject, INodeExecutionData, ITaskData } from 'n8n-workflow';
import type { Execution, N8nApi } from '../harness/N8nApi';
import { until } from '../../scripts/n8n/until';
import { callWebhook, createWorkflow, type NodeUnderTest } from '../harness';

export interface NodeTime {
	/** What the node itself took, without n8n's start and the saving of the execution. */
	ms: number;
	items: INodeExecutionData[];
}

export interface TimedWorkflow {
	/** Executes the workflow over the items. @returns the output of its last node */
	run(items: IDataObject[]): Promise<NodeTime>;
	/** Retries an execution over the items, which has failed, after a repair. @returns the same of the retry */
	retry(items: IDataObject[], repair: () => Promise<void>): Promise<NodeTime>;
	/** The workflow answers no call any more; n8n cannot delete it at once. */
	end(): Promise<void>;
}

interface Plan {
	/** The first one gets the items; the last one is measured. */
	nodes: NodeUnderTest[];
	/** One node after the other when it is left out. */
	connections?: IConnections;
}

/** Answers the call at the end, so that nobody has to ask n8n while it works. */
const atTheEnd = { responseMode: 'lastNode', responseData: 'noData' };

/** From the first begin to the last end: a node in a loop runs many times. */
function elapsed(runs: ITaskData[]): number {
	const begin = Math.min(...runs.map(({ startTime }) => startTime));
	return Math.max(...runs.map((run) => run.startTime + run.executionTime)) - begin;
}

/** The newest execution, once it has ended. */
async function findNewest(api: N8nApi, workflowId: string): Promise<string> {
	return await until(
		async () => {
			const [newest] = await api.executions(workflowId);
			const hasEnded = newest && !['new', 'running', 'unknown'].includes(newest.status);
			return hasEnded ? newest.id : undefined;
		},
		{ what: 'the execution to be saved', everyMs: 100 },
	);
}

async function takeNewest(api: N8nApi, workflowId: string): Promise<Execution> {
	const execution = await api.execution(await findNewest(api, workflowId));
	const ids = (await api.executions(workflowId)).map((row) => row.id);
	await api.http.post('/rest/executions/delete', { ids });
	return execution;
}

/** A workflow that stays in n8n and can be run again and again. */
export async function prepareWorkflow(api: N8nApi, plan: Plan): Promise<TimedWorkflow> {
	const { nodes, connections } = plan;
	const measured = nodes[nodes.length - 1].name;
	const options = { connections, webhook: atTheEnd };
	const { workflowId: id, path } = await createWorkflow(api, nodes, options);
	await api.activate(id);
	const call = async (items: IDataObject[]) => await callWebhook(api, path, { body: { items } });
	const takeTime = async (status = 200): Promise<NodeTime> => {
		const { runData, error } = await takeNewest(api, id);
		if (status !== 200 || error) {
			throw new Error(`${measured} failed (${status}): ${error?.message ?? 'no error saved'}`);
		}
		const runs = runData[measured] ?? [];
		const outputs = runs.flatMap((run) => run.data?.main[0] ?? []);
		return { ms: elapsed(runs), items: outputs };
	};
	return {
		run: async (items) => await takeTime((await call(items)).status),
		retry: async (items, repair) => {
			await call(items);
			const failed = await findNewest(api, id);
			await repair();
			await api.retry(failed, { loadWorkflow: true });
			return await takeTime();
		},
		end: async () => await api.deactivate(id),
	};
}
