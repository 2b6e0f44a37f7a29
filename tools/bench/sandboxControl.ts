import { httpClient, type AxiosInstance } from '../../scripts/http';
import { join } from 'node:path';
import { startSandboxProcess, type SandboxProcess } from '../../scripts/demo/sandboxProcess';
import { findFreePort } from '../../scripts/n8n/freePort';
import { logFolder } from '../../scripts/n8n/paths';
import type { FaultRule, StatsReport } from '../../sandbox';

/** Milliseconds that the service takes to answer. */
export const latencyMs = 50;

const key = { apiKey: 'demo-key', apiSecret: 'demo-secret' };
const token = Buffer.from(`${key.apiKey}:${key.apiSecret}`).toString('base64');
const authorization = `Bearer ${token}`;
/** No run is to end for want of money. */
const balance = 1_000_000_000;
/** And none of its messages is to be dropped. */
const maxMessagesKept = 1_000_000;

/** The sandbox in a process of its own, so that its work does not count as n8n's. */
export interface BenchSandbox {
	/** What goes into the credential. */
	credential: { baseUrl: string; apiKey: string; apiSecret: string; authorizationScheme: string };
	/** The header that goes with it. */
	authorization: string;
	/** Empties it and sets the latency. */
	prepare(): Promise<void>;
	/** A second apart, or all at the same moment. */
	seed(count: number, createdAtMs?: number): Promise<void>;
	/** One message of somebody else, which comes in front of the list. */
	send(number: string): Promise<void>;
	addFault(rule: FaultRule): Promise<void>;
	clearFaults(): Promise<void>;
	/** The oldest first. */
	messages(): Promise<Array<{ messageId: string; message: string }>>;
	stats(): Promise<StatsReport>;
	close(): Promise<void>;
}

function connect({ pageUrl, baseUrl }: SandboxProcess): Omit<BenchSandbox, 'close'> {
	const control: AxiosInstance = httpClient.create({ baseURL: `${pageUrl}/api` });
	const headers = { authorization };
	return {
		credential: { baseUrl, ...key, authorizationScheme: 'Bearer' },
		authorization,
		prepare: async () => {
			await control.post('/reset', {});
			await control.put('/settings', { latencyMs, maxMessagesKept });
		},
		seed: async (count, createdAtMs) => {
			const message = createdAtMs === undefined ? {} : { createdAtMs };
			await control.post('/seed', { count, message });
		},
		send: async (to) => {
			const body = { to, message: 'Another message', from: 'Other' };
			await httpClient.post(`${baseUrl}/rest/send`, body, { headers });
		},
		addFault: async (rule) => void (await control.post('/faults', rule)),
		clearFaults: async () => void (await control.delete('/faults')),
		messages: async () => (await control.get('/messages')).data,
		stats: async () => (await control.get<StatsReport>('/stats')).data,
	};
}

export async function startBenchSandbox(): Promise<BenchSandbox> {
	const port = await findFreePort();
	const program = await startSandboxProcess({
		host: '127.0.0.1',
		port,
		key,
		args: ['--pace', '0', '--balance', String(balance)],
		logFile: join(logFolder, 'bench', 'sandbox.log'),
	});
	return { ...connect(program), close: program.stop };
}
