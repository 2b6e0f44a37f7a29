import axios from 'axios';
import { join } from 'node:path';
import type { FaultRule, Settings, StatsReport, StoredMessage } from '../../sandbox';
import { findFreePort } from '../../scripts/n8n/freePort';
import { logFolder, projectFolder } from '../../scripts/n8n/paths';
import { startSupervised } from '../../scripts/n8n/supervisedProcess';
import { until } from '../../scripts/n8n/until';

/** The sandbox in a process of its own, steered over HTTP. */
export interface ChaosSandbox {
	credential: Record<'baseUrl' | 'apiKey' | 'apiSecret' | 'authorizationScheme', string>;
	/** Sets these faults and settings. */
	prepare(faults: FaultRule[], settings: Partial<Settings>): Promise<void>;
	messages(): Promise<StoredMessage[]>;
	stats(): Promise<StatsReport>;
	close(): Promise<void>;
}

const key = { apiKey: 'chaos-key', apiSecret: 'chaos-secret' };

export async function startChaosSandbox(): Promise<ChaosSandbox> {
	const port = await findFreePort();
	const url = `http://127.0.0.1:${port}`;
	const main = join(projectFolder, 'sandbox/main.ts');
	const program = startSupervised({
		args: [
			...['--import', 'tsx', main, '--port', String(port), '--pace', '0'],
			...['--balance', String(1e9), '--api-key', key.apiKey, '--api-secret', key.apiSecret],
		],
		env: process.env,
		logFile: join(logFolder, `chaos-sandbox-${port}.log`),
	});
	const died = program.ended.then((): never => {
		throw new Error(`The sandbox did not start:\n${program.log()}`);
	});
	died.catch(() => undefined);
	const control = axios.create({ baseURL: `${url}/_sandbox/api`, proxy: false });
	const isLive = async () => await control.get('/stats').catch(() => undefined);
	await Promise.race([until(isLive, { what: 'the sandbox to answer', timeoutMs: 60_000 }), died]);
	return {
		credential: { baseUrl: `${url}/api`, ...key, authorizationScheme: 'Bearer' },
		prepare: async (faults, settings) => {
			await control.put('/settings', settings);
			await control.post('/faults', faults);
		},
		messages: async () => (await control.get<StoredMessage[]>('/messages')).data,
		stats: async () => (await control.get<StatsReport>('/stats')).data,
		close: program.stop,
	};
}
