import { hash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { Expiring } from '../n8n/Expiring';
import type { MessageRecord } from '../client/types';
import { toRecipientKey } from '../input/number';
import { beginReference, isCausedByReceipt } from '../n8n/causedByReceipt';
import { memoryOf } from '../n8n/memory';
import { isCalledOverMcp, isTool, markRepeat, readRun } from '../n8n/tool';
import type { Note } from './message';

/** What is known of one run of the node. n8n keeps it across Retry On Fail, waiting, and the retry of an execution. */
interface Page {
	/** Names the run: the same in every attempt and retry, also if n8n was killed. */
	scope: string;
	/** Tells executions of one millisecond apart; absent in a retry for which n8n has kept nothing. */
	execution?: string;
	/** When the first attempt began, in milliseconds since 1970. */
	startedAt: number;
	notes: Record<string, Note>;
	form: typeof form;
	/** What a retry does not know of attempts before: what they sent, when they began, or what an earlier version kept. */
	lost?: 'notes' | 'start' | 'form';
	/** The retry that has reported that history cannot be read. */
	blind?: string;
}

/** A page, and when all work on it so far has ended. */
interface Kept {
	page: Page;
	ended: Promise<void>;
}

/** Changes with what pages and notes hold. */
const form = 1;

interface Memory {
	ledger?: Record<string, Page>;
	execution?: string;
}

const keepMs = 10 * 60_000;
/** A client repeats a call within a minute. */
const keepCallsMs = 2 * 60_000;

/** n8n starts each retry from the memory of the first execution: what others did, only this process knows. */
const pages = new Expiring<Kept>(Infinity, 200_000);

function digestOf(text: string, length = 16): string {
	return hash('sha256', text).slice(0, length);
}

function openPage(context: IExecuteFunctions, memory: Memory, run: string, old?: Page): Page {
	const isRetry = context.getMode() === 'retry';
	if (!isRetry) memory.execution ??= digestOf(String(context.getExecutionId()), 8);
	const { establishedAt, source } = context.getExecutionContext?.() ?? {};
	// n8n 1 keeps nothing of an execution that crashed: its retry begins as a new one.
	const lost = old ? 'form' : source === 'retry' ? 'start' : 'notes';
	const begunAt = establishedAt ?? randomBytes(8).toString('hex');
	const place = [begunAt, context.getWorkflow().id, context.getNode().id, run];
	return {
		scope: digestOf(JSON.stringify(place)),
		execution: memory.execution,
		startedAt: (isRetry ? establishedAt : undefined) ?? Date.now(),
		notes: {},
		form,
		...((isRetry || old) && { lost }),
	};
}

/** What this process knows of a run, and what n8n has saved of it: other processes may have worked on it since. */
function join(known: Page, saved: Page): Page {
	for (const [key, note] of Object.entries(saved.notes))
		if (note.record || !known.notes[key]) known.notes[key] = note;
	return known;
}

function forgetOld({ notes }: Page): void {
	for (const [key, { acceptedAt = Infinity }] of Object.entries(notes))
		if (Date.now() - acceptedAt > keepCallsMs) delete notes[key];
}

/** Keeps a page for later work under its names, unless other work has taken them since. */
function keepOrForget(names: string[], one: Kept, isLeft: boolean, keepMs: number): void {
	const size = isLeft ? Object.keys(one.page.notes).length : 0;
	for (const name of names.filter((each) => pages.get(each) === one)) {
		if (size > 0) pages.set(name, one, { keepMs, size });
		else pages.delete(name);
	}
}

/**
 * The memory of a run: a note for each message. A message is the n-th to its phone number in the run, whatever its item
 * or text, since an expression such as `$now` has another value in each attempt. A tool's message is its content.
 */
export class Ledger {
	private constructor(
		private readonly memory: Memory,
		private readonly run: string,
		private readonly executionId: string,
		private readonly isOfTool: boolean,
		/** Whether the execution is a retry of a failed one; there can be several. */
		readonly isRetry: boolean,
		/** Whether a delivery receipt started the execution. */
		private readonly isCaused: boolean,
	) {}

	/**
	 * Works with the ledger of a run, after other retries of the execution, or calls of the tool.
	 * @param waitFor as that of the request pool: rejects once the execution is stopped
	 * @param call digest of a call of a tool that any execution may repeat
	 */
	static async use<T>(
		context: IExecuteFunctions,
		work: (ledger: Ledger) => Promise<T>,
		waitFor: (other: Promise<void>) => Promise<void> = async (other) => await other,
		call = '',
	): Promise<T> {
		const memory = memoryOf<Memory>(context);
		const isOfTool = isTool(context);
		const run = (isOfTool ? 'tool' : readRun(context)) + call;
		const all = (memory.ledger ??= {});
		const kept = all[run];
		const own = kept?.form === form ? kept : openPage(context, memory, run, kept);
		const isRetry = context.getMode() === 'retry';
		const isMcp = isCalledOverMcp(context);
		const ofAll = `${context.getWorkflow().id} ${context.getNode().id} ${call}`;
		// A retry for which n8n has kept nothing finds what any attempt has left.
		const ofRun = [`${own.scope}-${own.execution}`, `${own.scope}-undefined`];
		const names = call || isMcp ? [ofAll] : ofRun;
		const before = isRetry || isOfTool ? pages.get(names[0]) : undefined;
		const page = (all[run] = before ? join(before.page, own) : own);
		let end: () => void = () => undefined;
		const ended = new Promise<void>((resolve) => (end = resolve)).then(() => before?.ended);
		const one = { page, ended };
		for (const name of names) pages.set(name, one);
		try {
			if (before) await waitFor(before.ended);
			if (isMcp) forgetOld(page);
			const executionId = String(context.getExecutionId());
			const isCaused = isCausedByReceipt(context);
			return await work(new Ledger(memory, run, executionId, isOfTool, isRetry, isCaused));
		} finally {
			end();
			// A run that is forgotten leaves nothing to a retry.
			keepOrForget(names, one, all[run] === page, isMcp ? keepCallsMs : keepMs);
		}
	}

	/** Whether a message of the run may have been sent, in this or an earlier attempt. Needs no open ledger. */
	static hasSent(context: IExecuteFunctions): boolean {
		const { ledger = {} } = memoryOf<Memory>(context);
		const run = isTool(context) ? 'tool' : readRun(context);
		return Object.values(ledger[run]?.notes ?? {}).some(isBegun);
	}

	get scope(): string {
		return `${this.page.scope}-${this.page.execution}`;
	}

	/** How many messages of the run may have been sent, in this or an earlier attempt or call. */
	get sent(): number {
		return Object.values(this.page.notes).filter(isBegun).length;
	}

	/** Records of all messages of the run accepted in this or an earlier attempt. */
	records(): MessageRecord[] {
		return Object.values(this.page.notes).flatMap(({ record }) => (record ? [record] : []));
	}

	/**
	 * The note of each message. Call it once in an attempt, with all messages of the run. An accepted test does not count
	 * as the real message; `content` is the whole message, by which a tool identifies it.
	 */
	notes(
		keys: Array<{ to: string; isTest: boolean; content?: unknown }>,
	): Array<{ note: Note; reference: string }> {
		const counts = new Map<string, number>();
		return keys.map(({ to, isTest, content }) => {
			const what = this.isOfTool ? digestOf(JSON.stringify(content ?? '')) : '';
			const name = `${toRecipientKey(to)}|${isTest ? 'test' : ''}|${what}`;
			const count = counts.get(name) ?? 0;
			counts.set(name, count + 1);
			const key = `${name}|${count}`;
			const note = (this.page.notes[key] ??= {});
			if (this.isOfTool && note.record)
				note.record = markRepeat(note.record, Date.now() - (note.acceptedAt ?? 0));
			return { note, reference: this.toReference(key) };
		});
	}

	/** @returns whether the user is to be told that history cannot be read, and nothing is to be sent: once */
	tellBlindness(): boolean {
		return (this.page.blind ??= this.executionId) === this.executionId;
	}

	/** Call only when every message of the run is in the output: n8n will not run it again. */
	forgetRun(): void {
		if (!this.isOfTool) delete this.memory.ledger?.[this.run];
	}

	/** The execution ends it: a retry for which n8n has kept nothing knows only what comes before. */
	private toReference(key: string): string {
		const { scope, execution } = this.page;
		const parts = [beginReference(this.isCaused), scope, digestOf(key, 12), execution];
		return parts.filter(Boolean).join('-');
	}

	get page(): Page {
		return this.memory.ledger![this.run];
	}
}

function isBegun({ record, doubt }: Note): boolean {
	return record !== undefined || doubt !== undefined;
}
