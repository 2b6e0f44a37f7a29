import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { CredentialReference } from '../../scripts/n8n/n8nClient';
import type { N8nApi, NodeUnderTest } from '../harness';
import type { Contestant } from './measure';
import { startBenchSandbox, type BenchSandbox } from './sandboxControl';
import { prepareWorkflow } from './timedWorkflow';

/** What every part of the bench works with. */
export interface Bench {
	api: N8nApi;
	sandbox: BenchSandbox;
	/** Of the sandbox, in n8n. */
	credential: CredentialReference;
	/** Messages of the bulk part. */
	items: number;
	rounds: number;
	/** Called with what is being measured. */
	report(progress: string): void;
	/** What is to be done at the end, so that no workflow stays active. */
	endings: Array<() => Promise<void>>;
}

export interface Run {
	name: string;
	node: NodeUnderTest;
	items: IDataObject[];
	/** Something is wrong with a run that returns another number of items. */
	itemsOut: number;
	/** For work that is done only in part: the whole is so many times as much. */
	share?: number;
	/** Messages that the service has before the run. */
	seed?: number;
	/** Only requests to this path count; a run without one makes none. */
	path?: string;
	check?(items: INodeExecutionData[]): Promise<void>;
}

/** A workflow that is run over the same items in every round, with an empty service each time. */
export async function createContestant(bench: Bench, run: Run): Promise<Contestant> {
	const { api, sandbox } = bench;
	const { name, seed, share = 1, path } = run;
	const workflow = await prepareWorkflow(api, run.node);
	bench.endings.push(workflow.end);
	return {
		name,
		run: async () => {
			bench.report(name);
			await sandbox.prepare();
			if (seed) await sandbox.seed(seed);
			const { ms, items } = await workflow.run(run.items);
			if (items.length !== run.itemsOut) {
				throw new Error(`${name}: ${items.length} items, and not ${run.itemsOut}.`);
			}
			await run.check?.(items);
			if (!path) return { ms };
			const { requests, peakInFlight } = (await sandbox.stats()).byPath[path];
			return { ms: ms * share, requests: requests * share, peakInFlight };
		},
	};
}

type Settings = Pick<Bench, 'api' | 'items' | 'rounds'> & Partial<Pick<Bench, 'report'>>;

/** Works with a sandbox of its own, and leaves no workflow active. */
export async function useBench<T>(
	{ report = () => undefined, ...settings }: Settings,
	work: (bench: Bench) => Promise<T>,
): Promise<T> {
	const sandbox = await startBenchSandbox();
	try {
		const data = sandbox.credential;
		const type = 'messagingServiceApi';
		const credential = await settings.api.createCredential({ name: 'Bench', type, data });
		const bench: Bench = { ...settings, report, sandbox, credential, endings: [] };
		const result = await work(bench);
		for (const end of bench.endings) await end();
		return result;
	} finally {
		await sandbox.close();
	}
}
