import type { StatusChange, StoredMessage } from '../entities';
import type { QueuedCall, ReceiptQueue } from '../ReceiptQueue';
import { readClock, reportNews, type State } from '../state';
import { callReceiver } from './callReceiver';
import { readChangeTime } from './changes';
import { buildReceipt } from './receiptFormat';

/** The longest that a timer of Node can wait, some 24 days. */
const longestMs = 2_147_483_647;

/** The receipts of a message that go out one after the other, each until it is answered 200 or given up. */
export class Posting implements QueuedCall {
	dueMs = 0;
	private url = '';
	private index = 0;
	private attempt = 0;
	private startedAt = 0;
	private readonly signal: AbortSignal;
	private readonly queue: ReceiptQueue;
	private tellEnd: () => void = () => undefined;

	/** @param askedAtMs when somebody asked for them, if they are not due of themselves */
	constructor(
		private readonly state: State,
		private readonly message: StoredMessage,
		private readonly changes: StatusChange[],
		private readonly askedAtMs: number,
	) {
		// Of this moment: a reset ends this posting, and what comes after has others.
		this.signal = state.lifetime.signal;
		this.queue = state.receiptQueue;
	}

	/** Posts them when their statuses are committed. @returns when all are answered or given up */
	begin(): Promise<void> {
		this.queue.begin();
		const isOver = new Promise<void>((resolve) => (this.tellEnd = resolve));
		this.state.store.committed().then(
			() => this.goOn(),
			() => this.end(),
		);
		return isOver;
	}

	/** One attempt, when it is its turn. */
	async call(): Promise<void> {
		const { state, message, signal, url } = this;
		if (signal.aborted) return this.end();
		const receipt = buildReceipt(state.settings.receiptMethod, url, message, this.change!);
		this.note(await callReceiver({ ...receipt, userAgent: state.userAgent }, signal), false);
	}

	end(): void {
		this.queue.end();
		this.tellEnd();
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
		const receiver = URL.canParse(this.url) ? new URL(this.url).origin : this.url;
		if (!this.queue.enter(receiver, this)) this.note(null, true);
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
		const { messageId, to } = message;
		const { status } = this.change!;
		const receipt = { at, messageId, to, status, url, answered, attempt, lateMs };
		state.receipts.insert(receipt, state.settings.maxRequestsKept);
		reportNews(state);
	}

	/** A receipt that cannot be noted is posted again after a restart. */
	private noteAsReported(answered: number | null): void {
		const { message, state } = this;
		const { status, afterMs } = this.change!;
		const now = state.messages.find('mark = ?', message.mark);
		if (!now) return;
		now.reported = now.reported.concat({ status, answered });
		const index = now.owed.findIndex((one) => one.status === status && one.afterMs === afterMs);
		now.owed = now.owed.filter((_, other) => other !== index);
		try {
			state.messages.update(now, 'reported', 'owed');
		} catch {
			// The store says why.
		}
	}
}

export function findReceiptUrl({ settings }: State, message: StoredMessage): string {
	return message.deliveryReceiptUrl ?? settings.defaultReceiptUrl;
}

/** Posts what an earlier run of the sandbox still owed. */
export function postOwedReceipts(state: State): void {
	for (const message of state.messages.list("owed <> '[]' ORDER BY mark")) {
		void new Posting(state, message, message.owed, readClock(state)).begin();
	}
}
