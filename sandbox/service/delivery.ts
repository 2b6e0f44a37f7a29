import type { StatusChange, StatusStep, StoredMessage } from '../entities';
import type { Settings } from '../settings';
import { readClock, type State } from '../state';
import type { Steps } from '../steps';
import { findMessage, readChangeTime, readFinish } from './messages';
import { findReceiptUrl, postReceipts } from './receipts';
import { findBehaviour } from './specialNumbers';

/** Milliseconds between two steps with a pace of 0, when only `advance` moves messages. */
const paceWithoutTimerMs = 1500;
const movedAtOnce = 100;

/** Plans the steps of a message to `number`, submitted to the network `startAfterMs` after its creation. */
export function planSteps(settings: Settings, number: string, startAfterMs: number): StatusStep[] {
	const { statuses, paceFactor = 1, receipts = 'once' } = findBehaviour(settings, number);
	const stepMs = (settings.pace || paceWithoutTimerMs) * paceFactor;
	const changes = statuses.map((status, index) => {
		return { status, afterMs: startAfterMs + (index + 1) * stepMs };
	});
	return changes.map((change, index) => {
		const reversed = index === changes.length - 1 ? [...changes].reverse() : [];
		const choice = { once: [change], twice: [change, change], none: [], reversed };
		return { ...change, receipts: choice[receipts] };
	});
}

/** Moves every message with a due step; does not wait for the receipts. */
export function* moveDueMessages(state: State, readTime: () => number): Steps {
	const where = `dueMs <= ? ORDER BY dueMs, mark LIMIT ${movedAtOnce}`;
	for (;;) {
		const due = state.messages.list(where, readTime());
		for (const message of due) moveMessage(state, message, readTime());
		if (due.length < movedAtOnce) return;
		yield;
	}
}

/** Resolves when the receipts of all steps up to `untilMs` have been posted; undefined if no step is due. */
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
 * Sets the status of a message, drops its remaining steps and posts the receipt. Resolves when the receipt has
 * a response or is given up.
 *
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
 * Posts the receipt of a message's current status again.
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

/** Stores statuses together with the receipts to post, so that a restart does not lose any. */
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
