import { hash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessageRecord } from '../client/types';
import { isTool, readRun } from '../execution/agentTool';
import { oneAfterTheOther } from './oneAfterTheOther';
import type { Window } from './ServiceClock';

/** A request that hangs at the service may still be taken this long after we gave it up. */
const latestTakingMs = 2 * 60_000;

/**
 * What is known of one message, as it lies in the memory of the execution.
 * - `open`: certainly not taken by the service; it may be sent.
 * - `underWay`: a request is out.
 * - `accepted`: the service took it; `record` is its answer.
 * - `doubtful`: a request ended, and nobody knows whether it was taken.
 */
interface SavedEntry {
	state: 'open' | 'underWay' | 'accepted' | 'doubtful';
	/** When the first request began that may have been taken, in milliseconds since 1970 on our clock. */
	firstSentAt?: number;
	/** When the last request began, and when it ended. */
	lastSentAt?: number;
	lastEndedAt?: number;
	/** Requests that went out in all tries. */
	requests?: number;
	/** What they held: an expression can give another text in the next try. */
	sent?: { message: string; from: string };
	/** Requests whose outcome stayed unknown. */
	doubts?: number;
	/** One of them got no answer in time. */
	isAfterTimeOut?: boolean;
	/** Messages of one request have the same name; one of them in history proves that the request was taken. */
	request?: string;
	isRequestTaken?: boolean;
	record?: MessageRecord;
}

interface LedgerBook {
	scope: string;
	runs: Record<string, { startedAt: number; entries: Record<string, SavedEntry> }>;
}

/** The life of one message: `open -> underWay -> accepted | doubtful`. Only these methods change it. */
export class LedgerEntry {
	constructor(
		private readonly saved: SavedEntry,
		private readonly toReference: () => string,
	) {
		// The process ended, or the execution was stopped, in the middle of a request.
		const { state, lastSentAt = 0 } = saved;
		if (state === 'underWay') this.doubt(lastSentAt, true);
	}

	get state(): SavedEntry['state'] {
		return this.saved.state;
	}

	get record(): MessageRecord | undefined {
		return this.saved.record;
	}

	get requests(): number {
		return this.saved.requests ?? 0;
	}

	get isAfterTimeOut(): boolean {
		return this.saved.isAfterTimeOut ?? false;
	}

	get isRequestTaken(): boolean {
		return this.saved.isRequestTaken ?? false;
	}

	get request(): string | undefined {
		return this.saved.request;
	}

	get sent(): SavedEntry['sent'] {
		return this.saved.sent;
	}

	/** When the last request ended, in milliseconds since 1970. */
	get endedAt(): number {
		return this.saved.lastEndedAt ?? 0;
	}

	/** When a message whose outcome is unknown can have been created, on our clock. */
	get window(): Window {
		const { firstSentAt = Date.now(), lastEndedAt = firstSentAt } = this.saved;
		return { from: firstSentAt, to: lastEndedAt + latestTakingMs };
	}

	/** Our own reference of the message: at most 50 characters, the same in every try. */
	get reference(): string {
		return this.toReference();
	}

	begin(at: number, sent: { message: string; from: string }, request: string): void {
		const { requests = 0, doubts, firstSentAt = at } = this.saved;
		Object.assign(this.saved, {
			state: 'underWay',
			firstSentAt: doubts ? firstSentAt : at,
			lastSentAt: at,
			requests: requests + 1,
			sent,
			request,
		});
	}

	accept(record: MessageRecord): void {
		// Nothing else is needed any more, and n8n saves it with the execution.
		Object.assign(this.saved, { state: 'accepted', record, sent: undefined, request: undefined });
	}

	/** The last request certainly did nothing, as may be told late. What is unknown of an earlier one stays so. */
	refuse(): void {
		const { state, doubts = 0 } = this.saved;
		const left = state === 'doubtful' ? doubts - 1 : doubts;
		Object.assign(this.saved, { state: left > 0 ? 'doubtful' : 'open', doubts: left });
	}

	doubt(at: number, isAfterTimeOut: boolean): void {
		const { doubts = 0 } = this.saved;
		Object.assign(this.saved, { state: 'doubtful', lastEndedAt: at, doubts: doubts + 1 });
		if (isAfterTimeOut) this.saved.isAfterTimeOut = true;
	}

	/** Another message of the same request is known to have been taken. */
	noteRequestTaken(): void {
		this.saved.isRequestTaken = true;
	}
}

