import { randomUUID } from 'node:crypto';
import { Agenda } from './agenda';
import type { Change, SentReceipt, StoredMessage, StoredOtp } from './entities';
import { createRandom } from './random';
import type { Settings } from './settings';

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
	/** Oldest first. */
	messages: StoredMessage[];
	messagesById: Map<string, StoredMessage>;
	/** Messages with status steps still to come. */
	moving: Agenda<StoredMessage>;
	codes: StoredOtp[];
	codesById: Map<string, StoredOtp>;
	receipts: SentReceipt[];
	/** Receipts being posted, retries included. */
	receiptsUnderWay: Set<Promise<void>>;
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
		userAgent: `messaging-service-sandbox/${randomUUID()}`,
		listeners: new Set(),
	};
}

/** Empties the sandbox and puts its settings back to the start options. */
export function resetState(state: State): void {
	state.lifetime.abort();
	Object.assign(state, createContent(state.startSettings));
	reportChange(state, { kind: 'reset' });
}

function createContent(
	settings: Settings,
): Omit<State, 'startSettings' | 'url' | 'userAgent' | 'listeners'> {
	return {
		settings,
		clockOffsetMs: 0,
		advancedAtMs: 0,
		random: createRandom(settings.seed),
		balance: settings.balance,
		messages: [],
		messagesById: new Map(),
		moving: new Agenda(),
		codes: [],
		codesById: new Map(),
		receipts: [],
		receiptsUnderWay: new Set(),
		lifetime: new AbortController(),
	};
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
