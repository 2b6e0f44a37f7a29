import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isPassing } from '../client/ServiceError';
import { nameEmptyExpression } from './emptyExpression';
import { toErrorItem, toNodeError, type AboutItem } from './toNodeError';
import { isToolThatAnswers } from './agentTool';

/**
 * Collects what became of each item, in the order of the input, and decides what a failure does: with On Error
 * set to continue it becomes an item, otherwise it ends the node once everything that was under way has ended.
 */
export class ItemResults {
	private readonly goesOn: boolean;
	private readonly byItem = new Map<number, INodeExecutionData[][]>();
	private readonly failures = new Map<number, unknown>();
	private hasStopped = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly outputs: number,
		private readonly outputOfErrors = 0,
	) {
		this.goesOn = context.continueOnFail() || isToolThatAnswers(context);
	}

	/** No further item is to be begun: one failed for good, and the user chose to stop at that. */
	get isStopped(): boolean {
		return this.hasStopped;
	}

	get failedItems(): number {
		return this.failures.size;
	}

	/** Whether one failure for good ends the node. */
	get isToStop(): boolean {
		return !this.goesOn;
	}

	add(itemIndex: number, json: IDataObject, output = 0): void {
		this.slot(itemIndex)[output].push({ json, pairedItem: { item: itemIndex } });
	}

	/** The failure in the words of what the user has filled in. */
	explain(itemIndex: number, failure: unknown): unknown {
		return nameEmptyExpression(this.context, failure, itemIndex);
	}

	/** @param about what an error item tells of the item, whatever failed */
	fail(itemIndex: number, failure: unknown, about: AboutItem = {}): void {
		const error = this.explain(itemIndex, failure);
		if (!this.failures.has(itemIndex)) this.failures.set(itemIndex, error);
		if (this.goesOn) {
			this.slot(itemIndex)[this.outputOfErrors].push(this.toItem(itemIndex, error, about));
		} else if (!isPassing(error)) {
			this.hasStopped = true;
		}
	}

	finish(): INodeExecutionData[][] {
		const failed = this.findCause();
		if (failed && !this.goesOn) {
			const [itemIndex, error] = failed;
			throw toNodeError(this.context.getNode(), error, itemIndex);
		}
		const items = [...this.byItem.keys()].sort((a, b) => a - b).map((item) => this.slot(item));
		return Array.from({ length: this.outputs }, (_, output) =>
			items.flatMap((slot) => slot[output]),
		);
	}

	/**
	 * Most versions of n8n move an item to the error output only by the mark `error`: of keys, they know `error` and
	 * `message`, and not `details`. A mark that can be counted among the keys of the item would stay on it when it is
	 * moved, and n8n would put its message in the place of everything that the item holds.
	 */
	private toItem(itemIndex: number, error: unknown, about: AboutItem): INodeExecutionData {
		const json = { ...toErrorItem(error, itemIndex, about) };
		const item: INodeExecutionData = { json, pairedItem: { item: itemIndex } };
		const node = this.context.getNode();
		if (node.onError !== 'continueErrorOutput') return item;
		return Object.defineProperty(item, 'error', { value: toNodeError(node, error, itemIndex) });
	}

	/** The failure to show for the node: the one that stopped it, otherwise that of the first item. */
	private findCause(): [number, unknown] | undefined {
		const failures = [...this.failures.entries()];
		const inOrder = [...failures].sort(([a], [b]) => a - b);
		return failures.find(([, error]) => !isPassing(error)) ?? inOrder[0];
	}

	private slot(itemIndex: number): INodeExecutionData[][] {
		const slot = this.byItem.get(itemIndex);
		if (slot) return slot;
		const fresh = this.outputs === 1 ? [[]] : Array.from({ length: this.outputs }, () => []);
		this.byItem.set(itemIndex, fresh);
		return fresh;
	}
}
