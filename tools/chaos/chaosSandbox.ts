import axios from 'axios';
import { join } from 'node:path';
import type { FaultRule, Settings, StatsReport, StoredMessage } from '../../sandbox';
import { startSandboxProcess } from '../../scripts/demo/sandboxProcess';
import { findFreePort } from '../../scripts/n8n/freePort';
import { logFolder } from '../../scripts/n8n/paths';

/** The sandbox in a process of its own, steered over HTTP. */
export interface ChaosSandbox {
	credential: Record<'baseUrl' | 'apiKey' | 'apiSecret' | 'authorizationScheme', string>;
	/** Sets these faults and settings. */
	prepare(faults: FaultRule[], settings: Partial<Settings>): Promise<void>;
	messages(): Promise<StoredMessage[]>;
	stats(): Promise<StatsReport>;
	/** Moves its clock, so that it takes at once what it would take later. */
	finishLateActs(): Promise<void>;
	close(): Promise<void>;
}

const longestLatenessMs = 60 * 60_000;
const key = { apiKey: 'chaos-key', apiSecret: 'chaos-secret' };

export async function startChaosSandbox(): Promise<ChaosSandbox> {
	const port = await findFreePort();
	const program = await startSandboxProcess({
		host: '127.0.0.1',
		port,
		key,
		args: ['--pace', '0', '--balance', String(1e9)],
		logFile: join(logFolder, `chaos-sandbox-${port}.log`),
	});
	const control = axios.create({ baseURL: `${program.pageUrl}/api`, proxy: false });
	return {
		credential: { baseUrl: program.baseUrl, ...key, authorizationScheme: 'Bearer' },
		prepare: async (faults, settings) => {
			await control.put('/settings', settings);
			await control.post('/faults', faults);
		},
		messages: async () => (await control.get<StoredMessage[]>('/messages')).data,
		stats: async () => (await control.get<StatsReport>('/stats')).data,
		finishLateActs: async () => void (await control.post('/advance', { ms: longestLatenessMs })),
		close: program.stop,
	};
}
