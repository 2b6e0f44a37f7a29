import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { ReceiptQueue } from './ReceiptQueue';
import type { Settings } from './settings';
import { createTables, type Tables } from './store/tables';

/** Values kept across restarts besides the tables. */
interface Kept {
	balance: number;
	/** Added to the machine's clock; grows with `advance`. */
	clockOffsetMs: number;
	/** Last sequence number of messages, codes and mails; continues after a reset. */
	mark: number;
}

/** The state of the sandbox. */
export interface State extends Tables, Kept {
	readonly startSettings: Settings;
	settings: Settings;
	/** scheme://host:port */
	url: string;
	/** For its own paths; undefined if they need none. */
	controlToken?: string;
	/** Receivers that may have a loopback or link-local address; undefined: any. */
	allowedReceivers?: string[];
	/** User-Agent of its receipts, which identifies calls to itself. */
	readonly userAgent: string;
	/** Settles when no messages are being stored over several turns. */
	storing: Promise<void>;
	/** Time of the last advance, by the sandbox's clock. Lateness counts from here at the earliest. */
	advancedAtMs: number;
	/** The highest `arrivedMs` so far. */
	arrivedMs: number;
	/** Seeded, uniform in [0, 1). */
	random: () => number;
	receiptQueue: ReceiptQueue;
	/** Emits `change` after each commit, rollback or log entry. */
	readonly news: EventEmitter;
	/** Aborted by clear, reset and close: ends hung requests and receipts in flight. */
	lifetime: AbortController;
}

/** @throws Error that names the folder, if it cannot be used */
export function createState(startSettings: Settings, folder?: string): State {
	const state: State = {
		...createTables(folder),
		...createContent(startSettings),
		...{ startSettings, url: '', mark: 0, news: new EventEmitter().setMaxListeners(0) },
		userAgent: `messaging-service-sandbox/${randomUUID()}`,
		receiptQueue: new ReceiptQueue(),
		lifetime: new AbortController(),
		storing: Promise.resolve(),
	};
	let kept = readKept(state);
	Object.assign(state, kept);
	state.store.hooks = {
		onCommit: () => (kept = writeKept(state, kept)),
		onEnd: (isCommitted) => {
			if (!isCommitted) Object.assign(state, (kept = readKept(state)));
			reportNews(state);
		},
	};
	dropUnpublished(state);
	state.arrivedMs = state.messages.findNewest('TRUE')?.arrivedMs ?? 0;
	return state;
}

/** Removes messages above the newest mark: a crash, a clear or a failed write left them unpublished. */
export function dropUnpublished({ store, mark, messages }: State): void {
	store.write('DELETE FROM message WHERE mark > ?', mark);
	messages.end = Infinity;
}

const keptNames = ['balance', 'clockOffsetMs', 'mark'] as const;

function readKept(state: State): Kept {
	const rows = state.store.all('SELECT name, value FROM meta');
	const found = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
	return { balance: state.settings.balance, clockOffsetMs: 0, mark: 0, ...found };
}

function writeKept(state: State, { ...before }: Kept): Kept {
	for (const name of keptNames) {
		if (state[name] === before[name]) continue;
		state.store.write('INSERT OR REPLACE INTO meta VALUES (?, ?)', name, state[name]);
	}
	return { balance: state.balance, clockOffsetMs: state.clockOffsetMs, mark: state.mark };
}

/** Empties the sandbox and restores the settings, balance and clock of the start. @throws Unwritable */
export function resetState(state: State): void {
	state.lateActs.remove();
	state.balance = state.startSettings.balance;
	state.clockOffsetMs = 0;
	clearState(state);
	Object.assign(state, createContent(state.startSettings));
}

/** Removes messages, codes, mails, requests and receipts. @throws Unwritable */
export function clearState(state: State): void {
	for (const table of [state.messages, state.codes, state.mails]) table.remove();
	state.store.commit();
	state.requests.remove();
	state.receipts.remove();
	state.lifetime.abort();
	state.receiptQueue = new ReceiptQueue();
	state.lifetime = new AbortController();
	reportNews(state);
}

function createContent(settings: Settings) {
	return {
		settings,
		...{ clockOffsetMs: 0, advancedAtMs: 0, arrivedMs: 0 },
		random: createRandom(settings.randomSeed),
		balance: settings.balance,
	};
}

/** The mark of a new message, code or mail. */
export function takeMark(state: State): number {
	state.mark += 1;
	return state.mark;
}

/** Orders a message after all earlier ones, even if the clock was moved back. */
export function noteArrival(state: State, nowMs: number): number {
	state.arrivedMs = Math.max(state.arrivedMs, nowMs);
	return state.arrivedMs;
}

export function reportNews({ news }: State): void {
	news.emit('change');
}

/** Mulberry32: small, seedable, uniform in [0, 1); good enough for faults, jitter and order. */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}

/** The sandbox's time in milliseconds since 1970 (UTC). */
export function readClock(state: State): number {
	return Date.now() + state.clockOffsetMs;
}
