import { hash, randomBytes } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessageRecord } from '../client/types';
import { isCalledOverMcp, isTool, markRepeat, readRun } from '../n8n/tool';
import { beginReference, isCausedByReceipt, rememberCaused } from '../n8n/causedByReceipt';
import { memoryOf } from '../n8n/memory';
import { comparableId } from '../input/comparison';
import { toRecipientKey } from '../input/recipient';
import { LedgerEntry, pair, type Wanted } from './entry';
import { groupBy } from './history';
import { clockOf, nameOf, recordsOf, workAlone, type RunPage, type WaitFor } from './pages';
import { notAhead, type Now } from './timing';

/** What n8n keeps for the node: the pages by run. */
interface Memory {
	ledger?: Record<string, RunPage>;
	execution?: string;
	/** Digests of the records that finished runs have returned, and that history could show as those of another run. */
	told?: string[];
}

function digestOf(text: string, length = 16): string {
	return hash('sha256', text).slice(0, length);
}

/** Several recipients of one request may share an ID: they are of one run. */
function toDigest(record: MessageRecord): string {
	return digestOf(comparableId(record), 12);
}

/**
 * The memory of a node within an execution. It is stored in the node's context, which n8n keeps across the attempts of
 * Retry On Fail, waiting, and the retry of a failed execution. A message is the n-th to its phone number in the run,
 * whatever item it comes from: the steps before may return their items in another order, or more of them.
 */
export class Ledger {
	private others?: ReadonlySet<string>;
	private readonly openedAt = Date.now();

	private constructor(
		private readonly memory: Required<Pick<Memory, 'ledger' | 'told'>>,
		private readonly run: string,
		/** Whether the ledger belongs to a tool, which identifies messages by their content. */
		private readonly isOfTool: boolean,
		/** Whether the execution is a retry of a failed one; there can be several. */
		readonly isRetry: boolean,
		private readonly executionId: string,
		/** Whether a delivery receipt started the execution. */
		private readonly isCaused: boolean,
		/** The node, if it is called over MCP. */
		private readonly tool: string | undefined,
	) {}

	private static open(context: IExecuteFunctions, call = ''): Ledger {
		const isOfTool = isTool(context);
		const isRetry = context.getMode() === 'retry';
		const memory = memoryOf<Memory>(context);
		const pages = (memory.ledger ??= {});
		const told = (memory.told ??= []);
		const run = Ledger.keyOf(context) + call;
		// All that n8n keeps without this memory is when the execution began. Its ID tells executions of one millisecond
		// apart, but each retry has another one.
		const executionId = String(context.getExecutionId());
		if (!isRetry) memory.execution ??= digestOf(executionId, 8);
		pages[run] ??= Ledger.begin(context, run, memory.execution);
		const isCaused = isCausedByReceipt(context);
		const place = `${context.getWorkflow().id} ${context.getNode().id}`;
		const tool = isCalledOverMcp(context) ? place : undefined;
		return new Ledger({ ledger: pages, told }, run, isOfTool, isRetry, executionId, isCaused, tool);
	}

	/** Without `establishedAt`, before n8n 1.110, only the memory of the node leads a retry back to what was sent. */
	private static begin(context: IExecuteFunctions, run: string, execution?: string): RunPage {
		const { establishedAt } = context.getExecutionContext?.() ?? {};
		const begunAt = establishedAt ?? randomBytes(8).toString('hex');
		const place = [begunAt, context.getWorkflow().id, context.getNode().id, run];
		// A retry without memory must find whatever any run of the same execution may have sent.
		const since = context.getMode() === 'retry' ? establishedAt : undefined;
		const scope = digestOf(JSON.stringify(place));
		return { scope, execution, startedAt: since ?? Date.now(), entries: {} };
	}

	/**
	 * Works with the ledger of a run. Retries of one execution wait for each other, and so do the calls of a tool. An
	 * agent that runs again repeats its calls, so all calls in one execution share a ledger, which has one entry for
	 * each content and phone number.
	 * @param waitFor as that of the request pool: Stop ends the wait for another retry
	 * @param call digest of a call whose ledger all executions of this process share for 10 minutes: MCP clients call
	 * again when a response takes long, and each of their calls is an execution
	 */
	static async use<T>(
		context: IExecuteFunctions,
		work: (ledger: Ledger) => Promise<T>,
		waitFor: WaitFor = async (other) => await other,
		call?: string,
	): Promise<T> {
		const ledger = Ledger.open(context, call);
		const workWith = async (page: RunPage) => {
			ledger.pages[ledger.run] = page;
			return await work(ledger);
		};
		const place = [context.getWorkflow().id, context.getNode().id, call];
		const name = call === undefined ? undefined : digestOf(JSON.stringify(place));
		const isLasting = ledger.isRetry || ledger.isOfTool;
		const isLeft = isLasting ? undefined : () => Ledger.hasSent(context);
		return await workAlone(ledger.page, workWith, { waitFor, name, isLeft });
	}

