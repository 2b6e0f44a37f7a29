import { postgresSettings, startQueuedN8n } from '../../../test/support/queue/queuedN8n';
import { missingPrograms, startPostgres } from '../../../test/support/queue/services';
import { startN8n, type N8nApi } from '../../harness';
import type { BenchOptions } from '../benchOptions';
import { readMetric } from '../calls';
import { useBench } from '../contestant';
import { formatTable, median } from '../measure';
import { planWorks } from './works';

/** An n8n of one process or of several. */
interface RunningLayout {
	api: N8nApi;
	/** Where production URLs begin. */
	webhookUrl: string;
	/** Addresses of n8n's programs, by their kind. */
	programs: Partial<Record<ProgramKind, string[]>>;
	close(): Promise<void>;
}

const programKinds = ['main process', 'workers', 'webhook processors'] as const;
type ProgramKind = (typeof programKinds)[number];

interface Layout {
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

function inQueueMode(workers: number, webhookProcessors: number): Layout {
	return {
		name: `Workers: ${workers}, webhook processors: ${webhookProcessors}`,
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

const layouts: Layout[] = [oneProcess, inQueueMode(2, 1), inQueueMode(4, 2)];

type ProcessorTime = Partial<Record<ProgramKind, number>>;

/** One run of a work in a layout. */
export interface Measurement {
	layout: string;
	work: string;
	perSecond: number;
	/** Milliseconds for each message or receipt. */
	processorTime: ProcessorTime;
}

interface Request extends Pick<BenchOptions, 'items' | 'rounds' | 'env'> {
	tarball: string;
	report(progress: string): void;
}

async function readProcessorSeconds({ programs }: RunningLayout): Promise<ProcessorTime> {
	const read = async (url: string) => await readMetric(url, 'n8n_process_cpu_seconds_total');
	const times = Object.entries(programs).map(async ([kind, urls]) => {
		const seconds = await Promise.all(urls.map(read));
		return [kind, seconds.reduce((sum, one) => sum + one, 0)] as const;
	});
	return Object.fromEntries(await Promise.all(times));
}

async function measureLayout(layout: Layout, request: Request): Promise<Measurement[]> {
	const { tarball, env, items, report } = request;
	const running = await layout.start(tarball, env);
	try {
		return await useBench({ api: running.api, items, rounds: 1 }, async (bench) => {
			const found: Measurement[] = [];
			for (const { name, count, run } of await planWorks(bench, running.webhookUrl)) {
				report(`${layout.name}: ${name}`);
				const before = await readProcessorSeconds(running);
				const ms = await run();
				const after = await readProcessorSeconds(running);
				const each = (kind: ProgramKind) =>
					(((after[kind] ?? 0) - (before[kind] ?? 0)) * 1000) / count;
				const processorTime = Object.fromEntries(programKinds.map((kind) => [kind, each(kind)]));
				const perSecond = (count / ms) * 1000;
				found.push({ layout: layout.name, work: name, perSecond, processorTime });
			}
			return found;
		});
	} finally {
		await running.close();
	}
}

/**
 * What n8n does in a second as one process and in queue mode, each layout in turn in every round.
 * @returns nothing where queue mode cannot run
 */
export async function measureScaling(request: Request): Promise<Measurement[]> {
	if (missingPrograms.length > 0) {
		request.report(`Not measured: queue mode needs ${missingPrograms.join(' and ')}`);
		return [];
	}
	const found: Measurement[] = [];
	for (let round = 0; round < request.rounds; round += 1) {
		for (const layout of round % 2 === 0 ? layouts : [...layouts].reverse()) {
			found.push(...(await measureLayout(layout, request)));
		}
	}
	return found;
}

export function formatScaling(measurements: Measurement[]): string {
	const works = [...new Set(measurements.map(({ work }) => work))];
	const of = (layout: string, work: string) =>
		measurements.filter((one) => one.layout === layout && one.work === work);
	const rates = works.map((work) => [
		work,
		...layouts.map(({ name }) => median(of(name, work).map((one) => one.perSecond)).toFixed(0)),
	]);
	const times = works.flatMap((work) =>
		layouts.map(({ name }) => [
			work,
			name,
			...programKinds.map((kind) =>
				median(of(name, work).map((one) => one.processorTime[kind] ?? 0)).toFixed(2),
			),
		]),
	);
	return [
		formatTable(['A second', ...layouts.map(({ name }) => name)], rates),
		formatTable(['Milliseconds of a processor for each', 'Layout', ...programKinds], times),
	].join('\n\n');
}
