import { createHash, randomBytes } from 'node:crypto';

import type { DeliveryReceipt } from '../shared/receipt/receipt';
import { DigestTable } from './DigestTable';

/** How long a receipt counts as taken, and how many of the newest are remembered at least. */
export const takenLimits = { rememberedMs: 24 * 60 * 60 * 1000, remembered: 1_000_000 };

/** What one call may do with its receipts. */
export interface Claim {
	/** Not taken, and nobody else's: this call has to start their execution. */
	toStart: DeliveryReceipt[];
	/** Whether the executions of other calls, which are being started with some of these receipts, were. */
	others: Array<Promise<boolean>>;
}

/**
 * The receipts that were taken in this process, so that each one counts once. They are found by their message and
 * status, in the scope of a node of a workflow. All that decides is done at once, before anybody else has a turn.
 */
export class TakenReceipts {
	private readonly salt = randomBytes(32);
	/** By key, while an execution is being started with them. */
	private readonly starting = new Map<string, Promise<boolean>>();
	private newest = new DigestTable();
	private older = new DigestTable();
	private newestSince = Date.now();

	/** Those that were not taken yet. */
	leaveOutTaken(scope: string[], receipts: DeliveryReceipt[]): DeliveryReceipt[] {
		return receipts.filter((receipt) => !this.isTaken(toKey(scope, receipt)));
	}

	/**
	 * A receipt is the claim of the first call that asks for it.
	 * @param isStarted whether n8n has started the execution of this call; only then are its receipts taken
	 */
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
		const takenAt = Math.max(this.newest.secondOf(digest), this.older.secondOf(digest));
		return Date.now() < takenAt * 1000 + takenLimits.rememberedMs;
	}

	private remember(key: string): void {
		const now = Date.now();
		const isOld = now >= this.newestSince + takenLimits.rememberedMs;
		if (isOld || this.newest.count >= takenLimits.remembered) {
			this.older = this.newest;
			this.newest = new DigestTable();
			this.newestSince = now;
		}
		this.newest.add(this.toDigest(key), Math.floor(now / 1000));
	}

	/** Salted: nobody can make two receipts of which the second one is taken for the first. */
	private toDigest(key: string): Buffer {
		return createHash('sha256').update(this.salt).update(key).digest();
	}
}

function toKey(scope: string[], { messageId, status }: DeliveryReceipt): string {
	return JSON.stringify([...scope, messageId, status]);
}
