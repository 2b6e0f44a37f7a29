import { createHash, randomBytes } from 'node:crypto';

import type { DeliveryReceipt } from '../shared/receipt/receipt';
import { canonicalStatus } from '../shared/receipt/status';

/** How long a receipt counts as taken, and how many of the newest are remembered at least. */
export const takenLimits = { rememberedMs: 24 * 60 * 60 * 1000, remembered: 1_000_000 };

export interface Claim {
	/** Not taken, and nobody else's: this call has to start their execution. */
	toStart: DeliveryReceipt[];
	/** Whether the executions of other calls, which are being started with some of these receipts, were. */
	others: Array<Promise<boolean>>;
}

/**
 * The receipts that this process accepted, by node, message and status, so that each counts once. All that decides is
 * done at once, before another call has a turn.
 */
export class TakenReceipts {
	private readonly salt = randomBytes(32);
	/** By key, while an execution is being started with them. */
	private readonly starting = new Map<string, Promise<boolean>>();
	/** By digest, the second in which each was taken. */
	private newest = new Map<string, number>();
	private older = new Map<string, number>();
	private newestSince = Date.now();

	leaveOutTaken(scope: string[], receipts: DeliveryReceipt[]): DeliveryReceipt[] {
		return receipts.filter((receipt) => !this.isTaken(toKey(scope, receipt)));
	}

	/** @param isStarted whether n8n has started the execution of this call; only then are its receipts accepted */
	claim(scope: string[], receipts: DeliveryReceipt[], isStarted: Promise<boolean>): Claim {
		const claimed: string[] = [];
		const claim: Claim = { toStart: [], others: [] };
		for (const receipt of receipts) {
			const key = toKey(scope, receipt);
			const found = this.starting.get(key);
			if (found !== undefined && found !== isStarted) claim.others.push(found);
			if (found !== undefined || this.isTaken(key)) continue;
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

	private isTaken(key: string): boolean {
		const digest = this.toDigest(key);
		const takenAt = this.newest.get(digest) ?? this.older.get(digest) ?? 0;
		return Date.now() < takenAt * 1000 + takenLimits.rememberedMs;
	}

	private remember(key: string): void {
		const now = Date.now();
		const isOld = now >= this.newestSince + takenLimits.rememberedMs;
		if (isOld || this.newest.size >= takenLimits.remembered) {
			this.older = this.newest;
			this.newest = new Map();
			this.newestSince = now;
		}
		this.newest.set(this.toDigest(key), Math.floor(now / 1000));
	}

	/** 64 bits, salted: nobody can make two receipts of which the second one is taken for the first. */
	private toDigest(key: string): string {
		return createHash('sha256').update(this.salt).update(key).digest().toString('latin1', 0, 8);
	}
}

function toKey(scope: string[], { messageId, status }: DeliveryReceipt): string {
	return JSON.stringify([...scope, messageId, canonicalStatus(status)]);
}
