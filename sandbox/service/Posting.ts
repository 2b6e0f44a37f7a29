import type { StatusChange, StoredMessage } from '../entities';
import type { QueuedCall, ReceiptQueue } from '../ReceiptQueue';
import { longestMs } from '../shape';
import { keepNewest, readClock, reportChange, type State } from '../state';
import { callReceiver } from './callReceiver';
import { readChangeTime, shareChanges, shareReported } from './changes';
import { buildReceipt } from './receiptFormat';

/** The receipts of a message that go out one after the other, each until it is answered 200 or given up. */
export class Posting implements QueuedCall {
	dueMs = 0;
	private url = '';
	private index = 0;
	private attempt = 0;
	private startedAt = 0;
	private readonly signal: AbortSignal;
	private readonly queue: ReceiptQueue;

	/**
	 * @param askedAtMs when somebody asked for them, if they are not due of themselves
	 * @param onEnd told when all are answered or given up
	 */
	constructor(
		private readonly state: State,
		private readonly message: StoredMessage,
		private readonly changes: StatusChange[],
		private readonly askedAtMs: number,
		private readonly onEnd: () => void,
	) {
		// Of this moment: a reset ends this posting, and what comes after has others.
		this.signal = state.lifetime.signal;
		this.queue = state.receiptQueue;
	}

	begin(): void {
		this.queue.begin();
		this.goOn();
	}

	/** One attempt, when it is its turn. */
	async call(): Promise<void> {
		const { state, message, signal, url } = this;
		if (signal.aborted) return this.end();
		const receipt = buildReceipt(state.settings.receiptMethod, url, message, this.change!);
		const call = { ...receipt, userAgent: state.userAgent };
		this.note(await callReceiver(call, signal), false);
	}

	private get change(): StatusChange | undefined {
		return this.changes[this.index];
	}

	private goOn(): void {
		const { change, message, state } = this;
		this.url = findReceiptUrl(state, message);
		if (!change || !this.url) return this.end();
		this.dueMs = Math.max(readChangeTime(message, change), state.advancedAtMs, this.askedAtMs);
		this.attempt = 0;
		this.enter();
	}

	private enter(): void {
		if (this.signal.aborted) return this.end();
		this.attempt += 1;
		this.startedAt = Date.now();
		if (!this.queue.enter(readOrigin(this.url), this)) this.note(null, true);
	}

	private note(answered: number | null, isDropped: boolean): void {
		if (this.signal.aborted) return this.end();
		const { attempt, state } = this;
		this.keepAttempt(answered);
		const { receiptAttempts, receiptRetryMs } = state.settings;
		if (answered !== 200 && !isDropped && attempt < receiptAttempts) {
			const pauseMs = Math.min(receiptRetryMs * 2 ** (attempt - 1), longestMs);
			return this.queue.pause(pauseMs, this, () => this.enter());
		}
		this.noteAsReported(answered);
		this.index += 1;
		this.goOn();
	}

	private keepAttempt(answered: number | null): void {
		const { attempt, message, state, startedAt: at, url } = this;
		const lateMs = Math.max(0, readClock(state) - this.dueMs);
		if (attempt === 1) this.queue.noteLateness(lateMs);
		const { messageId } = message;
		const { status } = this.change!;
		state.receipts.push({ at, messageId, status, url, answered, attempt, lateMs });
		keepNewest(state.receipts, state.settings.maxRequestsKept);
	}

	private noteAsReported(answered: number | null): void {
		const { message, state } = this;
		const { status, afterMs } = this.change!;
		message.reported = shareReported(message.reported.concat({ status, answered }));
		const index = message.owed.findIndex((one) => one.status === status && one.afterMs === afterMs);
		message.owed = shareChanges(message.owed.filter((_, other) => other !== index));
		reportChange(state, { kind: 'message', message });
	}

	end(): void {
		this.queue.end();
		this.onEnd();
	}
}

export function findReceiptUrl({ settings }: State, message: StoredMessage): string {
	return message.deliveryReceiptUrl ?? settings.defaultReceiptUrl;
}

function readOrigin(url: string): string {
	return URL.canParse(url) ? new URL(url).origin : url;
}
