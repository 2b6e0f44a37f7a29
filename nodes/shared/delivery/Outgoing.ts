import type { ServiceError } from '../client/ServiceError';
import type { MessageRecord } from '../client/types';
import type { LedgerEntry } from './ledger';
import type { SentMessage } from './pairing';
import type { Window } from './ServiceClock';

export interface Outgoing extends SentMessage {
	entry: LedgerEntry;
	/** Bulk messages carry none. */
	clientReference?: string;
	/** No second request goes out while the outcome of one is unknown. */
	isSentOnce: boolean;
	/** Option Skip If Already Sent. */
	isSkipping: boolean;
	/** Whether it was told what became of the message. */
	isSettled?: boolean;
	/** Called once, with what became of the message. */
	settle(outcome: MessageRecord | Error): void;
}

/** The record of a message that is handed on with how to tell what became of it; rejects with its failure. */
export function untilSettled(handOn: (settle: Outgoing['settle']) => void): Promise<MessageRecord> {
	return new Promise((resolve, reject) =>
		handOn((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))),
	);
}

/** What the service answered for each message of a request; `undefined` for one that the answer left out. */
export type Answers = Array<MessageRecord | ServiceError | undefined>;

/** `riddle`: nobody can say whether a record is this message. */
export type Match = { found: MessageRecord } | 'absent' | 'riddle';

/** What differs between single messages, which carry a reference, and bulk, where only the content tells. */
export interface Way<T extends Outgoing> {
	/** Sends one request. @throws ServiceError that holds for all of its messages */
	send(messages: T[]): Promise<Answers>;
	/** Finds a message among the records to its number, as one that was created in the window. */
	recognise(message: T, records: MessageRecord[], window: Window): Match;
	/** Skip If Already Sent: the record of a message that is there already. */
	findEarlier(message: T): Promise<MessageRecord | undefined>;
}

export function isDoubtful({ entry }: Outgoing): boolean {
	return entry.state === 'doubtful';
}

/** One of the messages of a request is known to have been taken, so the request was. */
export function noteRequestTaken(messages: Outgoing[]): void {
	for (const { entry } of messages) entry.noteRequestTaken();
}
