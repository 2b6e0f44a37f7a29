import type { Behaviour, StatusChange, StatusStep, StoredMessage } from '../entities';
import type { Settings } from '../settings';
import { readClock, type State } from '../state';
import type { Steps } from '../steps';
import { readChangeTime, readFinish } from './changes';
import { findMessage } from './messages';
import { findReceiptUrl, postReceipts } from './receipts';
import { findBehaviour } from './specialNumbers';

/** Steps are this far apart (ms) when a pace of 0 leaves moving to `advance`. */
const paceWithoutTimerMs = 1500;
const movedAtOnce = 100;

/** Thousands of messages of a request have the same plan. */
let last: { behaviour: Behaviour; startAfterMs: number; pace: number; steps: StatusStep[] };

/** The life of a message to `number` that is handed to the network so long after it was created. */
export function planSteps(settings: Settings, number: string, startAfterMs: number): StatusStep[] {
	const behaviour = findBehaviour(settings, number);
	const { pace } = settings;
	const isSame =
		last?.behaviour === behaviour && last.startAfterMs === startAfterMs && last.pace === pace;
	if (!isSame) {
		last = { behaviour, startAfterMs, pace, steps: listSteps(behaviour, startAfterMs, pace) };
	}
	return last.steps;
}

function listSteps(
	{ statuses, paceFactor = 1, receipts = 'once' }: Behaviour,
	startAfterMs: number,
	pace: number,
): StatusStep[] {
	const stepMs = (pace || paceWithoutTimerMs) * paceFactor;
	const changes = statuses.map((status, index) => {
		return { status, afterMs: startAfterMs + (index + 1) * stepMs };
	});
	return changes.map((change, index) => {
		const reversed = index === changes.length - 1 ? [...changes].reverse() : [];
		const choice = { once: [change], twice: [change, change], none: [], reversed };
		return { ...change, receipts: choice[receipts] };
	});
}

/** Moves every message whose next step is due by then; receipts go out behind it. */
export function* moveDueMessages(state: State, readTime: () => number): Steps {
	const where = `dueMs <= ? ORDER BY dueMs, mark LIMIT ${movedAtOnce}`;
	for (;;) {
		const due = state.messages.list(where, readTime());
		for (const message of due) moveMessage(state, message, readTime());
		if (due.length < movedAtOnce) return;
		yield;
	}
}

/** @returns when the receipts of all steps up to `untilMs` have been posted */
export function moveMessage(
	state: State,
	message: StoredMessage,
	untilMs: number,
): Promise<void> | undefined {
	const due = message.steps.filter((step) => readChangeTime(message, step) <= untilMs);
	if (due.length === 0) return undefined;
	message.steps = message.steps.slice(due.length);
	const receipts = due.flatMap((step) => step.receipts);
	change(state, message, due, receipts);
	return postReceipts(state, message, receipts);
}

/**
 * Moves a message by hand, ends its plan and posts its receipt.
 *
 * @returns when the receiver has responded or all attempts are used up
 * @throws NotFound when there is no such message
 */
export async function setMessageStatus(
	state: State,
	messageId: string,
	status: string,
): Promise<void> {
	const message = findMessage(state, messageId);
	message.steps = [];
	const step = { status, afterMs: readClock(state) - message.createdAtMs };
	change(state, message, [step], [step]);
	state.store.commit();
	await postReceipts(state, message, [step], readClock(state));
}

/**
 * Posts the receipt of a message's present status once more.
 *
 * @throws NotFound when there is no such message
 */
export async function repeatReceipt(state: State, messageId: string): Promise<void> {
	const message = findMessage(state, messageId);
	const receipts = message.statuses.slice(-1);
	change(state, message, [], receipts);
	state.store.commit();
	await postReceipts(state, message, receipts, readClock(state));
}

/** Notes statuses, and the receipts that are to be posted, so that none is lost. */
function change(
	state: State,
	message: StoredMessage,
	steps: StatusChange[],
	receipts: StatusChange[],
): void {
	const reached = steps.map(({ status, afterMs }) => ({ status, afterMs }));
	const newest = reached.at(-1);
	if (newest) {
		message.status = newest.status;
		message.statuses = message.statuses.concat(reached);
		message.finishedAt = readFinish(message, newest);
	}
	if (findReceiptUrl(state, message)) message.owed = message.owed.concat(receipts);
	const names = ['status', 'statuses', 'finishedAt', 'steps', 'dueMs', 'owed'];
	state.messages.update(message, ...names);
}
