import { type HistorySays, ServiceError } from '../client/failure';
import type { MessageRecord, SendRequest } from '../client/types';
import type { Window } from './serviceClock';
import { deliveryTiming } from './timing';

/** A request may be accepted this long after it ended, and the clocks of a service differ. */
export const latestAcceptanceMs = 2 * 60_000;

/** Requests were made that may have been accepted. */
export interface Doubt {
	/** Start of the first, and end of the last of them, in milliseconds since 1970. */
	since: number;
	until: number;
	/** Whether one of them had no response in time. */
	isLate: boolean;
	/** Whether the service rejected each of them, perhaps after it had accepted other messages. */
	isRejected?: boolean;
	/** The last one; shared by all of its messages. If others of them were accepted, it is never made again. */
	request: string;
	isPartlyAccepted?: boolean;
	/** What was sent: the next attempt can have another text, and another account. */
	sent: Sent;
}

type Sent = Omit<SendRequest, 'to' | 'encryptKey' | 'deliveryReceiptUrl' | 'unicode'> & {
	/** Digest of base URL and key. */
	account: string;
};

/** What n8n keeps of a message: nothing at first, a doubt, or the record of its acceptance. */
export interface Note {
	record?: MessageRecord;
	/** In milliseconds since 1970. */
	acceptedAt?: number;
	doubt?: Doubt;
	/** In all attempts. */
	requests?: number;
}

/** One message to one recipient, until its outcome. */
export interface Outgoing {
	/** With the user's reference or that of the node; bulk messages have none. */
	readonly request: SendRequest;
	readonly surface: 'rest' | 'http';
	readonly note: Note;
	/** Whether the reference is the user's: other messages may have the same one. */
	readonly isUsersReference: boolean;
	/** Whether no second request may be made while the outcome of one is unknown. */
	readonly isSentOnce: boolean;
	/** Option Skip If Already Sent. */
	readonly isSkipping: boolean;

	/** Requests in this attempt, when the first was made, by `performance.now()`, and why the last was unclear. */
	tries?: number;
	triedAt?: number;
	failure?: ServiceError;
	/** What the last look into history showed. */
	seen?: HistorySays;
	/** The doubt before the last request. */
	before?: Doubt;
	/** From when and until when it is looked up, by `performance.now()`, and whether no request may follow. */
	lookUp?: { from: number; until: number; isLast: boolean };
	/** The messages of the first rejected request that it was in, and how many its next one may have. */
	rejected?: Outgoing[];
	most?: number;
	/** Set once. */
	outcome?: MessageRecord | Error;
}

/** The response to a request. */
export interface Responses {
	/** The outcome of each message; `undefined` for one without a certain record. */
	each: Array<MessageRecord | ServiceError | undefined>;
	/** Of a request with several messages: whether it shows accepted ones, whichever they are. */
	isAccepted?: boolean;
}

/** What differs between single messages, identified by a reference, and bulk, identified by content. */
export interface Channel {
	readonly hasReference: boolean;
	/** Max messages in one request. */
	readonly batchSize: number;
	/** Delay between the starts of two requests, in milliseconds. */
	readonly pauseMs: number;
	/** How far Skip If Already Sent searches history, in milliseconds; all of it if `undefined`. */
	readonly lookBackMs: number | undefined;
	/** Sends one request. @throws ServiceError that applies to all of its messages */
	send(messages: Outgoing[]): Promise<Responses>;
}

export const isUndecided = ({ outcome }: Outgoing) => outcome === undefined;
export const isInDoubt = ({ lookUp }: Outgoing) => lookUp !== undefined;

/** The content that history shows if it was accepted. */
export function contentOf({ note, request }: Outgoing): Pick<SendRequest, 'message' | 'from'> {
	return note.doubt?.sent ?? request;
}

/** Before the request, so that what n8n saves while it is in flight says so */
export function noteRequest(message: Outgoing, id: string, account: string): void {
	const { note, isUsersReference } = message;
	const before = (message.before = note.doubt);
	const { message: text, from, scheduledAt, test, encrypt, clientReference } = message.request;
	const own = isUsersReference && { clientReference };
	const sent = { message: text, from, scheduledAt, test, encrypt, ...own, account };
	const now = Date.now();
	const since = before?.since ?? now;
	note.doubt = { since, until: now, isLate: true, request: id, sent };
	note.requests = (note.requests ?? 0) + 1;
	message.tries = (message.tries ?? 0) + 1;
	message.triedAt ??= performance.now();
	message.lookUp = undefined;
}

/** The request has ended without showing whether the message was accepted. */
export function noteDoubt(message: Outgoing, failure: ServiceError, isWatched = false): void {
	const { facts, mayHaveActed } = failure;
	const { before, note, tries = 0 } = message;
	const { rejectionPollMs, watchedLastsMs, lastDoubtLastsMs, mostSends } = deliveryTiming;
	const isLate = facts.isLate === true || before?.isLate === true;
	const isRejected = !mayHaveActed && before?.isRejected !== false;
	Object.assign(note.doubt!, { until: Date.now(), isLate, isRejected });
	message.failure = failure;
	const isLast = mayHaveActed && (isWatched || tries >= mostSends);
	const isShort = !mayHaveActed && !message.isSentOnce;
	if (isLast) lookUpFor(message, isWatched ? watchedLastsMs : lastDoubtLastsMs, true);
	else lookUpFor(message, isShort ? rejectionPollMs : lastOf(isLate));
}

export function resumeDoubt(message: Outgoing, { isLate, until }: Doubt): void {
	const age = Math.max(Date.now() - until, 0);
	lookUpFor(message, lastOf(isLate) - age);
}

/** When a message in doubt may have been accepted, even if our clock was set meanwhile, or the machine slept. */
export function windowOf({ note, triedAt }: Outgoing): Window {
	const now = Date.now();
	const { since, until } = note.doubt!;
	const begunAt = triedAt === undefined ? since : now - (performance.now() - triedAt);
	const endedAt = triedAt === undefined ? until : now;
	return { from: Math.min(since, begunAt), to: Math.max(since, endedAt) + latestAcceptanceMs };
}

function lastOf(isLate: boolean): number {
	const { doubtLastsMs, doubtAfterTimeOutLastsMs } = deliveryTiming;
	return isLate ? doubtAfterTimeOutLastsMs : doubtLastsMs;
}

function lookUpFor(message: Outgoing, ms: number, isLast = message.isSentOnce): void {
	const from = performance.now();
	message.lookUp = { from, until: from + ms, isLast };
}

export function toOutcomeUnknown(
	{ doubt, requests = 0 }: Note,
	history: HistorySays,
	failure?: ServiceError,
): ServiceError {
	const waitedMs = Date.now() - (doubt?.until ?? 0);
	const facts = { ...failure?.facts, mayHaveActed: true, requests, waitedMs, history };
	return new ServiceError('outcomeUnknown', facts);
}

/** The requests in which messages go out. */
export function toParts(messages: Outgoing[], size: number): Outgoing[][] {
	const parts: Outgoing[][] = [];
	for (const message of messages) {
		const last = parts.at(-1);
		const { most = size } = message;
		if (last && last.length < most && last[0].most === message.most) last.push(message);
		else parts.push([message]);
	}
	return parts;
}
