import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type {
	LateAct,
	LoggedRequest,
	SentReceipt,
	StoredMail,
	StoredMessage,
	StoredOtp,
} from './entities';
import { ReceiptQueue } from './ReceiptQueue';
import type { Settings } from './settings';
import { Table } from './Table';

/** The state of the sandbox, in memory. */
export interface State extends Tables {
	readonly startSettings: Settings;
	settings: Settings;
	balance: number;
	/** Added to the machine's clock; grows with `advance`. */
	clockOffsetMs: number;
	/** Last sequence number of messages, codes and mails; continues after a reset. */
	mark: number;
	/** scheme://host:port */
	url: string;
	/** For its own paths; undefined if they need none. */
	controlToken?: string;
	/** Receivers that may have a loopback or link-local address; undefined: any. */
	allowedReceivers?: string[];
	/** User-Agent of its receipts, which identifies calls to itself. */
	readonly userAgent: string;
	/** Requests that the service acts on later, by ID. */
	readonly lateActs: Map<string, LateAct>;
	/** Messages with steps still to come, among others. */
	readonly moving: Set<StoredMessage>;
	/** No message moves before this time, by the sandbox's clock. */
	nextMoveMs: number;
	/** Time of the last advance, by the sandbox's clock. Lateness counts from here at the earliest. */
	advancedAtMs: number;
	/** The highest `arrivedMs` so far. */
	arrivedMs: number;
	/** Seeded, uniform in [0, 1). */
	random: () => number;
	receiptQueue: ReceiptQueue;
	/** Emits `change` after changes, once in a turn of the event loop. */
	readonly news: EventEmitter;
	/** Aborted by clear, reset and close: ends hung requests and receipts in flight. */
	lifetime: AbortController;
}

type Tables = ReturnType<typeof createTables>;

function createTables(onChange: () => void) {
	return {
		messages: new Table<StoredMessage>({
			key: ({ messageId }) => messageId,
			compare: (a, b) => a.arrivedMs - b.arrivedMs || a.mark - b.mark,
			onChange,
		}),
		codes: new Table<StoredOtp>({ key: ({ requestId }) => String(requestId), onChange }),
		mails: new Table<StoredMail>({ key: ({ mailId }) => mailId, onChange }),
		requests: new Table<LoggedRequest>({ key: (request) => request.number, onChange }),
		receipts: new Table<SentReceipt>({ key: (receipt) => receipt, onChange }),
	};
}

export function createState(startSettings: Settings): State {
	const news = new EventEmitter().setMaxListeners(0);
	return {
		...createTables(createNotifier(news)),
		...createContent(startSettings),
		...{ startSettings, url: '', mark: 0, news },
		...{ lateActs: new Map(), moving: new Set(), nextMoveMs: Infinity },
		userAgent: `messaging-service-sandbox/${randomUUID()}`,
		receiptQueue: new ReceiptQueue(),
		lifetime: new AbortController(),
	};
}

/** Thousands of changes in a turn of the event loop are told once. */
function createNotifier(news: EventEmitter): () => void {
	let isTold = true;
	return () => {
		if (!isTold) return;
		isTold = false;
		setImmediate(() => {
			isTold = true;
			news.emit('change');
		});
	};
}

/** Empties the sandbox and restores the settings, balance and clock of the start. */
export function resetState(state: State): void {
	state.lateActs.clear();
	state.balance = state.startSettings.balance;
	state.clockOffsetMs = 0;
	clearState(state);
	Object.assign(state, createContent(state.startSettings));
}

/** Removes messages, codes, mails, requests and receipts. */
export function clearState(state: State): void {
	const { messages, codes, mails, requests, receipts } = state;
	for (const table of [messages, codes, mails, requests, receipts]) table.clear();
	state.moving.clear();
	state.nextMoveMs = Infinity;
	state.lifetime.abort();
	state.receiptQueue = new ReceiptQueue();
	state.lifetime = new AbortController();
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

/** When the next step of a message is due, by the sandbox's clock; undefined without one. */
export function findDue({ createdAtMs, steps: [next] }: StoredMessage): number | undefined {
	return next && createdAtMs + next.afterMs;
}

export function noteMoving(state: State, message: StoredMessage): void {
	const dueMs = findDue(message);
	if (dueMs === undefined) return;
	state.moving.add(message);
	state.nextMoveMs = Math.min(state.nextMoveMs, dueMs);
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
