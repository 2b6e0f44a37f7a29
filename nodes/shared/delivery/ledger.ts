import { hash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessageRecord } from '../client/types';
import { isTool, readRun } from '../execution/agentTool';
import { LedgerEntry, type SavedEntry } from './LedgerEntry';

/** The memory of one run of the node. */
interface Page {
	scope: string;
	/** When the first attempt began, in milliseconds since 1970. */
	startedAt: number;
	entries: Record<string, SavedEntry>;
	/** An earlier attempt has reported that history cannot be read. */
	isBlindnessTold?: boolean;
}

/** How long the page of a retry or a tool call is kept for the next one, and for how many messages in all. */
const keepPagesMs = 10 * 60_000;
const mostKeptEntries = 200_000;
const mostFirstRuns = 10_000;

/** Work on one page at a time. */
interface Work {
	page: Page;
	ended: Promise<void>;
	/** Infinity until it ends. */
	endedAt: number;
}

/** By scope, newest last. */
const works = new Map<string, Work>();
/** Execution ID by scope: two first runs that start in the same millisecond must not share a scope. */
const firstRuns = new Map<string, string>();

function forgetOldWorks(): void {
	let kept = 0;
	for (const [scope, { page, endedAt }] of Array.from(works).reverse()) {
		kept += Object.keys(page.entries).length;
		const hasEnded = endedAt !== Infinity;
		if (hasEnded && (endedAt < Date.now() - keepPagesMs || kept > mostKeptEntries))
			works.delete(scope);
	}
}

/** Works on a page exclusively, and continues the page of earlier work on the same scope. */
async function workAlone<T>(page: Page, work: (page: Page) => Promise<T>): Promise<T> {
	const { scope } = page;
	const earlier = works.get(scope);
	let end: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve));
	const own: Work = { page: earlier?.page ?? page, ended, endedAt: Infinity };
	works.delete(scope);
	works.set(scope, own);
	try {
		await earlier?.ended;
		return await work(own.page);
	} finally {
		own.endedAt = Date.now();
		end();
		forgetOldWorks();
	}
}

function digestOf(text: string): string {
	return hash('sha256', text).slice(0, 16);
}

/** When the execution began; n8n keeps it across retries by hand. `undefined` before n8n 1.110. */
function readEstablishedAt(context: IExecuteFunctions): number | undefined {
	return context.getExecutionContext?.()?.establishedAt;
}

/**
 * The memory of a node within an execution. It is stored in the node's context, which n8n keeps across the attempts of
 * Retry On Fail, waiting, and the retry of a failed execution. Its key is the place (run, item, phone number), not the
 * text: an expression such as `$now` returns a different text in every attempt.
 */
export class Ledger {
	private readonly opened = new Map<string, LedgerEntry>();

	private constructor(
		private readonly pages: Record<string, Page>,
		private readonly run: string,
		/** Whether the ledger belongs to a tool, which identifies messages by their content. */
		private readonly isOfTool: boolean,
		/** Whether the execution is a retry of a failed one; there can be several. */
		readonly isRetry: boolean,
	) {}

	/** @param recipients of all items, in order: they distinguish runs that n8n does not */
	private static open(context: IExecuteFunctions, recipients: unknown): Ledger {
		const isOfTool = isTool(context);
		const isRetry = context.getMode() === 'retry';
		const memory = context.getContext('node') as { ledger?: Record<string, Page> };
		const pages = (memory.ledger ??= {});
		const run = Ledger.keyOf(context);
		if (!pages[run]) {
			const scope = Ledger.deriveScope(context, run, isOfTool ? '' : recipients);
			// A retry without memory must find whatever any run of the same execution may have sent.
			const since = isRetry ? readEstablishedAt(context) : undefined;
			pages[run] = { scope, startedAt: since ?? Date.now(), entries: {} };
		}
		return new Ledger(pages, run, isOfTool, isRetry);
	}

	/** The same in every attempt and retry of an execution; before n8n 1.110 only while the node's memory is kept. */
	private static deriveScope(context: IExecuteFunctions, run: string, recipients: unknown): string {
		const establishedAt = readEstablishedAt(context) ?? randomBytes(8).toString('hex');
		const place = [context.getWorkflow().id, context.getNode().id, run];
		const scope = digestOf(JSON.stringify([establishedAt, place, recipients]));
		if (context.getMode() === 'retry') return scope;
		const execution = context.getExecutionId();
		if ((firstRuns.get(scope) ?? execution) !== execution) return digestOf(scope + execution);
		firstRuns.set(scope, execution);
		if (firstRuns.size > mostFirstRuns) firstRuns.delete(String(firstRuns.keys().next().value));
		return scope;
	}

