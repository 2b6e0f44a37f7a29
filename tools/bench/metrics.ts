import { httpClient } from '../../scripts/http';

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
