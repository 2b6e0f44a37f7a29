import type { ServiceError } from '../client/failure';
import type { MessageRecord, SendRequest } from '../client/types';
import type { Window } from './serviceTimes';
import { deliveryTiming } from './timing';

/** A request that hangs at the service may still be accepted this long after it ended here. */
const latestAcceptanceMs = 2 * 60_000;

/** Content and account of a message as it was sent: both can differ in the next attempt. The reference is the user's. */
export type Sent = Pick<
	SendRequest,
	'message' | 'from' | 'scheduledAt' | 'test' | 'encrypt' | 'clientReference'
> & {
	/** Digest of base URL and key. */
	account: string;
};

/** What n8n keeps of a message, in the memory of the execution. */
export interface Saved {
	/**
	 * - `open`: certainly not accepted by the service; it may be sent.
	 * - `inFlight`: a request is in flight.
	 * - `accepted`: the service accepted it; `record` is its response.
	 * - `inDoubt`: a request ended without showing whether the service accepted it.
	 */
	state: 'open' | 'inFlight' | 'accepted' | 'inDoubt';
	/** Start of the first request that may have been accepted, in milliseconds since 1970 on our clock. */
	firstSentAt?: number;
	/** Start and end of the last request. */
	lastSentAt?: number;
	lastEndedAt?: number;
	/** Requests sent in all attempts. */
	requests?: number;
	sent?: Sent;
	/** Requests with unknown outcome. */
	doubts?: number;
	isAfterTimeOut?: boolean;
	/** ID of the last request, the same for all its messages: one of them in history proves that it was accepted. */
	request?: string;
	isRequestAccepted?: boolean;
	record?: MessageRecord;
}

/** What only the attempt knows of a message. */
export interface Attempt {
	/** Requests without a clear response. */
	unclear: number;
	/** Why the last one was unclear; absent for a message that an earlier attempt left in doubt. */
	failure?: ServiceError;
	/** Its whole request was rejected: how long it stays in doubt (ms) unless history shows one of its messages. */
	rejectedForMs?: number;
	/** How many of its requests with others got a 429. */
	rateLimited: number;
	/** When the last lookup since then began. */
	polledAt: number;
	/** When the last lookup began that has read history, or the attempt that found it in doubt. */
	readAt: number;
}

export const newAttempt: Attempt = {
	unclear: 0,
	rateLimited: 0,
	polledAt: -Infinity,
	readAt: -Infinity,
};

export interface Message {
	saved: Readonly<Saved>;
	attempt: Attempt;
}

/** When the service may have created a message in doubt, on our clock. */
export function windowOf({ firstSentAt = Date.now(), lastEndedAt = firstSentAt }: Saved): Window {
	return { from: firstSentAt, to: lastEndedAt + latestAcceptanceMs };
}

/** From when on a doubt is told if the service is down, so that history cannot be read either. */
export function toldUnreadAt({ saved: { lastEndedAt = 0 }, attempt }: Message): number {
	return Math.max(lastEndedAt, attempt.readAt) + deliveryTiming.unreadableLastsMs;
}

/** Whether all that keeps the message in doubt is that its whole request was rejected. */
export function isOfRejected({ saved, attempt }: Message): boolean {
	return attempt.rejectedForMs !== undefined && !saved.isRequestAccepted;
}

/** How long after its request a message that is not in history may still have been accepted. */
export function doubtLastsMs(message: Pick<Message, 'saved' | 'attempt'>): number {
	const { doubtLastsMs: usual, doubtAfterTimeOutLastsMs, lastDoubtLastsMs } = deliveryTiming;
	const { saved, attempt } = message;
	if (isOfRejected(message)) return attempt.rejectedForMs ?? usual;
	if (attempt.unclear >= deliveryTiming.mostSends) return lastDoubtLastsMs;
	return saved.isAfterTimeOut ? doubtAfterTimeOutLastsMs : usual;
}

/** Lookups missed in a pause count as one. A rejected request is looked up once, when its doubt ends. */
export function nextPoll(message: Message): number {
	const { lastEndedAt = 0 } = message.saved;
	const age = message.attempt.polledAt - lastEndedAt;
	const end = doubtLastsMs(message);
	const polls = message.attempt.rejectedForMs === undefined ? deliveryTiming.polls : [];
	const next = polls.find((poll) => poll > age) ?? end;
	return lastEndedAt + Math.min(next, Math.max(end, age + 1));
}
