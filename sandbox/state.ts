import type { ActiveFault } from './control/faults';
import type { LoggedRequest, RequestStats } from './control/requestLog';
import type { LateAct } from './service/lateActs';
import type { StoredMessage } from './service/messages';
import type { StoredOtp } from './service/otp';
import type { SentReceipt } from './service/receipts';
import type { Settings } from './settings';

/** Everything a running sandbox knows. Service and control both work on this one object. */
export interface State {
	readonly startSettings: Settings;
	settings: Settings;
	/** http://host:port */
	url: string;
	/** Added to the machine's clock; grows with `advance`. */
	clockOffsetMs: number;
	/** Seeded, uniform in [0, 1). */
	random: () => number;
	balance: number;
	/** Oldest first. */
	messages: StoredMessage[];
	messagesById: Map<string, StoredMessage>;
	/** Messages with status steps still to come. */
	moving: Set<StoredMessage>;
	codes: StoredOtp[];
	receipts: SentReceipt[];
	/** Receipts being posted, retries included. */
	receiptsUnderWay: Set<Promise<void>>;
	requests: LoggedRequest[];
	stats: RequestStats;
	faults: ActiveFault[];
	/** Requests that the service acts on later. */
	lateActs: LateAct[];
	lateActsUnderWay: Set<Promise<void>>;
	/** Grows with every change of what the page shows and the data file keeps. */
	changes: number;
	/** Aborted by reset and close: lets hung requests and waiting receipts go. */
	lifetime: AbortController;
}

export function createState(startSettings: Settings): State {
	return { ...createContent(startSettings), startSettings, url: '', changes: 0 };
}

/** Empties the sandbox and puts its settings back to the start options. */
export function resetState(state: State): void {
	state.lifetime.abort();
	Object.assign(state, createContent(state.startSettings));
	state.changes++;
}

function createContent(settings: Settings): Omit<State, 'startSettings' | 'url' | 'changes'> {
	return {
		settings,
		clockOffsetMs: 0,
		random: createRandom(settings.seed),
		balance: settings.balance,
		messages: [],
		messagesById: new Map(),
		moving: new Set(),
		codes: [],
		receipts: [],
		receiptsUnderWay: new Set(),
		requests: [],
		stats: { requests: 0, inFlight: 0, peakInFlight: 0, byPath: new Map() },
		faults: [],
		lateActs: [],
		lateActsUnderWay: new Set(),
		lifetime: new AbortController(),
	};
}

/** The sandbox's time in milliseconds since 1970 (UTC). */
export function readClock(state: State): number {
	return Date.now() + state.clockOffsetMs;
}

/** Drops the oldest entries in blocks, so that a full list costs nothing per entry. */
export function keepNewest<T>(list: T[], max: number): T[] {
	return list.length > max + Math.max(100, max / 10) ? list.splice(0, list.length - max) : [];
}

/** Mulberry32: small, seedable, good enough to draw faults with. */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}
