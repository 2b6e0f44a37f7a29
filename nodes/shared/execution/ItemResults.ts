import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isPassing } from '../client/ServiceError';
import { nameEmptyExpression } from './emptyExpression';
import { toErrorItem, toNodeError, withoutEmpty, type AboutItem } from './toNodeError';
import { isToolThatAnswers } from './agentTool';

/** The result of each item, in the order of the input. With On Error set to continue, a failure becomes an item. */
export class ItemResults {
	/** Whether one failure for good ends the node. */
	readonly isToStop: boolean;
	/** No further item is to be begun: one failed for good, and the user chose to stop at that. */
	isStopped = false;
	private readonly byItem = new Map<number, INodeExecutionData[][]>();
	private readonly failures = new Map<number, unknown>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly outputs: number,
	) {
		this.isToStop = !context.continueOnFail() && !isToolThatAnswers(context);
	}

	get failedItems(): number {
		return this.failures.size;
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
		if (this.isToStop) this.isStopped ||= !isPassing(error);
		else this.slot(itemIndex)[0].push(this.toItem(itemIndex, error, about));
	}

	/** @param afterword ends the description of the failure that is thrown */
	finish(afterword = ''): INodeExecutionData[][] {
		const failed = this.findCause();
		if (failed && this.isToStop) {
			const [itemIndex, error] = failed;
			const thrown = toNodeError(this.context.getNode(), error, itemIndex);
			if (afterword) thrown.description = [thrown.description, afterword].filter(Boolean).join(' ');
			throw thrown;
		}
		const items = [...this.byItem.keys()].sort((a, b) => a - b).map((item) => this.slot(item));
		return Array.from({ length: this.outputs }, (_, output) =>
			items.flatMap((slot) => slot[output]),
		);
	}

	/**
	 * To and name stand in front, but for the error output, where n8n puts the fields of the input item in front itself.
	 * Most versions of n8n move an item to the error output only by the mark `error`. Were it enumerable, it would stay on
	 * the item, and n8n would put its message in the place of everything that the item holds.
	 */
	private toItem(itemIndex: number, error: unknown, about: AboutItem): INodeExecutionData {
		const json = { ...toErrorItem(error, itemIndex, about) };
		const pairedItem = { item: itemIndex };
		const node = this.context.getNode();
		if (node.onError !== 'continueErrorOutput') {
			const { to, name } = json.details;
			return { json: withoutEmpty({ to, name, ...json }), pairedItem };
		}
		const item: INodeExecutionData = { json, pairedItem };
		return Object.defineProperty(item, 'error', { value: toNodeError(node, error, itemIndex) });
	}

	/** The failure to show for the node: the one that stopped it, otherwise that of the first item. */
	private findCause(): [number, unknown] | undefined {
		const failures = [...this.failures.entries()];
		const inOrder = [...failures].sort(([a], [b]) => a - b);
		return failures.find(([, error]) => !isPassing(error)) ?? inOrder[0];
	}

	private slot(itemIndex: number): INodeExecutionData[][] {
		const slot = this.byItem.get(itemIndex) ?? Array.from({ length: this.outputs }, () => []);
		this.byItem.set(itemIndex, slot);
		return slot;
	}
}
