import { Agent } from 'node:http';
import { httpClient } from '../../../scripts/http';

import { until } from '../../../scripts/n8n/until';
import type { N8nApi } from '../../../tools/harness';
import { callAll } from './callAll';

/** Posts a receipt of each message, so many at the same time. @returns the statuses of all answers */
export async function reportMany(
	url: string,
	messageIds: string[],
	callers: number,
): Promise<number[]> {
	const httpAgent = new Agent({ keepAlive: true, maxSockets: callers });
	const http = httpClient.create({ httpAgent, validateStatus: () => true });
	const statuses = await callAll(messageIds.length, callers, async (n) => {
		const { status } = await http.post(url, { messageId: messageIds[n], status: 'Delivered' });
		return status;
	});
	httpAgent.destroy();
	return statuses;
}

async function countExecutions(api: N8nApi, workflowId: string, status: string[]) {
	const params = { filter: JSON.stringify({ workflowId, status }), limit: 1 };
	const { data } = await api.http.get('/rest/executions', { params });
	return data.data.count as number;
}

/** Waits until nothing of a workflow is under way. @returns how many executions have succeeded */
export async function countWhenDone(api: N8nApi, workflowId: string): Promise<number> {
	await until(
		async () => (await countExecutions(api, workflowId, ['new', 'running'])) === 0 || undefined,
		{ what: 'the executions to finish', timeoutMs: 600_000, everyMs: 500 },
	);
	return await countExecutions(api, workflowId, ['success']);
}
