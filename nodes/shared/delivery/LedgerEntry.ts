import type { MessageRecord, SendRequest } from '../client/types';
import type { Window } from './createdAt';

/** A request that hangs at the service may still be accepted this long after it was given up. */
const latestAcceptanceMs = 2 * 60_000;

/** What a message held when it was sent, and where it went: all of it can differ in the next attempt. */
export type Sent = Pick<SendRequest, 'message' | 'from' | 'scheduledAt' | 'test'> & {
	/** Digest of base address and key. */
	account: string;
};

/**
 * What is known of one message, as it lies in the memory of the execution.
 * - `open`: certainly not accepted by the service; it may be sent.
 * - `inFlight`: a request is out.
 * - `accepted`: the service accepted it; `record` is its response.
 * - `inDoubt`: a request ended, and nobody knows whether it was accepted.
 */
export interface SavedEntry {
	state: 'open' | 'inFlight' | 'accepted' | 'inDoubt';
	/** When the first request began that may have been accepted, in milliseconds since 1970 on our clock. */
	firstSentAt?: number;
	/** When the last request began, and when it ended. */
	lastSentAt?: number;
	lastEndedAt?: number;
	/** Requests that went out in all attempts. */
	requests?: number;
	sent?: Sent;
	isTest?: boolean;
	/** Requests whose outcome stayed unknown. */
	doubts?: number;
	isAfterTimeOut?: boolean;
	/** Messages of one request share its name; one of them in history proves that the request was accepted. */
	request?: string;
	isRequestAccepted?: boolean;
	record?: MessageRecord;
}

/** The life of one message: `open -> inFlight -> accepted | inDoubt`. Only these methods change it. */
export class LedgerEntry {
	constructor(
		readonly saved: Readonly<SavedEntry>,
		private readonly toReference: () => string,
	) {
		// The process ended, or the execution was stopped, in the middle of a request.
		if (saved.state === 'inFlight') this.doubt(saved.lastSentAt ?? 0, true);
	}

	get state(): SavedEntry['state'] {
		return this.saved.state;
	}

	get record(): MessageRecord | undefined {
		return this.saved.record;
	}

	/** Our own reference of the message: at most 50 characters, the same in every attempt and retry. */
	get reference(): string {
		return this.toReference();
	}

	/** When the last request ended, in milliseconds since 1970. */
	get endedAt(): number {
		return this.saved.lastEndedAt ?? 0;
	}

	/** When a message in doubt can have been created, on our clock. */
	get window(): Window {
		const { firstSentAt = Date.now(), lastEndedAt = firstSentAt } = this.saved;
		return { from: firstSentAt, to: lastEndedAt + latestAcceptanceMs };
	}

	begin(at: number, sent: Sent, request: string): void {
		const { requests = 0, doubts, firstSentAt = at } = this.saved;
		Object.assign(this.saved, {
			state: 'inFlight',
			firstSentAt: doubts ? firstSentAt : at,
			lastSentAt: at,
			requests: requests + 1,
			sent,
			isTest: sent.test === 1,
			request,
		});
	}

	accept(record: MessageRecord): void {
		// Nothing else is needed any more, and n8n saves it with the execution.
		Object.assign(this.saved, { state: 'accepted', record, sent: undefined, request: undefined });
	}

	/** The last request certainly did nothing. What is unknown of an earlier one stays so. */
	refuse(): void {
		const { state, doubts = 0 } = this.saved;
		const left = state === 'inDoubt' ? doubts - 1 : doubts;
		Object.assign(this.saved, { state: left > 0 ? 'inDoubt' : 'open', doubts: left });
	}

	doubt(at: number, isAfterTimeOut: boolean): void {
		const { doubts = 0, isAfterTimeOut: wasAfterTimeOut = false } = this.saved;
		Object.assign(this.saved, {
			state: 'inDoubt',
			lastEndedAt: at,
			doubts: doubts + 1,
			isAfterTimeOut: isAfterTimeOut || wasAfterTimeOut,
		});
	}

	/** Another message of the same request is known to have been accepted. */
	noteRequestAccepted(): void {
		Object.assign(this.saved, { isRequestAccepted: true });
	}
}
