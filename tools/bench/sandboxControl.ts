import { httpClient, type AxiosInstance } from '../../scripts/http';
import { join } from 'node:path';
import { startSandboxProcess, type SandboxProcess } from '../../scripts/demo/sandboxProcess';
import { findFreePort } from '../../scripts/n8n/freePort';
import { logFolder } from '../../scripts/n8n/paths';
import type { StatsReport } from '../../sandbox';

/** Milliseconds that the service takes to answer. */
const latencyMs = 50;

const key = { apiKey: 'demo-key', apiSecret: 'demo-secret' };
/** No run is to end for want of money. */
const balance = 1_000_000_000;
/** And none of its messages is to be dropped. */
const maxMessagesKept = 1_000_000;

/** The sandbox in a process of its own, so that its work does not count as n8n's. */
export interface BenchSandbox {
	/** What goes into the credential. */
	credential: { baseUrl: string; apiKey: string; apiSecret: string; authorizationScheme: string };
	/** Empties it and sets the latency. */
	prepare(): Promise<void>;
	seed(count: number): Promise<void>;
	messages(): Promise<Array<{ messageId: string }>>;
	stats(): Promise<StatsReport>;
	close(): Promise<void>;
}

function connect({ pageUrl, baseUrl }: SandboxProcess): Omit<BenchSandbox, 'close'> {
	const control: AxiosInstance = httpClient.create({ baseURL: `${pageUrl}/api` });
	return {
		credential: { baseUrl, ...key, authorizationScheme: 'Bearer' },
		prepare: async () => {
			await control.post('/reset', {});
			await control.put('/settings', { latencyMs, maxMessagesKept });
		},
		seed: async (count) => void (await control.post('/seed', { count })),
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
