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
	 * @param isStarted whether n8n started this call's execution; only then is its receipt accepted
	 * @returns whether another call started its execution; `undefined` if this call is to start it
	 */
	async claim(
		scope: string[],
		receipt: DeliveryReceipt,
		isStarted: Promise<boolean>,
	): Promise<boolean | undefined> {
		const digest = toDigest(scope, receipt);
		const other = this.starting.get(digest) ?? this.accepted.get(digest);
		if (other !== undefined) return await other;
		this.starting.set(digest, isStarted);
		void isStarted.then((started) => {
			this.starting.delete(digest);
			if (started) this.accepted.set(digest, true);
		});
		return undefined;
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
