import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { until } from '../../scripts/n8n/until';
import { callWebhook, createWorkflow, type N8nApi, type NodeUnderTest } from '../harness';

export interface NodeTime {
	/** What the node itself took, without n8n's start and the saving of the execution. */
	ms: number;
	items: INodeExecutionData[];
}

export interface TimedWorkflow {
	/** Executes the workflow over the items. @returns the output of its node */
	run(items: IDataObject[]): Promise<NodeTime>;
	/** The workflow answers no call any more; n8n cannot delete it at once. */
	end(): Promise<void>;
}

/** Answers the call at the end, so that nobody has to ask n8n while it works. */
const atTheEnd = { responseMode: 'lastNode', responseData: 'noData' };

/** Takes the newest execution out of n8n, once it has ended. */
async function takeNewest(api: N8nApi, workflowId: string) {
	const id = await until(
		async () => {
			const [newest] = await api.executions(workflowId);
			const hasEnded = newest && !['new', 'running', 'unknown'].includes(newest.status);
			return hasEnded ? newest.id : undefined;
		},
		{ what: 'the execution to be saved', everyMs: 100 },
	);
	const execution = await api.execution(id);
	await api.http.post('/rest/executions/delete', { ids: [id] });
	return execution;
}

/** A workflow of one node that stays in n8n and can be run again and again. */
export async function prepareWorkflow(api: N8nApi, node: NodeUnderTest): Promise<TimedWorkflow> {
	const { workflowId: id, path } = await createWorkflow(api, [node], { webhook: atTheEnd });
	await api.activate(id);
	return {
		run: async (items) => {
			const { status } = await callWebhook(api, path, { body: { items } });
			const { runData, error } = await takeNewest(api, id);
			const [ran] = runData[node.name] ?? [];
			if (status !== 200 || error || !ran) {
				throw new Error(`${node.name} failed (${status}): ${error?.message ?? 'no error saved'}`);
			}
			return { ms: ran.executionTime, items: ran.data?.main[0] ?? [] };
		},
		end: async () => await api.deactivate(id),
	};
}