/**
 * The memory of a node within an execution. It lies in the node's context, which n8n keeps over the tries of
 * Retry On Fail, over waiting, and over the retry of a failed execution. It is keyed by place (run, item, number)
 * and not by text, since an expression such as `$now` gives another text in every try.
 */
export class Ledger {
	private readonly opened = new Map<string, LedgerEntry>();

	private constructor(
		private readonly book: LedgerBook,
		private readonly run: string,
		/** Whether the ledger is that of a tool, which knows a message by what it holds. */
		private readonly isOfTool: boolean,
		/** Whether the execution is the retry of a failed one, of which there can be several. */
		readonly isRetry: boolean,
	) {}

	static open(context: IExecuteFunctions, isOfTool = false): Ledger {
		const memory = context.getContext('node');
		// Random and not the execution's number: two n8n instances can share one account of the service.
		memory.ledger ??= { scope: randomBytes(6).toString('hex'), runs: {} };
		const book = memory.ledger as LedgerBook;
		const run = isOfTool ? 'tool' : readRun(context);
		book.runs[run] ??= { startedAt: Date.now(), entries: {} };
		return new Ledger(book, run, isOfTool, context.getMode() === 'retry');
	}

	/**
	 * Works with the ledger of a run, alone: retries of the same execution wait for each other, and so do the calls of a
	 * tool. An agent that is run again makes the same calls again, so those of one execution share a ledger, in which
	 * a message to a number with the same text stands once.
	 */
	static async use<T>(
		context: IExecuteFunctions,
		work: (ledger: Ledger) => Promise<T>,
	): Promise<T> {
		const ledger = Ledger.open(context, isTool(context));
		if (!ledger.isRetry && !ledger.isOfTool) return await work(ledger);
		const { book, run, page } = ledger;
		return await oneAfterTheOther(`${book.scope}|${run}`, page, async (newest) => {
			book.runs[run] = newest;
			return await work(ledger);
		});
	}

	/** When the first try of this run began, in milliseconds since 1970. */
	get startedAt(): number {
		return this.page.startedAt;
	}

	/** What became of the messages of the run so far, in words. */
	describe(): string {
		const count = { open: 0, underWay: 0, accepted: 0, doubtful: 0 };
		for (const { state } of Object.values(this.page.entries)) count[state] += 1;
		const { accepted, underWay, doubtful } = count;
		return `messages accepted: ${accepted}, under way: ${underWay}, in doubt: ${doubtful}`;
	}

	/** The records of all messages of the run that were accepted in this or an earlier try. */
	records(): MessageRecord[] {
		return Object.values(this.page.entries).flatMap(({ record }) => (record ? [record] : []));
	}

	/** To which number the messages go, or may have gone, that earlier tries of this run began, by item. */
	begun(): Array<{ item: number; to: string }> {
		return Object.entries(this.page.entries).flatMap(([key, { state }]) => {
			const [item, to] = key.split('|');
			return state === 'open' ? [] : [{ item: Number(item), to }];
		});
	}

	/** Whether a request of the run has gone out, in this or an earlier try. */
	hasSent(): boolean {
		return Object.values(this.page.entries).some(
			({ record, requests = 0 }) => record !== undefined || requests > 0,
		);
	}

	/**
	 * The entry of the n-th message (`occurrence`) of an item to a number.
	 * @param content what else makes the message, by which a tool knows it
	 */
	entry(item: number, to: string, occurrence: number, content?: unknown): LedgerEntry {
		const text = this.isOfTool ? digestOf(JSON.stringify(content)) : '';
		const key = `${item}|${to}|${occurrence}${text}`;
		const opened = this.opened.get(key);
		if (opened) return opened;
		const { entries } = this.page;
		const saved = (entries[key] ??= { state: 'open' });
		if (this.isOfTool && saved.record) saved.record = { ...saved.record, alreadySent: true };
		const toReference = () => this.referenceOf(item, `${to}|${occurrence}${text}`);
		const entry = new LedgerEntry(saved, toReference);
		this.opened.set(key, entry);
		return entry;
	}

	/** Called when every message of the run is in the output: n8n will not run it again. */
	forgetRun(): void {
		if (!this.isOfTool) delete this.book.runs[this.run];
	}

	private get page() {
		return this.book.runs[this.run];
	}

	/** From what stays the same in every try and every retry, so that each finds what another has sent. */
	private referenceOf(item: number, recipient: string): string {
		const name = digestOf(recipient).slice(0, 6);
		return `n8n-${this.book.scope}-${this.run}-${item}-${name}`.slice(0, 50);
	}
}

function digestOf(text: string): string {
	return hash('sha256', text).slice(0, 16);
}
