import { randomUUID } from 'node:crypto';
import { httpClient, type AxiosRequestConfig } from '../../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import {
	callWebhook,
	completeNode,
	connectInLine,
	type Execution,
	type N8nApi,
	type NodeUnderTest,
} from '../../../tools/harness';
import { makeMarker } from './runAgain';

export interface PublishedTrigger {
	workflowId: string;
	/** The production URL. */
	url: string;
	/** Reports something, by a POST when the request names no method. */
	call(request?: AxiosRequestConfig): Promise<{ status: number; data: unknown }>;
	/** Resolves with the items of every execution, oldest first, once there are as many. */
	items(executions: number): Promise<IDataObject[][]>;
}

export interface TriggerToPublish {
	api: N8nApi;
	parameters?: IDataObject;
	/** What the workflow does with a receipt, in a line. */
	next?: NodeUnderTest | NodeUnderTest[];
	/** Where production URLs begin, when that is not where the editor is. */
	webhookUrl?: string;
}

function itemsOf({ runData }: Execution): IDataObject[] {
	const [run] = runData.Trigger;
	return (run.data?.main[0] ?? []).map(({ json }) => json);
}

/** Publishes a workflow that starts with the receipt trigger, and waits until it takes receipts. */
export async function publishTrigger(trigger: TriggerToPublish): Promise<PublishedTrigger> {
	const { api, parameters, next = makeMarker('Received') } = trigger;
	const { webhookUrl = api.url } = trigger;
	const steps = [next].flat();
	const webhookId = randomUUID();
	const node: NodeUnderTest = {
		name: 'Trigger',
		type: 'smsReceiptTrigger',
		typeVersion: 2,
		webhookId,
		parameters: {
			statuses: [],
			...parameters,
		} as NodeUnderTest['parameters'],
	};
	const { id } = await api.createWorkflow({
		name: `e2e receipts ${webhookId}`,
		nodes: [node, ...steps].map(completeNode),
		connections: connectInLine([node, ...steps].map(({ name }) => name)),
	});
	await api.activate(id);
	// No receipt, so that it starts nothing.
	await callWebhook(api, `${webhookId}/webhook`, { body: {} });
	const url = `${webhookUrl}/webhook/${webhookId}/webhook`;
	return {
		workflowId: id,
		url,
		call: async (request = {}) =>
			await httpClient.request({ method: 'POST', url, validateStatus: () => true, ...request }),
		items: async (executions) => (await api.finishedExecutions(id, executions)).map(itemsOf),
	};
}
