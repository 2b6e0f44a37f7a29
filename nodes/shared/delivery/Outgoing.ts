import type { ServiceError } from '../client/failure';
import type { MessageRecord, SendRequest } from '../client/types';
import type { LedgerEntry } from './entry';

/** One message to one recipient, until its outcome. */
export interface Outgoing {
	/** With the user's reference or that of the entry; bulk messages have none. */
	readonly request: SendRequest;
	readonly surface: 'rest' | 'http';
	readonly entry: LedgerEntry;
	/** Whether the reference is the user's: other messages may have the same one. */
	readonly isUsersReference: boolean;
	/** Whether no second request may be sent while the outcome of one is unknown. */
	readonly isSentOnce: boolean;
	/** Option Skip If Already Sent. */
	readonly isSkipping: boolean;
	/** Max messages of its next request, once a request with others was rejected. */
	most?: number;
	/** When to look it up in history, in milliseconds since 1970; only while it is in doubt. */
	pollAt?: number;
	/** Gives up what it has reserved; only once it has been sent. */
	release?: () => void;
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

/** What differs between single messages, identified by a reference, and bulk, identified by content only. */
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

export function isInDoubt({ entry }: Outgoing): boolean {
	return entry.state === 'inDoubt';
}

export function isUndecided({ outcome }: Outgoing): boolean {
	return outcome === undefined;
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
