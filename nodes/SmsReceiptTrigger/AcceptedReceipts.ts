import { hash } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

import { Expiring } from '../shared/n8n/Expiring';
import { dayMs } from '../shared/input/time';
import type { DeliveryReceipt } from '../shared/receipt/receipt';

/** How long an accepted receipt is remembered, and how many of the newest. */
export const acceptedLimits = { rememberedMs: dayMs, remembered: 1_000_000 };

/** 66 bits of a digest: a million of them stay small. */
function toDigest(scope: string[], { receiptId }: DeliveryReceipt): string {
	return hash('sha256', JSON.stringify([...scope, receiptId]), 'base64url').slice(0, 11);
}

/**
 * Receipts accepted by this process, by node and receiptId, so that each counts once. Claims are synchronous, so
 * two calls cannot claim the same receipt.
 */
export class AcceptedReceipts {
	/** By digest, while their execution is starting. */
	private readonly starting = new Map<string, Promise<boolean>>();
	private readonly accepted = new Expiring<true>(
		acceptedLimits.rememberedMs,
		acceptedLimits.remembered,
	);

	/**
	 * @param isStarted whether n8n started this call's execution; only then are its receipts accepted
	 * @returns the receipts that this call starts, and whether calls that claimed others of them have started those
	 */
	claim(scope: string[], receipts: DeliveryReceipt[], isStarted: Promise<boolean>) {
		const claimed: string[] = [];
		const toStart: DeliveryReceipt[] = [];
		const others: Array<Promise<boolean>> = [];
		for (const receipt of receipts) {
			const digest = toDigest(scope, receipt);
			const found = this.starting.get(digest);
			if (found !== undefined && found !== isStarted) others.push(found);
			if (found !== undefined || this.accepted.get(digest)) continue;
			this.starting.set(digest, isStarted);
			claimed.push(digest);
			toStart.push(receipt);
		}
		void isStarted.then((started) => {
			for (const digest of claimed) {
				this.starting.delete(digest);
				if (started) this.accepted.set(digest, true);
			}
		});
		return { toStart, others };
	}
}

/** n8n responds with 200 once it has started the execution. `prefinish` fires even if the caller has hung up. */
export async function hasStarted(
	response: ReturnType<IWebhookFunctions['getResponseObject']>,
): Promise<boolean> {
	if (!response.writableEnded)
		await new Promise<void>((resolve) => response.once('prefinish', () => resolve()));
	return response.statusCode === 200;
}
