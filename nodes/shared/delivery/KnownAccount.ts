import type { MessageRecord } from '../client/types';
import { digitsOf } from '../validation/recipient';
import { HistoryLag } from './HistoryLag';
import { ServiceClock } from './ServiceClock';

/** Long enough for whatever is looked for at this moment. */
const keepRecordsMs = 10 * 60_000;
const mostRecords = 200_000;
/** How long a send with a reference is remembered after its end, and how many are. */
const keepSendsMs = 10 * 60_000;
const mostSends = 10_000;
const mostAccounts = 50;

/** Where the record of a send was found. In `history` it was looked for, so it can be of another one that is alike. */
type FoundIn = 'answer' | 'history';

/** Removes the oldest entries of a map that is filled in the order of time. */
function forget<T>(map: Map<string, T>, isToGo: (value: T, size: number) => boolean): void {
	for (const [key, value] of map) {
		if (!isToGo(value, map.size)) return;
		map.delete(key);
	}
}

/** With the number, since one id may stand for several recipients. */
export function nameOf({ messageId, to }: MessageRecord): string {
	return `${messageId}|${digitsOf(to)}`;
}

/**
 * What this process knows of one account of the service: its clock, how late its history is, which records belong
 * to a send, and which references are being sent or were sent lately. All executions share it, since they can look
 * for alike messages at the same time. It is bounded, and gone when the process ends.
 */
export class KnownAccount {
	readonly clock = new ServiceClock();
	readonly lag = new HistoryLag();
	/** The records of sends, in the order in which they were found. */
	private readonly records = new Map<string, { foundIn: FoundIn; at: number }>();
	private hasSearched = false;
	private readonly underWay = new Map<string, Promise<MessageRecord>>();
	/** By reference and number, in the order of their end. */
	private readonly ended = new Map<string, { delivery: Promise<MessageRecord>; at: number }>();

	private static readonly accounts = new Map<string, KnownAccount>();

	/** @param account digest of base address and key */
	static of(account: string): KnownAccount {
		const known = KnownAccount.accounts.get(account) ?? new KnownAccount();
		KnownAccount.accounts.delete(account);
		KnownAccount.accounts.set(account, known);
		forget(KnownAccount.accounts, (_, size) => size > mostAccounts);
		return known;
	}

	/** A record belongs to one send only; alike messages are told apart by it. */
	noteRecordOfSend(record: MessageRecord, foundIn: FoundIn): void {
		const key = nameOf(record);
		const now = Date.now();
		this.records.delete(key);
		this.records.set(key, { foundIn, at: now });
		if (foundIn === 'history') this.hasSearched = true;
		forget(this.records, ({ at }, size) => at < now - keepRecordsMs || size > mostRecords);
	}

	isRecordOfSend(record: MessageRecord): boolean {
		return this.records.has(nameOf(record));
	}

	/** Whether another send that was looked for has taken this record as its own. */
	isFoundInHistory(record: MessageRecord): boolean {
		return this.hasSearched && this.records.get(nameOf(record))?.foundIn === 'history';
	}

	/** The send with this reference and number that is under way, or ended in the last ten minutes. */
	findSend(key: string): { delivery: Promise<MessageRecord>; isUnderWay: boolean } | undefined {
		const delivery = this.underWay.get(key);
		if (delivery) return { delivery, isUnderWay: true };
		this.forgetSends();
		const ended = this.ended.get(key);
		return ended && { delivery: ended.delivery, isUnderWay: false };
	}

	/** From now on whoever asks for this reference finds this send. */
	noteSend(key: string, delivery: Promise<MessageRecord>): void {
		this.underWay.set(key, delivery);
		const end = () => {
			if (this.underWay.get(key) !== delivery) return;
			this.underWay.delete(key);
			this.ended.delete(key);
			this.ended.set(key, { delivery, at: Date.now() });
			this.forgetSends();
		};
		void delivery.then(end, end);
	}

	private forgetSends(): void {
		const oldest = Date.now() - keepSendsMs;
		forget(this.ended, ({ at }, size) => at < oldest || size > mostSends);
	}
}
