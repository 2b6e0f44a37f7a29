import { randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessageRecord } from '../client/types';
import { readRun } from '../toolCall';
import { claim } from './claims';

/**
 * What became of one message.
 * - `open`: certainly not taken by the service; it may be sent.
 * - `sending`: a request went out and no answer told what became of it; history is asked before anything else.
 * - `accepted`: the service took it; `record` is its answer.
 */
export interface LedgerEntry {
	/** Our own reference of the message: at most 50 characters, the same in every try. */
	reference: string;
	state: 'open' | 'sending' | 'accepted';
	/** When the first and the last request went out, in milliseconds since 1970 on our clock. */
	firstSentAt?: number;
	lastSentAt?: number;
	/** What is under way without a reference: an expression can give another text in the next try. */
	underWay?: { message: string; from: string };
	record?: MessageRecord;
}

interface LedgerBook {
	scope: string;
	runs: Record<string, Record<string, LedgerEntry>>;
}

/**
 * The memory of a node within an execution. It lies in the node's context, which n8n keeps over the tries of
 * Retry On Fail, over waiting, and over the retry of a failed execution. It is keyed by place (run, item, number)
 * and not by text, since an expression such as `$now` gives another text in every try.
 */
export class Ledger {
	private serial: number;

	private constructor(
		private readonly book: LedgerBook,
		private readonly run: string,
	) {
		const entries = Object.values(this.entries());
		for (const { record } of entries) if (record) claim(record, 'answer');
		this.serial = entries.length;
	}

	static open(context: IExecuteFunctions): Ledger {
		const memory = context.getContext('node');
		// Random and not the execution's number: two n8n instances can share one account of the service.
		memory.ledger ??= { scope: randomBytes(8).toString('hex'), runs: {} };
		const book = memory.ledger as LedgerBook;
		const run = readRun(context);
		book.runs[run] ??= {};
		return new Ledger(book, run);
	}

	/** The entry of the n-th message (`occurrence`) of an item to a number. */
	entry(item: number, to: string, occurrence: number): LedgerEntry {
		const entries = this.entries();
		const key = `${item}|${to}|${occurrence}`;
		entries[key] ??= { reference: this.nextReference(item), state: 'open' };
		return entries[key];
	}

	/** @param by how it became known: by the answer to the request, or by a look into history */
	accept(entry: LedgerEntry, record: MessageRecord, by: 'answer' | 'history' = 'answer'): void {
		entry.state = 'accepted';
		entry.record = record;
		delete entry.underWay;
		claim(record, by);
	}

	/** Called when every message of the run is in the output: n8n will not run it again. */
	forgetRun(): void {
		delete this.book.runs[this.run];
	}

	private entries(): Record<string, LedgerEntry> {
		return this.book.runs[this.run] ?? {};
	}

	private nextReference(item: number): string {
		this.serial += 1;
		return `n8n-${this.book.scope}-${this.run}-${item}-${this.serial}`.slice(0, 50);
	}
}
