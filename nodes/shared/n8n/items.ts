import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCancelled, isPassing } from '../client/failure';
import { hideWaitingLinks } from '../client/secrets';
import { InputError } from '../input/InputError';
import { forModel, isTool, isToolThatResponds, requireOwnArguments } from './tool';
import { nameExpression } from './expression';
import {
	type AboutItem,
	type Items,
	placeOf,
	toErrorItem,
	toNodeError,
	withoutEmpty,
} from './errors';

/** Adds hints below the output of the node; none for an empty text. */
export function addHints(context: IExecuteFunctions, ...texts: string[]): void {
	for (const message of texts.filter(Boolean))
		context.addExecutionHints({ message, location: 'outputPane' });
}

/** Opens once and returns the same promise to every call, so a failure fails every item that needs it. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
	let opening: Promise<T> | undefined;
	return () => (opening ??= open());
}

/** Whether a failure fails the whole node. */
export function isStoppedByFailure(context: IExecuteFunctions): boolean {
	return !context.continueOnFail() && !isToolThatResponds(context);
}

/** The result of each item, in input order. With On Error set to continue, a failure becomes an item. */
export class ItemResults {
	readonly isToStop: boolean;
	/** No further item may start: one failed permanently, and a failure fails the node. */
	isStopped = false;
	private isFinished = false;
	private readonly byItem = new Map<number, INodeExecutionData[][]>();
	/** By item. */
	readonly failures = new Map<number, unknown>();

	/**
	 * @param outcomeOf whether anything was sent for an item with an input error, as a sentence; empty for reads
	 * @param failedFields further fields of an error item
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly outputs: number,
		private readonly outcomeOf: (itemIndex: number) => string = () => '',
		private readonly failedFields: IDataObject = {},
	) {
		this.isToStop = isStoppedByFailure(context);
	}

	add(itemIndex: number, json: IDataObject, output = 0): void {
		const visible = hideWaitingLinks(json);
		this.slot(itemIndex)[output].push({ json: visible, pairedItem: { item: itemIndex } });
	}

	/** The failure, in terms of what the user filled in. */
	explain(itemIndex: number, failure: unknown): unknown {
		return nameExpression(this.context, failure, itemIndex);
	}

	/** @param about identifies the item in an error item */
	fail(itemIndex: number, failure: unknown, about: AboutItem = {}): void {
		const explained = this.explain(itemIndex, failure);
		const isOfInput = explained instanceof InputError;
		const error = isOfInput ? explained.withOutcome(this.outcomeOf(itemIndex)) : explained;
		if (!this.failures.has(itemIndex)) this.failures.set(itemIndex, error);
		if (this.isToStop) this.isStopped ||= !isPassing(error);
		else this.slot(itemIndex)[0].push(this.toItem(itemIndex, error, about));
	}

	/** The output that `work` returns. What it throws fails all items, unless it is the error of `finish`. */
	async orFail(work: () => Promise<INodeExecutionData[][]>): Promise<INodeExecutionData[][]> {
		return await work().catch((error: unknown) => {
			if (this.isFinished) throw error;
			this.context.getInputData().forEach((_, item) => this.fail(item, error));
			return this.finish();
		});
	}

	/** @param toAfterword ends the description of the error that is thrown, by what it says already */
	finish(toAfterword: (said: string) => string = () => ''): INodeExecutionData[][] {
		this.isFinished = true;
		const failed = this.findCause();
		if (failed && this.isToStop) {
			const [itemIndex, error] = failed;
			const place = placeOf(this.context, itemIndex);
			const thrown = toNodeError(this.context.getNode(), error, place);
			const said = thrown.description ?? '';
			const afterword = toAfterword(said);
			if (afterword) thrown.description = [said, afterword].filter(Boolean).join(' ');
			throw thrown;
		}
		const items = [...this.byItem.keys()].sort((a, b) => a - b).map((item) => this.slot(item));
		return Array.from({ length: this.outputs }, (_, output) =>
			items.flatMap((slot) => slot[output]),
		);
	}

	/**
	 * `to` and `name` come first, except on the error output, where n8n puts the fields of the input item first.
	 * Most versions of n8n move only items with an `error` to the error output. If it were enumerable, it would stay
	 * on the item, and n8n would replace all of the item's data with its message.
	 */
	private toItem(itemIndex: number, error: unknown, about: AboutItem): INodeExecutionData {
		const place = placeOf(this.context, itemIndex);
		const json = { ...toErrorItem(error, place, about), ...this.failedFields };
		const pairedItem = { item: itemIndex };
		const node = this.context.getNode();
		if (node.onError !== 'continueErrorOutput') {
			const { to, name } = json.details;
			return { json: withoutEmpty({ to, name, ...json }), pairedItem };
		}
		const item: INodeExecutionData = { json, pairedItem };
		return Object.defineProperty(item, 'error', { value: toNodeError(node, error, place) });
	}

	/**
	 * The failure to show for the node: the permanent one that stopped it, otherwise that of the first failed item. A
	 * message that was not sent because the node stopped only follows from it.
	 */
	private findCause(): [number, unknown] | undefined {
		const all = [...this.failures.entries()];
		const causes = all.filter(([, error]) => !isCancelled(error));
		const failures = causes.length > 0 ? causes : all;
		const inOrder = [...failures].sort(([a], [b]) => a - b);
		return failures.find(([, error]) => !isPassing(error)) ?? inOrder[0];
	}

	private slot(itemIndex: number): INodeExecutionData[][] {
		const slot = this.byItem.get(itemIndex) ?? Array.from({ length: this.outputs }, () => []);
		this.byItem.set(itemIndex, slot);
		return slot;
	}
}

/** Reports the success or failure of one part of an item; its other parts continue. */
export interface ItemReport {
	add(json: IDataObject, output?: number): void;
	/** @param to the recipient that it is about, if the item has several */
	fail(error: unknown, to?: unknown): void;
	/** Sets the recipient, as the user entered it, for an error item. */
	isFor(to: unknown): void;
}

export interface PerItem {
	/** Processes one item. An error that it throws fails the item. */
	work(itemIndex: number, report: ItemReport): Promise<void>;
	outputs?: number;
	/** Whether anything was sent for an item with an input error, as a sentence; absent for reads. */
	outcomeOf?(itemIndex: number): string;
	/** Further fields of an error item. They win over the input, which n8n merges into it. */
	failedFields?: IDataObject;
}

/** Processes items in sequence. Nodes that send use `sendItems`, which reads all items first. */
export async function runPerItem(
	context: IExecuteFunctions,
	{ work, outputs = 1, outcomeOf, failedFields }: PerItem,
): Promise<ItemResults> {
	const isOneOutput = isTool(context);
	const results = new ItemResults(context, isOneOutput ? 1 : outputs, outcomeOf, failedFields);
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
		fail: (error, to = given) => {
			const name = isOneOutput ? undefined : findName(context, item);
			results.fail(item, error, to === undefined ? {} : { to, name });
		},
		isFor: (to) => {
			given = to;
		},
	};
}

/** The name that most lists have beside the number. */
export function findName(context: Items, item: number): unknown {
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
 * @param toAfterword ends the description of an error that fails the node
 */
export async function finishRun(
	results: ItemResults,
	openMemory: () => Promise<{ forgetRun(): void }>,
	toAfterword?: (said: string) => string,
): Promise<INodeExecutionData[][]> {
	const output = results.finish(toAfterword);
	const error = output[0][0]?.json.error ?? false;
	if (results.failures.size === 0 && error === false) (await openMemory()).forgetRun();
	return output;
}
