import { randomUUID } from 'node:crypto';
import { Agenda } from './Agenda';
import type {
	Change,
	LateAct,
	SentReceipt,
	StoredMail,
	StoredMessage,
	StoredOtp,
} from './entities';
import { createRandom } from './random';
import { ReceiptQueue } from './ReceiptQueue';
import type { Settings } from './settings';
import { doInTurns } from './turns';

export interface Keeper {
	/** Why not everything is kept, in a sentence; it is tried again when that is so. */
	findProblem(): string | undefined;
	/** The same when all that has changed so far is written. */
	untilKept(): Promise<string | undefined>;
}

/** Nothing is to be kept. */
const noKeeper: Keeper = { findProblem: () => undefined, untilKept: async () => undefined };

/** Everything the service knows. */
export interface State {
	readonly startSettings: Settings;
	settings: Settings;
	/** http://host:port */
	url: string;
	/** What its receipts say of their sender, so that it knows its own calls. */
	readonly userAgent: string;
	/** Added to the machine's clock; grows with `advance`. */
	clockOffsetMs: number;
	/** The sandbox's time of the last advance: nothing is late for having been due before. */
	advancedAtMs: number;
	/** Seeded, uniform in [0, 1). */
	random: () => number;
	balance: number;
	/** Counts what was issued, messages, codes and mails together, over a reset too. */
	mark: number;
	/** Oldest first. */
	messages: StoredMessage[];
	messagesById: Map<string, StoredMessage>;
	/** Messages with status steps still to come. */
	moving: Agenda<StoredMessage>;
	/** Requests that the service has still to act on, by their id. */
	lateActs: Map<string, LateAct>;
	lateActsDue: Agenda<LateAct>;
	codes: StoredOtp[];
	codesById: Map<string, StoredOtp>;
	mails: StoredMail[];
	receipts: SentReceipt[];
	receiptQueue: ReceiptQueue;
	/** Writes what is to be kept over a restart. */
	keeper: Keeper;
	/** Told of every change. */
	readonly listeners: Set<(change: Change) => void>;
	/** Aborted by reset and close: lets hung requests and waiting receipts go. */
	lifetime: AbortController;
}

export function createState(startSettings: Settings): State {
	return {
		...createContent(startSettings),
		startSettings,
		url: '',
		mark: 0,
		keeper: noKeeper,
		userAgent: `messaging-service-sandbox/${randomUUID()}`,
		listeners: new Set(),
	};
}

/** Empties the sandbox and puts its settings back to the start options. */
export function resetState(state: State): void {
	endLifetime(state);
	Object.assign(state, createContent(state.startSettings));
	reportChange(state, { kind: 'reset' });
}

/** Forgets messages, codes, mails and receipts. */
export function clearState(state: State): void {
	endLifetime(state);
	Object.assign(state, createEmptyStore());
	reportChange(state, { kind: 'clear' });
}

/** Lets go who waits for something. */
export function endLifetime({ lifetime, receiptQueue }: State): void {
	lifetime.abort();
	void doInTurns(receiptQueue.endAll());
}

function createContent(settings: Settings) {
	return {
		settings,
		clockOffsetMs: 0,
		advancedAtMs: 0,
		random: createRandom(settings.seed),
		balance: settings.balance,
		lateActs: new Map<string, LateAct>(),
		lateActsDue: new Agenda<LateAct>(),
		...createEmptyStore(),
	};
}

function createEmptyStore() {
	return {
		messages: [],
		messagesById: new Map<string, StoredMessage>(),
		moving: new Agenda<StoredMessage>(),
		codes: [],
		codesById: new Map<string, StoredOtp>(),
		mails: [],
		receipts: [],
		receiptQueue: new ReceiptQueue(),
		lifetime: new AbortController(),
	};
}

/** A new message or code gets the next mark; one that was kept over a restart has its own. */
export function giveMark(state: State, entry: { mark: number }): void {
	if (entry.mark === 0) entry.mark = state.mark + 1;
	state.mark = Math.max(state.mark, entry.mark);
}

export function awaitLateAct(state: State, act: LateAct): void {
	state.lateActs.set(act.id, act);
	state.lateActsDue.add(act.dueMs, act);
}

export function reportChange(state: State, change: Change): void {
	for (const listener of state.listeners) listener(change);
}

/** The sandbox's time in milliseconds since 1970 (UTC). */
export function readClock(state: State): number {
	return Date.now() + state.clockOffsetMs;
}

/** Drops the oldest entries in blocks, so that a full list costs nothing per entry. */
export function keepNewest<T>(list: T[], max: number): T[] {
	return list.length > max + Math.max(100, max / 10) ? list.splice(0, list.length - max) : [];
}
