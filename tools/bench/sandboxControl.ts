import axios, { type AxiosInstance } from 'axios';
import { join } from 'node:path';
import { findFreePort } from '../../scripts/n8n/freePort';
import { logFolder, projectFolder } from '../../scripts/n8n/paths';
import { startSupervised } from '../../scripts/n8n/supervisedProcess';
import { until } from '../../scripts/n8n/until';
import type { StatsReport } from '../../sandbox';

/** Milliseconds that the service takes to answer. */
export const latencyMs = 50;

const key = { apiKey: 'demo-key', apiSecret: 'demo-secret' };
/** No run is to end for want of money. */
const balance = 1_000_000_000;

/** The sandbox in a process of its own, so that its work does not count as n8n's. */
export interface BenchSandbox {
	/** What goes into the credential. */
	credential: { baseUrl: string; apiKey: string; apiSecret: string; authorizationScheme: string };
	/** Empties it and sets the latency. */
	prepare(): Promise<void>;
	seed(count: number): Promise<void>;
	/** One message of somebody else, which comes in front of the list. */
	send(number: string): Promise<void>;
	messageIds(): Promise<string[]>;
	stats(): Promise<StatsReport>;
	close(): Promise<void>;
}

function connect(url: string): Omit<BenchSandbox, 'close'> {
	const control: AxiosInstance = axios.create({ baseURL: `${url}/_sandbox/api`, proxy: false });
	const baseUrl = `${url}/api`;
	const token = Buffer.from(`${key.apiKey}:${key.apiSecret}`).toString('base64');
	const headers = { Authorization: `Bearer ${token}` };
	return {
		credential: { baseUrl, ...key, authorizationScheme: 'Bearer' },
		prepare: async () => {
			await control.post('/reset');
			await control.put('/settings', { latencyMs });
		},
		seed: async (count) => void (await control.post('/seed', { count })),
		send: async (to) => {
			const body = { to, message: 'Another message', from: 'Other' };
			await axios.post(`${baseUrl}/rest/send`, body, { headers, proxy: false });
		},
		messageIds: async () => {
			const { data } = await control.get<Array<{ messageId: string }>>('/messages');
			return data.map(({ messageId }) => messageId);
		},
		stats: async () => (await control.get<StatsReport>('/stats')).data,
	};
}

export async function startBenchSandbox(): Promise<BenchSandbox> {
	const port = await findFreePort();
	const url = `http://127.0.0.1:${port}`;
	const program = startSupervised({
		args: [
			...['--import', 'tsx', join(projectFolder, 'sandbox/main.ts'), '--port', String(port)],
			...['--pace', '0', '--balance', String(balance)],
			...['--api-key', key.apiKey, '--api-secret', key.apiSecret],
		],
		env: process.env,
		logFile: join(logFolder, 'bench', 'sandbox.log'),
	});
	const died = program.ended.then((): never => {
		throw new Error(`The sandbox did not start:\n${program.log()}`);
	});
	died.catch(() => undefined);
	const ask = async () =>
		await axios.get(`${url}/_sandbox/livez`, { proxy: false }).catch(() => undefined);
	await Promise.race([until(ask, { what: 'the sandbox to answer', timeoutMs: 60_000 }), died]);
	return { ...connect(url), close: program.stop };
}
