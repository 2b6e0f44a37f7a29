import type { MessageRecord } from '../client/types';
import { declareError, type InputError } from '../validation/InputError';
import { toMessageKey } from '../validation/messageKey';
import { digitsOf } from '../validation/recipient';
import type { AccountMemory } from './AccountMemory';
import type { Window } from './createdAt';
import type { Lookup } from './lookUp';
import type { Channel, Outgoing } from './Outgoing';

export type Match = { found: MessageRecord; isCertain: boolean } | 'uncertain' | 'absent';

const perhapsOlder = declareError(
	'Message history shows this message, but perhaps from before Look Back (Hours)',
	'Check Service Time Zone in the credential, or change Look Back (Hours) by some hours.',
	'Nothing was sent to this recipient.',
);

/** Matches records in history with the messages of a run. Each record matches one message. */
export class Recognition {
	private readonly claimed: Set<string>;

	constructor(
		private readonly account: AccountMemory,
		private readonly scope: string,
		private readonly channel: Channel,
		/** Records of messages that the run has already had accepted. */
		records: MessageRecord[],
	) {
		this.claimed = new Set(records.map((record) => toMessageKey(record)));
	}

	/** The record counts for a message of the run. */
	use(record: MessageRecord): void {
		this.claimed.add(toMessageKey(record));
	}

	/** The record is that of a message of the run. @returns false if it belongs to another run */
	claim(record: MessageRecord, isLookedUp: boolean): boolean {
		this.use(record);
		return this.account.claim(record, this.scope, isLookedUp);
	}

	/** Whether this process knows the record as one of the run. */
	isKnown(record: MessageRecord): boolean {
		return this.account.ownerOf(record) === this.scope;
	}

	/**
	 * Finds the record of a message among those created in a window.
	 * @param isInDoubt whether a request for the message has been sent
	 */
	match(message: Outgoing, { times, byNumber }: Lookup, window: Window, isInDoubt: boolean): Match {
		let isUncertain = false;
		let alike: MessageRecord | undefined;
		for (const record of byNumber.get(digitsOf(message.request.to)) ?? []) {
			if (!this.isFree(record)) continue;
			const likeness = this.channel.compare(message, record, isInDoubt);
			if (likeness === 'other') continue;
			const isReserved = this.account.isReserved(record, this.scope);
			if (likeness === 'certain' && !isReserved) return { found: record, isCertain: true };
			const place = times.place(record, window);
			if (likeness === 'alike' && place === 'inside' && !isReserved) alike ??= record;
			isUncertain ||= place !== 'outside';
		}
		if (alike) return { found: alike, isCertain: false };
		return isUncertain ? 'uncertain' : 'absent';
	}

	/** The record of the same text, sent by another retry of the execution. */
	findSame(message: Outgoing, { byNumber }: Lookup): MessageRecord | undefined {
		const records = byNumber.get(digitsOf(message.request.to)) ?? [];
		return records.find(
			(record) =>
				this.isFree(record) &&
				!this.account.isReserved(record, this.scope) &&
				this.channel.isSame(message, record),
		);
	}

	/** Skip If Already Sent: the earlier record of a message, or an error if its time is uncertain. */
	findEarlier(
		message: Outgoing,
		{ times, byNumber }: Lookup,
		now: number,
	): MessageRecord | InputError | undefined {
		if (!message.isSkipping) return undefined;
		const { channel } = this;
		const { lookBackMs } = channel;
		let isUncertain = false;
		for (const record of byNumber.get(digitsOf(message.request.to)) ?? []) {
			if (!channel.isEarlier(message, record)) continue;
			if (!channel.isEarlierShared && this.claimed.has(toMessageKey(record))) continue;
			if (lookBackMs === undefined) return { ...record, alreadySent: true };
			const place = times.place(record, { from: now - lookBackMs, to: now });
			if (place === 'inside') return { ...record, alreadySent: true };
			isUncertain ||= place !== 'outside';
		}
		return isUncertain ? perhapsOlder('lookBackHours') : undefined;
	}

	private isFree(record: MessageRecord): boolean {
		const isClaimed = this.claimed.has(toMessageKey(record));
		return !isClaimed && !this.account.isAnothers(record, this.scope);
	}
}
