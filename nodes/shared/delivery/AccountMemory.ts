import type { MessageRecord } from '../client/types';
import { toMessageKey } from '../validation/messageKey';

const mostRecords = 200_000;
const mostAccounts = 50;
/** How long a send with a user's reference is remembered after it ended or, if later, was scheduled. */
const keepSendsMs = 10 * 60_000;
const mostSends = 10_000;

/** A send with a user's reference, in flight or ended. */
interface Send {
	ended: Promise<MessageRecord | Error>;
	/** Of its run, and the attempt that sends it. */
	scope: string;
	by: object;
	/** When the message goes out, in milliseconds since 1970; 0 if not scheduled. */
	scheduledAt: number;
	/** When it is forgotten, in milliseconds since 1970; absent while in flight. */
	until?: number;
}

/** Removes the oldest entries beyond a limit. */
function bound(map: Map<string, unknown>, most: number): void {
	for (const key of map.keys()) {
		if (map.size <= most) return;
		map.delete(key);
	}
}

/**
 * What this process knows about one account: the run of each record, and the sends with a user's reference. All
 * executions share it, since they can look up similar messages at the same time. It is bounded, and lost when the
 * process ends.
 */
export class AccountMemory {
	private static readonly accounts = new Map<string, AccountMemory>();
	/** Scope of the run by record, newest last. */
	private readonly owners = new Map<string, string>();
	/** Those found in history, not in the response to a send. */
	private readonly lookedUp = new Map<string, true>();
	private readonly sends = new Map<string, Send>();

	/** @param account digest of base URL and key */
	static of(account: string): AccountMemory {
		const memory = AccountMemory.accounts.get(account) ?? new AccountMemory();
		AccountMemory.accounts.delete(account);
		AccountMemory.accounts.set(account, memory);
		bound(AccountMemory.accounts, mostAccounts);
		return memory;
	}

	ownerOf(record: MessageRecord): string | undefined {
		return this.owners.get(toMessageKey(record));
	}

	/**
	 * Assigns a record to a run.
	 * @param isLookedUp whether it was found in history, not in the response to a send
	 * @returns false if another run has it; two responses with the same record are not proof of that
	 */
	claim(record: MessageRecord, scope: string, isLookedUp: boolean): boolean {
		const key = toMessageKey(record);
		const isOthers = (this.owners.get(key) ?? scope) !== scope;
		if (isOthers && (isLookedUp || this.lookedUp.has(key))) return false;
		this.owners.delete(key);
		this.owners.set(key, scope);
		bound(this.owners, mostRecords);
		if (isLookedUp) this.lookedUp.set(key, true);
		bound(this.lookedUp, mostRecords);
		return true;
	}

	/** The outcome of the last send with this key, unless it was an earlier attempt of the same run. */
	findSend(
		key: string,
		{ scope, attempt }: { scope: string; attempt: object },
	): Promise<MessageRecord | Error> | undefined {
		const send = this.sends.get(key);
		if (!send || (send.until ?? Infinity) <= Date.now()) return undefined;
		return send.scope === scope && send.by !== attempt ? undefined : send.ended;
	}

	noteSend(key: string, send: Send): void {
		this.sends.delete(key);
		this.sends.set(key, send);
		void send.ended.then(() => {
			send.until = Math.max(Date.now(), send.scheduledAt) + keepSendsMs;
			for (const [old, { until = Infinity }] of this.sends) {
				if (until < Date.now()) this.sends.delete(old);
			}
			bound(this.sends, mostSends);
		});
	}
}