	/**
	 * Works with the ledger of a run. Retries of one execution wait for each other, and so do the calls of a tool. An
	 * agent that runs again repeats its calls, so all calls in one execution share a ledger, which has one entry for
	 * each content and phone number.
	 */
	static async use<T>(
		context: IExecuteFunctions,
		recipients: unknown,
		work: (ledger: Ledger) => Promise<T>,
	): Promise<T> {
		const ledger = Ledger.open(context, recipients);
		if (!ledger.isRetry && !ledger.isOfTool) return await work(ledger);
		return await workAlone(ledger.page, async (page) => {
			ledger.pages[ledger.run] = page;
			return await work(ledger);
		});
	}

	/** Identifies the run in every attempt and retry. */
	get scope(): string {
		return this.page.scope;
	}

	/** Start of the first attempt of this run, in milliseconds since 1970. */
	get startedAt(): number {
		return this.page.startedAt;
	}

	/** Counts of messages by state, for the user. */
	describe(): string {
		const count = { open: 0, inFlight: 0, accepted: 0, inDoubt: 0 };
		for (const { state } of Object.values(this.page.entries)) count[state] += 1;
		const { accepted, inFlight, inDoubt } = count;
		return `messages accepted: ${accepted}, in flight: ${inFlight}, in doubt: ${inDoubt}`;
	}

	/** Records of all messages of the run accepted in this or an earlier attempt. */
	records(): MessageRecord[] {
		return Object.values(this.page.entries).flatMap(({ record }) => (record ? [record] : []));
	}

	/** Item and phone number of each message that was or may have been sent. */
	begun(): Array<{ item: number; to: string }> {
		return Object.entries(this.page.entries).flatMap(([key, { state }]) => {
			const [item, to] = key.split('|');
			return state === 'open' ? [] : [{ item: Number(item), to }];
		});
	}

	/** Whether a message of the run may have been sent, in this or an earlier attempt. Needs no open ledger. */
	static hasSent(context: IExecuteFunctions): boolean {
		const { ledger = {} } = context.getContext('node') as { ledger?: Record<string, Page> };
		const { entries = {} } = ledger[Ledger.keyOf(context)] ?? {};
		return Object.values(entries).some(({ state }) => state !== 'open');
	}

	private static keyOf(context: IExecuteFunctions): string {
		return isTool(context) ? 'tool' : readRun(context);
	}

	/** Records that the user is told that history cannot be read. @returns whether this is the first time */
	tellBlindness(): boolean {
		const { isBlindnessTold = false } = this.page;
		this.page.isBlindnessTold = true;
		return !isBlindnessTold;
	}

	/**
	 * The entry of the n-th message (`occurrence`) of an item to a phone number.
	 * @param isTest whether the message is a test; an accepted test does not count as the real message
	 * @param content the rest of the message, by which a tool identifies it
	 */
	entry(
		item: number,
		to: string,
		{ occurrence, isTest, content }: { occurrence: number; isTest: boolean; content?: unknown },
	): LedgerEntry {
		const text = this.isOfTool ? digestOf(JSON.stringify(content)) : '';
		const key = `${item}|${to}|${occurrence}${text}`;
		const opened = this.opened.get(key);
		if (opened) return opened;
		const { entries, scope } = this.page;
		const known = entries[key];
		const isOther = (known?.isTest ?? isTest) !== isTest;
		const saved = (entries[key] = known && !isOther ? known : { state: 'open' as const });
		if (this.isOfTool && saved.record) saved.record = { ...saved.record, alreadySent: true };
		const entry = new LedgerEntry(saved, () => {
			const recipient = digestOf(`${to}|${occurrence}${text}${isTest ? 'test' : ''}`).slice(0, 6);
			return `n8n-${scope}-${item}-${recipient}`.slice(0, 50);
		});
		this.opened.set(key, entry);
		return entry;
	}

	/** Call only when every message of the run is in the output: n8n will not run it again. */
	forgetRun(): void {
		if (!this.isOfTool) delete this.pages[this.run];
	}

	private get page(): Page {
		return this.pages[this.run];
	}
}
