import { Agent } from 'node:http';
import { httpClient, type AxiosInstance } from '../../scripts/http';
import { until } from '../../scripts/n8n/until';
import type { N8nApi } from '../harness';

const callsAtOnce = 20;

/** Makes calls, some at the same time, and each the next one as soon as it has an answer. @returns milliseconds */
export async function makeCalls(
	count: number,
	call: (http: AxiosInstance, index: number) => Promise<void>,
): Promise<number> {
	const httpAgent = new Agent({ keepAlive: true, maxSockets: callsAtOnce });
	const http = httpClient.create({ httpAgent });
	let next = 0;
	const begin = performance.now();
	const work = async () => {
		for (let index = next++; index < count; index = next++) await call(http, index);
	};
	await Promise.all(Array.from({ length: callsAtOnce }, work));
	httpAgent.destroy();
	return performance.now() - begin;
}

/** Waits until no execution of a workflow is running. */
export async function waitForExecutions(api: N8nApi, workflowId: string): Promise<void> {
	const filter = JSON.stringify({ workflowId, status: ['new', 'running'] });
	await until(
		async () => {
			const { data } = await api.http.get('/rest/executions', { params: { filter, limit: 1 } });
			return data.data.results.length === 0 ? true : undefined;
		},
		{ what: 'the executions to finish', timeoutMs: 600_000, everyMs: 100 },
	);
}

/**
 * What n8n measures of itself (N8N_METRICS), such as `n8n_process_resident_memory_bytes`.
 * @throws {Error} when this n8n does not tell it
 */
export async function readMetric(url: string, name: string): Promise<number> {
	const { data } = await httpClient.get<string>(`${url}/metrics`);
	const [, value] = new RegExp(`^${name}\\s+([\\d.e+-]+)`, 'm').exec(data) ?? [];
	if (value === undefined) throw new Error(`n8n does not show the metric ${name}.`);
	return Number(value);
}
