import { createHash, randomBytes } from 'node:crypto';

import type { DeliveryReceipt } from '../shared/receipt/receipt';

/** How long an accepted receipt is remembered, and how many of the newest at least. */
export const acceptedLimits = { rememberedMs: 24 * 60 * 60 * 1000, remembered: 1_000_000 };

export interface Claim {
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
	/** By key, while their execution is starting. */
	private readonly starting = new Map<string, Promise<boolean>>();
	/** When each was accepted, by digest, in seconds since 1970. */
	private newest = new Map<string, number>();
	private older = new Map<string, number>();
	private newestSince = Date.now();

	/** @param isStarted whether n8n started this call's execution; only then are its receipts accepted */
	claim(scope: string[], receipts: DeliveryReceipt[], isStarted: Promise<boolean>): Claim {
		const claimed: string[] = [];
		const claim: Claim = { toStart: [], others: [] };
		for (const receipt of receipts) {
			const key = toKey(scope, receipt);
			const found = this.starting.get(key);
			if (found !== undefined && found !== isStarted) claim.others.push(found);
			if (found !== undefined || this.isAccepted(key)) continue;
			this.starting.set(key, isStarted);
			claimed.push(key);
			claim.toStart.push(receipt);
		}
		void isStarted.then((started) => {
			for (const key of claimed) {
				this.starting.delete(key);
				if (started) this.remember(key);
			}
		});
		return claim;
	}

	private isAccepted(key: string): boolean {
		const digest = this.toDigest(key);
		const acceptedAt = this.newest.get(digest) ?? this.older.get(digest) ?? 0;
		return Date.now() < acceptedAt * 1000 + acceptedLimits.rememberedMs;
	}

	private remember(key: string): void {
		const now = Date.now();
		const isOld = now >= this.newestSince + acceptedLimits.rememberedMs;
		if (isOld || this.newest.size >= acceptedLimits.remembered) {
			this.older = this.newest;
			this.newest = new Map();
			this.newestSince = now;
		}
		this.newest.set(this.toDigest(key), Math.floor(now / 1000));
	}

	/** 64 bits, salted: callers cannot craft two receipts with the same digest. */
	private toDigest(key: string): string {
		return createHash('sha256').update(this.salt).update(key).digest().toString('latin1', 0, 8);
	}
}

function toKey(scope: string[], { receiptId }: DeliveryReceipt): string {
	return JSON.stringify([...scope, receiptId]);
}
