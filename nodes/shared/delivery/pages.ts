import type { MessageRecord } from '../client/types';
import { Expiring } from '../client/Expiring';
import type { Saved } from './state';
import { startClock, type Now } from './timing';

/** The memory of one run of the node. */
export interface RunPage {
	scope: string;
	/** Digest of the ID of the execution; absent in a retry without memory, whose page stands for all retries. */
	execution?: string;
	/** When the first attempt began, in milliseconds since 1970. */
	startedAt: number;
	entries: Record<string, Saved>;
	/** The execution that has reported that history cannot be read, and when. */
	blind?: { execution: string; at: number };
	/** The last one that has responded to a send about its messages: its history shows what other retries have sent. */
	account?: string;
}

/** Identifies the run in every attempt and retry. */
export function nameOf({ scope, execution }: Pick<RunPage, 'scope' | 'execution'>): string {
	return `${scope}-${execution}`;
}

/** Whether a scope is that of a run: a retry without memory stands for all executions that began with it. */
export function isOfRun(scope: string, ofRun: string): boolean {
	const [run, execution] = ofRun.split('-');
	return scope === ofRun || (execution === 'undefined' && scope.startsWith(`${run}-`));
}

/** How long the page of a retry or a tool call is kept for the next one. */
const keepPagesMs = 10 * 60_000;

export type WaitFor = (other: Promise<void>) => Promise<void>;

/** Work on one page at a time. */
interface Work {
	page: RunPage;
	/** With all work before it. */
	ended: Promise<void>;
	/** Of another execution that began in the same millisecond. */
	before?: Work;
	/** Whether it has left something to a retry, once it has ended. */
	hasLeft?: boolean;
}

/** Work that leaves nothing stands for the one before. */
function lastOf(work: Work | undefined): Work | undefined {
	return work?.hasLeft === false ? lastOf(work.before) : work;
}

/** Of the pages that this process works on: the attempts of a run go by one clock, even if the machine's is set. */
const clocks = new WeakMap<RunPage, Now>();

export function clockOf(page: RunPage): Now {
	const clock = clocks.get(page) ?? startClock();
	clocks.set(page, clock);
	return clock;
}

/**
 * Other executions know only the machine's clock: if it was set meanwhile, or stood still in a sleep, the times of requests
 * are put by it. What may lie before that stays as early as it can be.
 */
function leaveToOthers(page: RunPage): void {
	const behindMs = Date.now() - clockOf(page)();
	// Adjusted to the network's time, clocks drift by less.
	if (Math.abs(behindMs) <= 2_000) return;
	clocks.delete(page);
	const setBackMs = Math.min(0, behindMs);
	page.startedAt += setBackMs;
	for (const saved of Object.values(page.entries)) {
		const { firstSentAt, lastSentAt, lastEndedAt } = saved;
		if (firstSentAt !== undefined) saved.firstSentAt = firstSentAt + setBackMs;
		if (lastSentAt !== undefined) saved.lastSentAt = lastSentAt + behindMs;
		if (lastEndedAt !== undefined) saved.lastEndedAt = lastEndedAt + behindMs;
	}
}

/** By the names of their pages, for 200,000 messages in all. */
const works = new Expiring<Work>(Infinity, 200_000);

interface Conditions {
	/** Rejects once the execution is stopped. */
	waitFor: WaitFor;
	/** Under which earlier work is found, default that of the page. */
	name?: string;
	/** Of an execution itself, which n8n gives its own page: whether it leaves something to its retries. */
	isLeft?: () => boolean;
}

/**
 * Works on a page exclusively, and continues the page of earlier work of the same name. To a retry of an execution that
 * was stopped, n8n gives no memory: the process keeps its page under the name that such a retry has.
 */
export async function workAlone<T>(
	own: RunPage,
	work: (page: RunPage) => Promise<T>,
	{ waitFor, name = nameOf(own), isLeft }: Conditions,
): Promise<T> {
	const earlier = isLeft ? undefined : works.get(name);
	const page = earlier?.page ?? own;
	let end: () => void = () => undefined;
	const ended = new Promise<void>((resolve) => (end = resolve)).then(() => earlier?.ended);
	const nameOfRetries = nameOf({ scope: page.scope });
	const before = lastOf(works.get(nameOfRetries));
	const one: Work = { page, ended, before: before?.page === page ? undefined : before };
	const names = new Set(isLeft ? [] : [name, nameOf(page)]).add(nameOfRetries);
	for (const each of names) works.set(each, one);
	try {
		if (earlier) await waitFor(earlier.ended);
		return await work(page).finally(() => leaveToOthers(page));
	} finally {
		end();
		one.hasLeft = isLeft?.() !== false;
		if (one.hasLeft) one.before = undefined;
		const kept = lastOf(one);
		const life = kept && lifeOf(kept);
		for (const each of names) {
			if (works.get(each) !== one) continue;
			if (kept) works.set(each, kept, life);
			else works.delete(each);
		}
	}
}

/** Of work that goes on, until it ends. */
function lifeOf({ page, hasLeft }: Work): { keepMs?: number; size?: number } {
	const size = Object.keys(page.entries).length;
	return hasLeft === undefined ? {} : { keepMs: keepPagesMs, size };
}

export function recordsOf({ entries }: RunPage): MessageRecord[] {
	return Object.values(entries).flatMap(({ record }) => (record ? [record] : []));
}
