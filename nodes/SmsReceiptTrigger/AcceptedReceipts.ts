import { createHash, randomBytes } from 'node:crypto';

import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import { Expiring } from '../shared/client/Expiring';
import type { DeliveryReceipt } from '../shared/receipt/receipt';

/** How long an accepted receipt is remembered, and how many of the newest. */
export const acceptedLimits = { rememberedMs: 24 * 60 * 60 * 1000, remembered: 1_000_000 };

export interface ClaimOfCall {
	/** Neither accepted before nor claimed by another call: this call starts their execution. */
	toStart: DeliveryReceipt[];
	/** Whether other calls that claimed some of these receipts started their executions. */
	others: Array<Promise<boolean>>;
}

/**
 * Receipts accepted by this process, by node and receiptId, so that each counts once. Claims are synchronous, so
 * two calls cannot claim the same receipt.
 */
export class AcceptedReceipts {
	private readonly salt = randomBytes(32);
	/** By digest, while their execution is starting. */
	private readonly starting = new Map<string, Promise<boolean>>();
	private readonly accepted = new Expiring<true>(
		acceptedLimits.rememberedMs,
		acceptedLimits.remembered,
	);

	/** @param isStarted whether n8n started this call's execution; only then are its receipts accepted */
	claim(scope: string[], receipts: DeliveryReceipt[], isStarted: Promise<boolean>): ClaimOfCall {
		const claimed: string[] = [];
		const claim: ClaimOfCall = { toStart: [], others: [] };
		for (const receipt of receipts) {
			const digest = this.toDigest(scope, receipt);
			const found = this.starting.get(digest);
			if (found !== undefined && found !== isStarted) claim.others.push(found);
			if (found !== undefined || this.accepted.get(digest)) continue;
			this.starting.set(digest, isStarted);
			claimed.push(digest);
			claim.toStart.push(receipt);
		}
		void isStarted.then((started) => {
			for (const digest of claimed) {
				this.starting.delete(digest);
				if (started) this.accepted.set(digest, true);
			}
		});
		return claim;
	}

	/** 64 bits, salted: callers cannot craft two receipts with the same digest. */
	private toDigest(scope: string[], { receiptId }: DeliveryReceipt): string {
		const key = JSON.stringify([...scope, receiptId]);
		return createHash('sha256').update(this.salt).update(key).digest().toString('latin1', 0, 8);
	}
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
