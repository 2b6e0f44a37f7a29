import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { forModel, isTool, requireOwnArguments } from './agentTool';
import { ItemResults } from './ItemResults';
import type { ErrorItem } from './toNodeError';

/** Reports the success or failure of one part of an item; its other parts continue. */
export interface ItemReport {
	add(json: IDataObject, output?: number): void;
	fail(error: unknown): void;
	/** Sets the recipient, as the user entered it, for an error item. */
	isFor(to: unknown): void;
	readonly to: unknown;
}

export interface PerItem {
	/** Processes one item. An error that it throws fails the item. */
	work(itemIndex: number, report: ItemReport): Promise<void>;
	outputs?: number;
	/** Whether anything was sent for an item with an input error, as a sentence; absent for reads. */
	outcomeOf?(itemIndex: number): string;
	/** Further fields of an error item. They win over the input, which n8n merges into it. */
	describeFailed?(item: ErrorItem): IDataObject;
}

/** Processes items in sequence. Nodes that send use `sendItems`, which reads all items first. */
export async function runPerItem(
	context: IExecuteFunctions,
	{ work, outputs = 1, outcomeOf, describeFailed }: PerItem,
): Promise<ItemResults> {
	const isOneOutput = isTool(context);
	const results = new ItemResults(context, isOneOutput ? 1 : outputs, outcomeOf, describeFailed);
	const signal = context.getExecutionCancelSignal();
	const { length } = context.getInputData();
	for (let item = 0; item < length && !results.isStopped && !signal?.aborted; item += 1) {
		const report = openReport(context, results, item, isOneOutput);
		try {
			if (isOneOutput) requireOwnArguments(context);
			await work(item, report);
		} catch (error) {
			report.fail(error);
		}
	}
	return results;
}

/** Returns what `read` throws as a value. */
export function attempt<T>(read: () => T): { value: T } | { error: unknown } {
	try {
		return { value: read() };
	} catch (error) {
		return { error };
	}
}

export function openReport(
	context: IExecuteFunctions,
	results: ItemResults,
	item: number,
	isOneOutput: boolean,
): ItemReport {
	let given: unknown;
	return {
		add: (json, output) =>
			isOneOutput ? results.add(item, forModel(json)) : results.add(item, json, output),
		fail: (error) => {
			const name = isOneOutput ? undefined : findName(context, item);
			results.fail(item, error, given === undefined ? {} : { to: given, name });
		},
		isFor: (to) => {
			given = to;
		},
		get to() {
			return given;
		},
	};
}

/** The name that most lists have beside the number. */
function findName(context: IExecuteFunctions, item: number): unknown {
	const { json } = context.getInputData()[item];
	const key = Object.keys(json).find((field) => field.trim().toLowerCase() === 'name');
	return key === undefined ? undefined : json[key];
}

export async function runAndFinish(
	context: IExecuteFunctions,
	perItem: PerItem,
): Promise<INodeExecutionData[][]> {
	return (await runPerItem(context, perItem)).finish();
}

/**
 * The output of a node. Clears the memory of the run, unless n8n may run the node again: after a failure, or because
 * the first output item has a field `error`, which triggers Retry On Fail.
 * @param afterword ends the description of an error that fails the node
 */
export async function finishRun(
	results: ItemResults,
	openMemory: () => Promise<{ forgetRun(): void }>,
	afterword = '',
): Promise<INodeExecutionData[][]> {
	const output = results.finish(afterword);
	const error = output[0][0]?.json.error ?? false;
	if (results.failedItems === 0 && error === false) (await openMemory()).forgetRun();
	return output;
}