	get now(): Now {
		return clockOf(this.page);
	}

	/** Identifies the run in every attempt and retry. */
	get scope(): string {
		return nameOf(this.page);
	}

	/** A retry for which n8n has kept nothing: its messages may have been sent. */
	get hasLostMemory(): boolean {
		return this.page.execution === undefined;
	}

	/** Start of the first attempt of this run, in milliseconds since 1970. */
	get startedAt(): number {
		return notAhead(this.page.startedAt, this.now());
	}

	/** How many messages of the run may have been sent, in this or an earlier attempt or call. */
	get sent(): number {
		return Object.values(this.page.entries).filter(({ state }) => state !== 'open').length;
	}

	/** Records of all messages of the run accepted in this or an earlier attempt. */
	records(): MessageRecord[] {
		return recordsOf(this.page);
	}

	/** Whether a message of the run may have been sent, in this or an earlier attempt. Needs no open ledger. */
	static hasSent(context: IExecuteFunctions): boolean {
		const { ledger = {} } = memoryOf<Memory>(context);
		const { entries = {} } = ledger[Ledger.keyOf(context)] ?? {};
		return Object.values(entries).some(({ state }) => state !== 'open');
	}

	private static keyOf(context: IExecuteFunctions): string {
		return isTool(context) ? 'tool' : readRun(context);
	}

	noteAccount(account: string): void {
		this.page.account = account;
	}

	isOfOtherAccount(account: string): boolean {
		return (this.page.account ?? account) !== account;
	}

	/**
	 * Records that the user is told that history cannot be read.
	 * @returns whether no other execution had told so before this one began; the attempts of Retry On Fail are one
	 */
	tellBlindness(): boolean {
		const { execution, at } = (this.page.blind ??= { execution: this.executionId, at: Date.now() });
		return execution === this.executionId || at > this.openedAt;
	}

	/** The entry of each message. Call it once in an attempt, with all messages of the run. */
	entries(wanted: Wanted[]): LedgerEntry[] {
		const entries: LedgerEntry[] = [];
		const groups = groupBy([...wanted.keys()], (index) => this.identify(wanted[index]));
		for (const [name, indices] of groups) {
			const texts = indices.map((index) => wanted[index].text);
			for (const [n, place] of pair(texts, this.textsOf(name)).entries()) {
				entries[indices[n]] = this.entry(`${name}|${place}`);
			}
		}
		return entries;
	}

	/** The phone number, as it is compared. */
	private identify({ to, isTest, content }: Wanted): string {
		const test = isTest ? '|test' : '';
		return `${toRecipientKey(to)}${test}${this.isOfTool ? `|${digestOf(JSON.stringify(content))}` : ''}`;
	}

	/** The texts of the known messages, as they were sent, or as history shows them. */
	private textsOf(name: string): Array<string | undefined> {
		const texts: Array<string | undefined> = [];
		for (;;) {
			const saved = this.page.entries[`${name}|${texts.length}`];
			if (!saved) return texts;
			texts.push(saved.sent?.message ?? saved.record?.message);
		}
	}

	private entry(key: string): LedgerEntry {
		const { entries, scope, execution } = this.page;
		const saved = (entries[key] ??= { state: 'open' as const });
		if (this.isOfTool && saved.record) {
			const { lastEndedAt = this.now() } = saved;
			saved.record = markRepeat(saved.record, this.now() - lastEndedAt);
		}
		// The ID of the execution ends it: a retry without memory knows only what comes before.
		const toReference = () =>
			[
				beginReference(this.isCaused),
				scope,
				digestOf(key, 12),
				...(execution === undefined ? [] : [execution]),
			].join('-');
		const retriedUntil = this.isRetry ? this.now() : undefined;
		const onAccepted = this.isCaused ? rememberCaused : undefined;
		const call = this.tool === undefined ? undefined : `${this.tool} ${key}`;
		return new LedgerEntry(saved, toReference, this.now, retriedUntil, onAccepted, call);
	}

	/** Call only when every message of the run is in the output: n8n will not run it again. */
	forgetRun(): void {
		if (this.isOfTool) return;
		const ofRun = `${beginReference(this.isCaused)}-${this.page.scope}-`;
		for (const record of this.records()) {
			const isNamed = String(record.clientReference).startsWith(ofRun);
			if (!isNamed) this.memory.told.push(toDigest(record));
		}
		delete this.pages[this.run];
	}

	/** Whether the record is that of another run of this execution, as of another round of a loop. */
	isOfOtherRun(record: MessageRecord): boolean {
		this.others ??= new Set([
			...this.memory.told,
			...Object.entries(this.pages)
				.filter(([run]) => run !== this.run)
				.flatMap(([, page]) => recordsOf(page).map(toDigest)),
		]);
		return this.others.has(toDigest(record));
	}

	private get pages(): Record<string, RunPage> {
		return this.memory.ledger;
	}

	private get page(): RunPage {
		return this.pages[this.run];
	}
}
