import { postgresSettings, startQueuedN8n } from '../../../test/support/queue/queuedN8n';
import { startPostgres } from '../../../test/support/queue/services';
import { startN8n, type N8nApi } from '../../harness';

/** An n8n of one process or of several. */
export interface RunningLayout {
	api: N8nApi;
	/** Where production URLs begin. */
	webhookUrl: string;
	/** Addresses of n8n's programs, by their kind. */
	programs: Partial<Record<ProgramKind, string[]>>;
	close(): Promise<void>;
}

export const programKinds = ['main process', 'workers', 'webhook processors'] as const;
export type ProgramKind = (typeof programKinds)[number];

export interface Layout {
	name: string;
	start(tarball: string, env: Record<string, string>): Promise<RunningLayout>;
}

/** The database is the same in all layouts, as are the settings that the compose file makes. */
const ownSettings = { N8N_METRICS: 'true', DB_POSTGRESDB_POOL_SIZE: '10' };
const lazily = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const oneProcess: Layout = {
	name: 'One process',
	start: async (tarball, env) => {
		const postgres = await startPostgres(true);
		const settings = { ...postgresSettings(postgres), ...ownSettings, ...lazily, ...env };
		const n8n = await startN8n({ tarball, env: settings }).catch(async (error: unknown) => {
			await postgres.close();
			throw error;
		});
		return {
			api: n8n.api,
			webhookUrl: n8n.url,
			programs: { 'main process': [n8n.url] },
			close: async () => {
				await n8n.close();
				await postgres.close();
			},
		};
	},
};

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

function inQueueMode(workers: number, webhookProcessors: number): Layout {
	return {
		name: `${workers} workers, ${count(webhookProcessors, 'webhook processor')}`,
		start: async (tarball, env) => {
			const size = { workers, webhookProcessors, tarball, isDurable: true };
			const n8n = await startQueuedN8n({ ...size, env: { ...ownSettings, ...env } });
			const { api, webhookUrl, main, close } = n8n;
			const urlsOf = (programs: Array<{ url: string }>) => programs.map(({ url }) => url);
			const programs = {
				'main process': [main.url],
				workers: urlsOf(n8n.workers),
				'webhook processors': urlsOf(n8n.webhookProcessors),
			};
			return { api, webhookUrl, programs, close };
		},
	};
}

export const layouts: Layout[] = [oneProcess, inQueueMode(2, 1), inQueueMode(4, 2)];
