import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ItemResults } from './ItemResults';
import { forModel, isTool, requireOwnArguments } from './agentTool';
import { tellProgress } from './progress';

export interface ItemOutput {
	json: IDataObject;
	/** 0 when it is left out. */
	output?: number;
}

/** Reports one part of an item that went well, or did not, while its other parts go on. */
export interface ItemReport {
	add(json: IDataObject, output?: number): void;
	fail(error: unknown): void;
}

export interface PerItem {
	/** Does the work of one item. What it throws is the failure of the item. */
	work(itemIndex: number, report: ItemReport): Promise<void>;
	/** Resolves when the next item may be begun, or returns when it may be at once. Without it, one goes after the other. */
	hasRoom?(): Promise<void> | undefined;
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
	{ work, hasRoom, whenAllBegun, whenStopped, describe, outputs = 1, outputOfErrors = 0 }: PerItem,
): Promise<ItemResults> {
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
	const underWay: Array<Promise<void>> = [];
	const begun = () =>
		`Item ${underWay.length} of ${count}, ${describe?.()}, items failed: ${results.failedItems}.`;
	const endProgress = describe && tellProgress(context, begun);
	try {
		for (let item = 0; item < count && !results.isStopped; item += 1) {
			const report: ItemReport = {
				add: (json, output = 0) =>
					isOneOutput ? results.add(item, forModel(json), 0) : results.add(item, json, output),
				fail: (error) => {
					results.fail(item, error);
					if (results.isStopped) whenStopped?.();
				},
			};
			const done = runItem(workOnItem, item, report);
			if (!hasRoom) await done;
			underWay.push(done);
			await hasRoom?.();
		}
		if (!results.isStopped) await whenAllBegun?.();
		await Promise.all(underWay);
	} finally {
		endProgress?.();
	}
	return results;
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
