import type { MessageRecord } from '../client/types';
import { digitsOf } from '../validation/recipient';

const mostRecords = 200_000;
const mostAccounts = 50;
/** How long an ended send with a user's reference is remembered; a scheduled one until its time has come, too. */
const keepSendsMs = 10 * 60_000;
const mostSends = 10_000;

/** A send with a user's reference, in flight or ended. */
interface Send {
	ended: Promise<MessageRecord | Error>;
	/** Milliseconds since 1970 until which it is remembered; absent while it goes on. */
	until?: number;
}

/** Removes the oldest entries of a map beyond a number. */
function bound(map: Map<string, unknown>, most: number): void {
	for (const key of map.keys()) {
		if (map.size <= most) return;
		map.delete(key);
	}
}

/** With the number, since one id may stand for several recipients. */
export function toRecordKey({ messageId, to }: MessageRecord): string {
	return `${messageId}|${digitsOf(to)}`;
}

/**
 * What this process knows of one account: which run each record belongs to, and the sends with a user's reference.
 * All executions share it, since they can look for alike messages at the same time. It is bounded, exact within its
 * bounds, and gone when the process ends.
 */
export class AccountMemory {
	private static readonly accounts = new Map<string, AccountMemory>();
	/** The scope of the run that each record belongs to, the newest last. */
	private readonly owners = new Map<string, string>();
	/** Of those, the records that were found in history, and not in the response to a send. */
	private readonly lookedUp = new Map<string, true>();
	private readonly sends = new Map<string, Send>();

	/** @param account digest of base address and key */
	static of(account: string): AccountMemory {
		const memory = AccountMemory.accounts.get(account) ?? new AccountMemory();
		AccountMemory.accounts.delete(account);
		AccountMemory.accounts.set(account, memory);
		bound(AccountMemory.accounts, mostAccounts);
		return memory;
	}

	ownerOf(record: MessageRecord): string | undefined {
		return this.owners.get(toRecordKey(record));
	}

	/**
	 * @param isLookedUp whether it was found in history, and not in the response to a send
	 * @returns false for a record that belongs to another run, which is certain where one of the two was looked up
	 */
	claim(record: MessageRecord, scope: string, isLookedUp: boolean): boolean {
		const key = toRecordKey(record);
		const isOthers = (this.owners.get(key) ?? scope) !== scope;
		if (isOthers && (isLookedUp || this.lookedUp.has(key))) return false;
		this.owners.delete(key);
		this.owners.set(key, scope);
		bound(this.owners, mostRecords);
		if (isLookedUp) this.lookedUp.set(key, true);
		bound(this.lookedUp, mostRecords);
		return true;
	}

	/** How the last send with this key ended, or will end; `undefined` for one that is not remembered. */
	findSend(key: string): Promise<MessageRecord | Error> | undefined {
		const { ended, until = Infinity } = this.sends.get(key) ?? {};
		return until > Date.now() ? ended : undefined;
	}

	/** @param scheduledAt milliseconds since 1970 at which the message goes out, where that is later */
	noteSend(key: string, ended: Send['ended'], scheduledAt = 0): void {
		const send: Send = { ended };
		this.sends.delete(key);
		this.sends.set(key, send);
		void ended.then(() => {
			send.until = Math.max(Date.now(), scheduledAt) + keepSendsMs;
			for (const [old, { until = Infinity }] of this.sends) {
				if (until < Date.now()) this.sends.delete(old);
			}
			bound(this.sends, mostSends);
		});
	}
}
