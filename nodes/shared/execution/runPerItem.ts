import {
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { ItemResults } from './ItemResults';
import { refuseTogether } from './refuseTogether';
import { forModel, isTool, requireOwnArguments } from './agentTool';
import { tellProgress } from './progress';

/** Reports one part of an item that went well, or did not, while its other parts go on. */
export interface ItemReport {
	add(json: IDataObject, output?: number): void;
	fail(error: unknown): void;
	/** Says who the item is for, as the user gave it, in case it fails. */
	isFor(to: unknown): void;
}

/** For nodes that send nothing while an item is wrong, where the user chose to stop at that. */
export interface ReadAhead {
	/** Reads and checks an item, and keeps what it has read for the work. */
	read(itemIndex: number): void;
	/** Whether an earlier try of the run has sent something. */
	isSentBefore(): boolean;
}

export interface PerItem {
	/** Does the work of one item. What it throws is the failure of the item. */
	work(itemIndex: number, report: ItemReport): Promise<void>;
	/** Resolves when the next item may be begun, or returns when it may be at once. Without it, one goes after the other. */
	hasRoom?(): Promise<void> | undefined;
	/** Without it, items are read one after the other, and what was read before a wrong one can be under way. */
	readAhead?: ReadAhead;
	/** Called once when every item was begun. */
	whenAllBegun?(): Promise<void>;
	/** Called as soon as an item has failed for good, and the user chose to stop at that. */
	whenStopped?(): void;
	/** What the work came to so far, in words; what takes minutes tells it while it goes on. */
	describe?(): string;
	outputs?: number;
	/** The output of failed items when the user chose to continue. */
	outputOfErrors?: number;
}

/**
 * The loop over the items that every action node shares: pairing, the order of the output, continue on fail. It is
 * the only place that catches what an item throws.
 */
export async function runPerItem(
	context: IExecuteFunctions,
	perItem: PerItem,
): Promise<ItemResults> {
	const { work, hasRoom, readAhead, whenAllBegun, whenStopped, describe } = perItem;
	const { outputs = 1, outputOfErrors = 0 } = perItem;
	const isOneOutput = isTool(context);
	const results = new ItemResults(
		context,
		isOneOutput ? 1 : outputs,
		isOneOutput ? 0 : outputOfErrors,
	);
	const workOnItem: PerItem['work'] = (item, report) => {
		if (isOneOutput) requireOwnArguments(context);
		return work(item, report);
	};
	const count = context.getInputData().length;
	const signal = context.getExecutionCancelSignal();
	const isToEnd = () => results.isStopped || signal?.aborted === true;
	const underWay: Array<Promise<void>> = [];
	const begun = () =>
		`Item ${underWay.length} of ${count}, ${describe?.()}, items failed: ${results.failedItems}.`;
	const endProgress = describe && tellProgress(context, begun);
	const begin = async (item: number) => {
		const report = openReport(context, results, item, { isOneOutput, whenStopped });
		const done = runItem(workOnItem, item, report);
		if (!hasRoom) await done;
		underWay.push(done);
		await hasRoom?.();
	};
	try {
		if (readAhead && !isOneOutput) await readAllAhead(readAhead, count, results, isToEnd);
		for (let item = 0; item < count && !isToEnd(); item += 1) await begin(item);
		if (!results.isStopped) await whenAllBegun?.();
		await Promise.all(underWay);
	} finally {
		endProgress?.();
	}
	return results;
}

/** After as many milliseconds the rest of n8n gets its turn. */
const turnMs = 50;

async function readAllAhead(
	{ read, isSentBefore }: ReadAhead,
	count: number,
	results: ItemResults,
	isToEnd: () => boolean,
): Promise<void> {
	if (!results.isToStop) return;
	const failures: Array<[number, unknown]> = [];
	let turnAt = Date.now() + turnMs;
	for (let item = 0; item < count && !isToEnd(); item += 1) {
		try {
			read(item);
		} catch (error) {
			failures.push([item, results.explain(item, error)]);
		}
		if (Date.now() < turnAt) continue;
		await sleep(0);
		turnAt = Date.now() + turnMs;
	}
	if (failures.length === 0) return;
	results.fail(failures[0][0], refuseTogether(failures, count, isSentBefore()));
}

function openReport(
	context: IExecuteFunctions,
	results: ItemResults,
	item: number,
	{ isOneOutput, whenStopped }: { isOneOutput: boolean; whenStopped?(): void },
): ItemReport {
	let given: unknown;
	return {
		add: (json, output = 0) =>
			isOneOutput ? results.add(item, forModel(json), 0) : results.add(item, json, output),
		fail: (error) => {
			const name = isOneOutput ? undefined : nameOf(context, item);
			results.fail(item, error, given === undefined ? {} : { to: given, name });
			if (results.isStopped) whenStopped?.();
		},
		isFor: (to) => {
			given = to;
		},
	};
}

/** The name that stands beside a number in most lists. */
function nameOf(context: IExecuteFunctions, item: number): unknown {
	const { json } = context.getInputData()[item];
	const key = Object.keys(json).find((field) => field.trim().toLowerCase() === 'name');
	return key === undefined ? undefined : json[key];
}

async function runItem(work: PerItem['work'], item: number, report: ItemReport): Promise<void> {
	try {
		await work(item, report);
	} catch (error) {
		report.fail(error);
	}
}

/** Most nodes: their items are their results. */
export async function runAndFinish(
	context: IExecuteFunctions,
	perItem: PerItem,
): Promise<INodeExecutionData[][]> {
	return (await runPerItem(context, perItem)).finish();
}

/** What a node remembers of a run, for another try of it. */
interface RunMemory {
	forgetRun(): void;
}

/**
 * What the node gives out. The memory of the run goes, unless n8n can run the node again: for a failure, or because
 * the first item of its output has a field `error` (Retry On Fail looks for one).
 */
export async function finishRun(
	results: ItemResults,
	openMemory: () => Promise<RunMemory>,
): Promise<INodeExecutionData[][]> {
	const output = results.finish();
	const error = output[0][0]?.json.error ?? false;
	if (results.failedItems === 0 && error === false) (await openMemory()).forgetRun();
	return output;
}
