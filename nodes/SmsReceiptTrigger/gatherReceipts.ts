import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import type { DeliveryReceipt } from '../shared/receipt/receipt';
import { hasStarted } from './started';

/** When an execution starts although it could begin with more receipts, in milliseconds. */
export const gatherTiming = { quietMs: 40, longestMs: 1_000 };

/** What a call is to do: start an execution with all of these, or answer as the call that does so. */
export type Gathered = { toStart: DeliveryReceipt[] } | { isStarted: boolean };

/** Receipts of calls that come in at the same time. The first call starts the execution for all of them. */
class Batch {
	readonly receipts: DeliveryReceipt[] = [];
	private isClosed = false;
	private wake = () => {};
	private readonly closed = new Promise<void>((resolve) => (this.wake = resolve));

	/** @param isStarted whether n8n has started the execution of the first call */
	constructor(readonly isStarted: Promise<boolean>) {}

	close(): void {
		this.isClosed = true;
		this.wake();
	}

	/** Resolves when it was closed, when no call came for a while, or after the longest wait. */
	async fill(): Promise<void> {
		const end = Date.now() + gatherTiming.longestMs;
		let seen = 0;
		while (seen < this.receipts.length && !this.isClosed && Date.now() < end) {
			seen = this.receipts.length;
			await Promise.race([this.closed, sleep(gatherTiming.quietMs)]);
		}
	}
}

/** By workflow and node. */
const open = new Map<string, Batch>();

/**
 * Brings receipts of several calls together, up to `most` for an execution; a call with more starts one of its own. No
 * response goes out before the execution was started.
 */
export async function gatherReceipts(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
	most: number,
): Promise<Gathered> {
	// The test URL of the editor takes a single call.
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
