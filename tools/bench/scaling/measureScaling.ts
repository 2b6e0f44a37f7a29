import { missingPrograms } from '../../../test/support/queue/services';
import type { BenchOptions } from '../benchOptions';
import { clearBench, openBench } from '../contestant';
import { median } from '../measure';
import { readMetric } from '../metrics';
import { startBenchSandbox } from '../sandboxControl';
import { formatTable } from '../table';
import {
	layouts,
	programKinds,
	type Layout,
	type ProgramKind,
	type RunningLayout,
} from './layouts';
import { planWorks } from './works';

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
	const sandbox = await startBenchSandbox();
	const running = await layout.start(tarball, env).catch(async (error: unknown) => {
		await sandbox.close();
		throw error;
	});
	try {
		const bench = await openBench(running.api, sandbox, {
			items,
			rounds: 1,
			hasHttpHelper: false,
			report,
		});
		const found: Measurement[] = [];
		for (const work of await planWorks(bench, running.webhookUrl)) {
			report(`${layout.name}: ${work.name}`);
			const before = await readProcessorSeconds(running);
			const ms = await work.run();
			const after = await readProcessorSeconds(running);
			const processorTime = Object.fromEntries(
				programKinds.map((kind) => [
					kind,
					(((after[kind] ?? 0) - (before[kind] ?? 0)) * 1000) / work.count,
				]),
			);
			const perSecond = (work.count / ms) * 1000;
			found.push({ layout: layout.name, work: work.name, perSecond, processorTime });
		}
		await clearBench(bench);
		return found;
	} finally {
		await running.close();
		await sandbox.close();
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
