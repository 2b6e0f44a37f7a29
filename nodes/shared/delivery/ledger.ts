import { hash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessageRecord } from '../client/types';
import { isTool, readRun } from '../execution/agentTool';
import { LedgerEntry, type SavedEntry } from './LedgerEntry';

/** What is remembered of one run of the node. */
interface Page {
	scope: string;
	/** When the first attempt began, in milliseconds since 1970. */
	startedAt: number;
	entries: Record<string, SavedEntry>;
	/** An earlier attempt has said that history cannot be read. */
	isBlindnessTold?: boolean;
}

/** How long the page of a retry or a tool call is kept for the next one, and for how many messages. */
const keepPagesMs = 10 * 60_000;
const mostKeptEntries = 200_000;
const mostFirstRuns = 10_000;

/** Work on one page at a time. */
interface Work {
	page: Page;
	ended: Promise<void>;
	/** Infinity while it goes on. */
	endedAt: number;
}

/** By scope, the newest last. */
const works = new Map<string, Work>();
/** The execution of each scope: two first runs can begin in the same millisecond. */
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

/** Works with a page alone. What the work before it on the same scope has left is handed on. */
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

/** What n8n keeps over the retries of an execution by hand; n8n before 1.110 keeps nothing. */
function readEstablishedAt(context: IExecuteFunctions): number | undefined {
	return context.getExecutionContext?.()?.establishedAt;
}

/**
 * The memory of a node within an execution. It lies in the node's context, which n8n keeps over the attempts of Retry
 * On Fail, over waiting, and over the retry of a failed execution. It is keyed by place (run, item, number) and not by
 * text, since an expression such as `$now` returns another text in every attempt.
 */
export class Ledger {
	private readonly opened = new Map<string, LedgerEntry>();

	private constructor(
		private readonly pages: Record<string, Page>,
		private readonly run: string,
		/** Whether the ledger is that of a tool, which knows a message by what it holds. */
		private readonly isOfTool: boolean,
		/** Whether the execution is the retry of a failed one, of which there can be several. */
		readonly isRetry: boolean,
	) {}

	/** @param recipients of all items, in their order: they tell runs apart that n8n does not */
	private static open(context: IExecuteFunctions, recipients: unknown): Ledger {
		const isOfTool = isTool(context);
		const isRetry = context.getMode() === 'retry';
		const memory = context.getContext('node') as { ledger?: Record<string, Page> };
		const pages = (memory.ledger ??= {});
		const run = isOfTool ? 'tool' : readRun(context);
		if (!pages[run]) {
			const scope = Ledger.deriveScope(context, run, isOfTool ? '' : recipients);
			// A retry without memory asks for what any retry of the same execution can have sent.
			const since = isRetry ? readEstablishedAt(context) : undefined;
			pages[run] = { scope, startedAt: since ?? Date.now(), entries: {} };
		}
		return new Ledger(pages, run, isOfTool, isRetry);
	}

	/** The same in every attempt and every retry of an execution, also where n8n has kept no memory of the node. */
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
	 * Works with the ledger of a run, alone: retries of one execution wait for each other, and so do the calls of a
	 * tool. An agent that is run again makes the same calls again, so those of one execution share a ledger, in which
	 * a message to a number with the same text stands once.
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

	/** Names the run in every attempt and retry. */
	get scope(): string {
		return this.page.scope;
	}

	/** When the first attempt of this run began, in milliseconds since 1970. */
	get startedAt(): number {
		return this.page.startedAt;
	}

	/** The states of the messages of the run, in words. */
	describe(): string {
		const count = { open: 0, inFlight: 0, accepted: 0, inDoubt: 0 };
		for (const { state } of Object.values(this.page.entries)) count[state] += 1;
		const { accepted, inFlight, inDoubt } = count;
		return `messages accepted: ${accepted}, in flight: ${inFlight}, in doubt: ${inDoubt}`;
	}

	/** The records of all messages of the run that were accepted in this or an earlier attempt. */
	records(): MessageRecord[] {
		return Object.values(this.page.entries).flatMap(({ record }) => (record ? [record] : []));
	}

	/** To which number the messages go, or may have gone, that earlier attempts began, by item. */
	begun(): Array<{ item: number; to: string }> {
		return Object.entries(this.page.entries).flatMap(([key, { state }]) => {
			const [item, to] = key.split('|');
			return state === 'open' ? [] : [{ item: Number(item), to }];
		});
	}

	/** Whether a message of the run may have been sent, in this or an earlier attempt. */
	hasSent(): boolean {
		return Object.values(this.page.entries).some(({ state }) => state !== 'open');
	}

	/** Whether it is said for the first time that history cannot be read; the retry of this execution knows it. */
	tellBlindness(): boolean {
		const { isBlindnessTold = false } = this.page;
		this.page.isBlindnessTold = true;
		return !isBlindnessTold;
	}

	/**
	 * The entry of the n-th message (`occurrence`) of an item to a number.
	 * @param isTest whether it is sent as a test; a test that was accepted before does not stand for the real message
	 * @param content what else makes the message, by which a tool knows it
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

	/** Called when every message of the run is in the output: n8n will not run it again. */
	forgetRun(): void {
		if (!this.isOfTool) delete this.pages[this.run];
	}

	private get page(): Page {
		return this.pages[this.run];
	}
}
