import type { MessageRecord, SendRequest } from '../client/types';
import type { Window } from './createdAt';

/** A request that hangs at the service may still be accepted this long after it ended here. */
const latestAcceptanceMs = 2 * 60_000;

/** Content and account of a message as it was sent: both can differ in the next attempt. */
export type Sent = Pick<SendRequest, 'message' | 'from' | 'scheduledAt' | 'test'> & {
	/** Digest of base URL and key. */
	account: string;
};

/**
 * The state of one message in the memory of the execution.
 * - `open`: certainly not accepted by the service; it may be sent.
 * - `inFlight`: a request is in flight.
 * - `accepted`: the service accepted it; `record` is its response.
 * - `inDoubt`: a request ended without showing whether the service accepted it.
 */
export interface SavedEntry {
	state: 'open' | 'inFlight' | 'accepted' | 'inDoubt';
	/** Start of the first request that may have been accepted, in milliseconds since 1970 on our clock. */
	firstSentAt?: number;
	/** Start and end of the last request. */
	lastSentAt?: number;
	lastEndedAt?: number;
	/** Requests sent in all attempts. */
	requests?: number;
	sent?: Sent;
	isTest?: boolean;
	/** Requests with unknown outcome. */
	doubts?: number;
	isAfterTimeOut?: boolean;
	/** ID of the last request, the same for all its messages: one of them in history proves that it was accepted. */
	request?: string;
	isRequestAccepted?: boolean;
	record?: MessageRecord;
}

/** The state of one message: `open -> inFlight -> accepted | inDoubt`. Only these methods change it. */
export class LedgerEntry {
	/** Requests of this attempt without a clear response. */
	unclear = 0;

	constructor(
		readonly saved: Readonly<SavedEntry>,
		private readonly toReference: () => string,
	) {
		// The process ended or the execution was stopped during a request.
		if (saved.state === 'inFlight') this.doubt(saved.lastSentAt ?? 0, true);
		this.unclear = 0;
	}

	get state(): SavedEntry['state'] {
		return this.saved.state;
	}

	get record(): MessageRecord | undefined {
		return this.saved.record;
	}

	/** The node's own reference: at most 50 characters, the same in every attempt and retry. */
	get reference(): string {
		return this.toReference();
	}

	/** End of the last request in milliseconds since 1970; 0 if none has ended. */
	get endedAt(): number {
		return this.saved.lastEndedAt ?? 0;
	}

	/** When the service may have created a message in doubt, on our clock. */
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
		// n8n saves the entry with the execution: drop what is no longer needed.
		Object.assign(this.saved, { state: 'accepted', record, sent: undefined, request: undefined });
	}

	/** The last request was certainly not accepted. Earlier requests in doubt stay in doubt. */
	reject(): void {
		const { state, doubts = 0 } = this.saved;
		if (state === 'inDoubt') this.unclear -= 1;
		const left = state === 'inDoubt' ? doubts - 1 : doubts;
		Object.assign(this.saved, { state: left > 0 ? 'inDoubt' : 'open', doubts: left });
	}

	doubt(at: number, isAfterTimeOut: boolean): void {
		this.unclear += 1;
		const { doubts = 0, isAfterTimeOut: wasAfterTimeOut = false } = this.saved;
		Object.assign(this.saved, {
			state: 'inDoubt',
			lastEndedAt: at,
			doubts: doubts + 1,
			isAfterTimeOut: isAfterTimeOut || wasAfterTimeOut,
		});
	}

	/** Another message of the same request was accepted. */
	noteRequestAccepted(): void {
		Object.assign(this.saved, { isRequestAccepted: true });
	}
}
