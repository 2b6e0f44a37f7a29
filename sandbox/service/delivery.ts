import type { StatusChange, StatusStep, StoredMessage } from '../entities';
import type { Settings } from '../settings';
import { findDue, readClock, type State } from '../state';
import { findMessage, readChangeTime, readFinish } from './messages';
import { postReceipts } from './receipts';
import { findBehaviour } from './specialNumbers';

/** Milliseconds between two steps with a pace of 0, when only `advance` moves messages. */
const paceWithoutTimerMs = 1500;

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
export function moveDueMessages(state: State, now: number): void {
	if (now < state.nextMoveMs) return;
	const due: Array<{ dueMs: number; message: StoredMessage }> = [];
	let nextMoveMs = Infinity;
	for (const message of state.moving) {
		const dueMs = findDue(message);
		if (dueMs === undefined) state.moving.delete(message);
		else if (dueMs <= now) due.push({ dueMs, message });
		else nextMoveMs = Math.min(nextMoveMs, dueMs);
	}
	// Otherwise those that move have other times.
	if (due.length === 0) state.nextMoveMs = nextMoveMs;
	due.sort((a, b) => a.dueMs - b.dueMs || a.message.mark - b.message.mark);
	for (const { message } of due) void moveMessage(state, message, now);
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
	change(state, message, due);
	const receipts = due.flatMap((step) => step.receipts);
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
	change(state, message, [step]);
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
	await postReceipts(state, message, receipts, readClock(state));
}

function change(state: State, message: StoredMessage, steps: StatusChange[]): void {
	const reached = steps.map(({ status, afterMs }) => ({ status, afterMs }));
	const newest = reached.at(-1);
	if (!newest) return;
	message.status = newest.status;
	message.statuses = message.statuses.concat(reached);
	message.finishedAt = readFinish(message, newest);
	state.messages.noteChange();
}
