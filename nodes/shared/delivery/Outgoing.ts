import { ServiceError, type HistorySays } from '../client/ServiceError';
import type { MessageRecord, SendRequest } from '../client/types';
import type { LedgerEntry } from './LedgerEntry';

/** One message to one recipient, from reading to its outcome. */
export interface Outgoing {
	/** With the user's own reference or that of the entry; bulk messages carry none. */
	readonly request: SendRequest;
	readonly surface: 'rest' | 'http';
	readonly entry: LedgerEntry;
	/** Whether the reference is the user's: other messages may carry the same one. */
	readonly isUsersReference: boolean;
	/** No second request goes out while the outcome of one is unknown. */
	readonly isSentOnce: boolean;
	/** Option Skip If Already Sent. */
	readonly isSkipping: boolean;
	/** Set once. */
	outcome?: MessageRecord | Error;
}

/** What the service said of each message of a request; `undefined` for one that the response left out. */
export type Responses = Array<MessageRecord | ServiceError | undefined>;

/**
 * What a record in history is to a message, apart from its time: certainly this message, one like it, one that may be
 * it in another form, or another one.
 */
export type Likeness = 'certain' | 'alike' | 'maybe' | 'other';

/** What differs between single messages, which carry a reference, and bulk, where only the content tells. */
export interface Channel {
	/** Messages in one request. */
	readonly batchSize: number;
	/** Between the beginnings of two requests, in milliseconds. */
	readonly pauseMs: number;
	/** Skip If Already Sent: how far it looks back, in milliseconds; all of history when it is undefined. */
	readonly lookBackMs: number | undefined;
	/** Messages with the same key are not in flight at the same time: nothing would tell them apart. */
	keyOf(message: Outgoing): string | undefined;
	/** Sends one request. @throws ServiceError that holds for all of its messages */
	send(messages: Outgoing[]): Promise<Responses>;
	/** @param isInDoubt whether a request for the message has gone out */
	compare(message: Outgoing, record: MessageRecord, isInDoubt: boolean): Likeness;
	/** Skip If Already Sent: whether a record stands for the message, apart from its time. */
	isEarlier(message: Outgoing, record: MessageRecord): boolean;
	/** Whether one earlier record stands for several messages. */
	readonly isEarlierShared: boolean;
}

export function isInDoubt({ entry }: Outgoing): boolean {
	return entry.state === 'inDoubt';
}

export function isUndecided({ outcome }: Outgoing): boolean {
	return outcome === undefined;
}

/** Messages with the same key one after the other: the n-th of each is in the n-th round. */
export function toRounds(messages: Outgoing[], keyOf: Channel['keyOf']): Outgoing[][] {
	const rounds: Outgoing[][] = [];
	const counts = new Map<string, number>();
	for (const message of messages) {
		const key = keyOf(message);
		const round = key === undefined ? 0 : (counts.get(key) ?? 0);
		if (key !== undefined) counts.set(key, round + 1);
		(rounds[round] ??= []).push(message);
	}
	return rounds;
}

export function toBatches(messages: Outgoing[], size: number): Outgoing[][] {
	const count = Math.ceil(messages.length / size);
	return Array.from({ length: count }, (_, n) => messages.slice(n * size, (n + 1) * size));
}

/**
 * The failure of a message whose outcome is not known.
 * @param isOutage whether the service accepted no other message either
 */
export function toOutcomeUnknown(
	{ entry }: Outgoing,
	failure: ServiceError | undefined,
	says: HistorySays,
	isOutage = false,
): ServiceError {
	if (failure?.kind === 'cancelled') return failure;
	return new ServiceError(isOutage ? 'unavailable' : 'outcomeUnknown', {
		...failure?.facts,
		mayHaveActed: true,
		requests: entry.saved.requests ?? 0,
		waitedMs: Date.now() - entry.endedAt,
		history: entry.saved.isRequestAccepted ? 'partly' : says,
	});
}
