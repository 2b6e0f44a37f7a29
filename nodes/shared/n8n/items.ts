import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCancelled, isPassing } from '../client/failure';
import { hideWaitingLinks } from '../client/secrets';
import { InputError } from '../input/InputError';
import {
	type ErrorItem,
	type Items,
	placeOf,
	reasonOf,
	toErrorItem,
	toNodeError,
	withoutEmpty,
} from './errors';
import { nameExpression } from './expression';
import { forModel, isTool, isToolThatResponds, requireOwnArguments } from './tool';

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

export function isStoppedByFailure(context: IExecuteFunctions): boolean {
	return !context.continueOnFail() && !isToolThatResponds(context);
}

interface Outputs {
	/** Default 1. As a tool, a node has one. */
	outputs?: number;
	/** Whether anything was sent for an item with an input error, as a sentence; absent for reads. */
	outcomeOf?(item: number): string;
	/** Further fields of an error item. They win over the input, which n8n merges into it. */
	failedFields?: IDataObject;
	/** What an error item says in one word. Its reason, without advice, is then in its details. */
	resultOf?(failure: unknown): string;
}

/** The result of each item, in input order. With On Error set to continue, a failure becomes an item. */
export class ItemResults {
	readonly isToStop: boolean;
	/** No further item may start: one failed permanently, and a failure fails the node. */
	isStopped = false;
	readonly failures = new Map<number, unknown>();
	private isFinished = false;
	private readonly isOfTool: boolean;
	private readonly outputs: number;
	private readonly byItem = new Map<number, INodeExecutionData[][]>();
	private readonly given: unknown[] = [];

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly settings: Outputs = {},
	) {
		this.isToStop = isStoppedByFailure(context);
		this.isOfTool = isTool(context);
		this.outputs = this.isOfTool ? 1 : (settings.outputs ?? 1);
	}

	/** Sets the recipient, as the user entered it, for an error item. */
	isFor(item: number, to: unknown): void {
		this.given[item] = to;
	}

	add(item: number, json: IDataObject, output = 0): void {
		const visible = hideWaitingLinks(this.isOfTool ? forModel(json) : json);
		const place = this.isOfTool ? 0 : output;
		this.slot(item)[place].push({ json: visible, pairedItem: { item } });
	}

	/** The failure, in terms of what the user filled in. */
	explain(item: number, failure: unknown): unknown {
		return nameExpression(this.context, failure, item);
	}

	/** @param to the recipient that it is about, if the item has several */
	fail(item: number, failure: unknown, to: unknown = this.given[item]): void {
		const explained = this.explain(item, failure);
		const isOfInput = explained instanceof InputError;
		const outcome = this.settings.outcomeOf?.(item) ?? '';
		const error = isOfInput ? explained.withOutcome(outcome) : explained;
		if (!this.failures.has(item)) this.failures.set(item, error);
		if (this.isToStop) this.isStopped ||= !isPassing(error);
		else this.slot(item)[0].push(this.toItem(item, error, to));
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
			const [item, error] = failed;
			const thrown = toNodeError(this.context.getNode(), error, placeOf(this.context, item));
			const said = thrown.description ?? '';
			const afterword = toAfterword(said);
			if (afterword) thrown.description = [said, afterword].filter(Boolean).join(' ');
			throw thrown;
		}
		const slots = [...this.byItem.entries()].sort(([a], [b]) => a - b).map(([, slot]) => slot);
		return Array.from({ length: this.outputs }, (_, output) =>
			slots.flatMap((slot) => slot[output]),
		);
	}

	/**
	 * `to` and `name` come first, except on the error output, where n8n puts the fields of the input item first.
	 * Most versions of n8n move only items with an `error` to the error output. If it were enumerable, it would stay
	 * on the item, and n8n would replace all of the item's data with its message.
	 */
	private toItem(item: number, error: unknown, given: unknown): INodeExecutionData {
		const { context, settings } = this;
		const place = placeOf(context, item);
		const beside = this.isOfTool ? undefined : findName(context, item);
		const about = given === undefined ? {} : { to: given, name: beside };
		const json: ErrorItem & IDataObject = {
			...toErrorItem(error, place, about),
			...settings.failedFields,
		};
		if (settings.resultOf && !this.isOfTool) {
			json.result = settings.resultOf(error);
			json.details.reason = reasonOf(error);
		}
		const pairedItem = { item };
		const node = context.getNode();
		if (node.onError !== 'continueErrorOutput') {
			const { to, name } = json.details;
			return { json: withoutEmpty({ to, name, ...json }), pairedItem };
		}
		const output: INodeExecutionData = { json, pairedItem };
		return Object.defineProperty(output, 'error', { value: toNodeError(node, error, place) });
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

	private slot(item: number): INodeExecutionData[][] {
		const slot = this.byItem.get(item) ?? Array.from({ length: this.outputs }, () => []);
		this.byItem.set(item, slot);
		return slot;
	}
}

/** The name that most lists have beside the number. */
export function findName(context: Items, item: number): unknown {
	const { json } = context.getInputData()[item];
	const key = Object.keys(json).find((field) => field.trim().toLowerCase() === 'name');
	return key === undefined ? undefined : json[key];
}

interface PerItem extends Outputs {
	/** Processes one item. An error that it throws fails the item. */
	work(item: number, results: ItemResults): Promise<void>;
}

/** Processes items in sequence. Nodes that send use `sendItems`, which reads all items first. */
export async function runPerItem(
	context: IExecuteFunctions,
	{ work, ...settings }: PerItem,
): Promise<ItemResults> {
	const results = new ItemResults(context, settings);
	const signal = context.getExecutionCancelSignal();
	const { length } = context.getInputData();
	for (let item = 0; item < length && !results.isStopped && !signal?.aborted; item += 1) {
		try {
			requireOwnArguments(context);
			await work(item, results);
		} catch (error) {
			results.fail(item, error);
		}
	}
	return results;
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
