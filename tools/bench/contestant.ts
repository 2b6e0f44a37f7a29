import type { IConnections, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { CredentialReference } from '../../scripts/n8n/n8nClient';
import type { N8nApi } from '../harness/N8nApi';
import type { FaultRule } from '../../sandbox';
import type { NodeUnderTest } from '../harness';
import type { Contestant } from './measure';
import { latencyMs, type BenchSandbox } from './sandboxControl';
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
	/** Whether n8n has the node of the bench itself (extension/). */
	hasHttpHelper: boolean;
	/** Called with what is being measured. */
	report(progress: string): void;
	/** What is to be done at the end, so that no workflow stays active. */
	endings: Array<() => Promise<void>>;
}

export interface Run {
	name: string;
	/** The last one is measured. */
	nodes: NodeUnderTest[];
	connections?: IConnections;
	items: IDataObject[];
	/** Something is wrong with a run that gives another number of items; any number when it is left out. */
	itemsOut?: number;
	/** For work that is done only in part: the whole is so many times as much. */
	share?: number;
	/** What the service holds before the run. */
	seed?: number;
	/** How old all of that is, in milliseconds; a second more for each when it is left out. */
	seedAgeMs?: number;
	/** Only requests to this path count; all when it is left out. */
	path?: string;
	/** An execution meets it and fails; what is measured is the retry, without it. */
	fault?: FaultRule;
	/** Goes on during the run, until it has ended. */
	meanwhile?(hasEnded: () => boolean): Promise<void>;
	check?(items: INodeExecutionData[]): Promise<void>;
}

/** A workflow that is run over the same items in every round, with an empty service each time. */
export async function createContestant(bench: Bench, run: Run): Promise<Contestant> {
	const { api, sandbox } = bench;
	const workflow = await prepareWorkflow(api, run);
	bench.endings.push(workflow.end);
	return {
		name: run.name,
		run: async () => {
			bench.report(run.name);
			await sandbox.prepare();
			const { seed, seedAgeMs } = run;
			if (seed) await sandbox.seed(seed, seedAgeMs && Date.now() - seedAgeMs);
			if (run.fault) await sandbox.addFault(run.fault);
			const execute = async () =>
				run.fault
					? await workflow.retry(run.items, sandbox.clearFaults)
					: await workflow.run(run.items);
			let hasEnded = false;
			const others = run.meanwhile?.(() => hasEnded);
			const { ms, items } = await execute().finally(() => (hasEnded = true));
			await others;
			if (items.length !== (run.itemsOut ?? items.length)) {
				throw new Error(`${run.name}: ${items.length} items, and not ${run.itemsOut}.`);
			}
			await run.check?.(items);
			const { share = 1, path } = run;
			const stats = await sandbox.stats();
			const { requests, peakInFlight } = path ? stats.byPath[path] : stats;
			return { ms: ms * share, requests: requests * share, peakInFlight };
		},
	};
}

export async function openBench(
	api: N8nApi,
	sandbox: BenchSandbox,
	settings: Pick<Bench, 'items' | 'rounds' | 'hasHttpHelper' | 'report'>,
): Promise<Bench> {
	const data = sandbox.credential;
	const credential = await api.createCredential({
		name: 'Bench',
		type: 'messagingServiceApi',
		data,
	});
	return { api, sandbox, credential, endings: [], ...settings };
}

export async function clearBench({ endings }: Bench): Promise<void> {
	for (const end of endings.splice(0)) await end();
}

/** The time that so many requests need with the allowed number always in flight. */
export function idealMs(requests: number, parallel: number): number {
	return Math.ceil(requests / parallel) * latencyMs;
}

/** Messages of SMS Bulk Send in each request, and its requests in flight, by default. */
const bulkDefaults = { recipientsPerRequest: 100, parallelRequests: 5 };

export function idealBulkMs(messages: number): number {
	const { recipientsPerRequest, parallelRequests } = bulkDefaults;
	return idealMs(Math.ceil(messages / recipientsPerRequest), parallelRequests);
}

/** What a bulk send may take at most, as a multiple of the ideal: n8n's own part comes on top. */
export function bulkBound(messages: number, noOperationMs: number): number {
	return 1.2 + noOperationMs / idealBulkMs(messages);
}
