import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import type { DeliveryReceipt } from '../shared/receipt/receipt';

/** When the execution of a batch that is not full starts, in milliseconds. */
export const gatherTiming = { quietMs: 40, longestMs: 1_000 };

/** What a call does: start an execution with all of these, or respond like the call that starts it. */
export type Gathered = { toStart: DeliveryReceipt[] } | { isStarted: boolean };

/** Receipts of concurrent calls. The first call starts the execution for all of them. */
class Batch {
	readonly receipts: DeliveryReceipt[] = [];
	private isClosed = false;
	private wake = () => {};
	private readonly closed = new Promise<void>((resolve) => (this.wake = resolve));

	/** @param isStarted whether n8n started the execution of the first call */
	constructor(readonly isStarted: Promise<boolean>) {}

	close(): void {
		this.isClosed = true;
		this.wake();
	}

	/** Resolves when the batch is closed, no call has come for a while, or the longest wait has passed. */
	async fill(): Promise<void> {
		const end = performance.now() + gatherTiming.longestMs;
		let seen = 0;
		while (seen < this.receipts.length && !this.isClosed && performance.now() < end) {
			seen = this.receipts.length;
			await Promise.race([this.closed, sleep(gatherTiming.quietMs)]);
		}
	}
}

/** By workflow and node. */
const open = new Map<string, Batch>();

/**
 * Batches receipts of several calls, up to `most` per execution; a call with more starts its own. No call gets a
 * response before its execution has started.
 */
export async function gatherReceipts(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
	most: number,
): Promise<Gathered> {
	// The test URL accepts a single call.
	if (most === 1 || context.getMode() === 'manual') return { toStart: receipts };
	const key = `${context.getWorkflow().id}/${context.getNode().id}`;
	const found = open.get(key);
	const hasRoom = found !== undefined && found.receipts.length + receipts.length <= most;
	if (!hasRoom) found?.close();
	const batch = hasRoom ? found : new Batch(hasStarted(context.getResponseObject()));
	batch.receipts.push(...receipts);
	if (batch.receipts.length >= most) batch.close();
	if (hasRoom) return { isStarted: await batch.isStarted };
	open.set(key, batch);
	await batch.fill();
	if (open.get(key) === batch) open.delete(key);
	return { toStart: batch.receipts };
}

type HttpResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/** How long a call waits for the outcome of another call with the same receipt, in milliseconds. */
export const startTiming = { longestWaitMs: 20_000 };

/** n8n responds with 200 once it has started the execution. `prefinish` fires even if the caller has hung up. */
export async function hasStarted(response: HttpResponse): Promise<boolean> {
	if (!response.writableEnded)
		await new Promise<void>((resolve) => response.once('prefinish', () => resolve()));
	return response.statusCode === 200;
}

/** Max length of a sleep, so that none long outlasts the wait. */
const napMs = 250;

/** Whether all executions of other calls are known to have started, within `startTiming`. */
export async function haveOthersStarted(others: Array<Promise<boolean>>): Promise<boolean> {
	if (others.length === 0) return true;
	const end = performance.now() + startTiming.longestWaitMs;
	const all = Promise.all(others).then((started) => started.every(Boolean));
	for (let left = startTiming.longestWaitMs; left > 0; left = end - performance.now()) {
		const nap = sleep(Math.min(left, napMs)).then(() => undefined);
		const result = await Promise.race([all, nap]);
		if (result !== undefined) return result;
	}
	return false;
}
