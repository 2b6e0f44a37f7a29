import { readClock, type State } from '../state';
import { formatDateTime } from './dateTime';
import { doDueLateActs } from './lateActs';
import type { StoredMessage } from './messages';
import { postReceipt, postReceiptsInOrder, type ReceiptDraft } from './receipts';
import { findBehaviour } from './specialNumbers';

/** One step of a message: from `dueMs` on it has `status`, and these receipts go out. */
export interface StatusStep {
	dueMs: number;
	status: string;
	receipts: ReceiptDraft[];
}

/** Steps are this far apart (ms) when a pace of 0 leaves moving to `advance`. */
const PACE_WITHOUT_TIMER_MS = 1500;
const TICK_MS = 20;
const FINAL = new Set([
	'Delivered',
	'Success',
	'Undelivered',
	'Failed',
	'Rejected',
	'Error',
	'Expired',
]);

/** The life of a message to `number` that is handed to the network at `startMs`. */
export function planSteps(number: string, startMs: number, pace: number): StatusStep[] {
	const { statuses, paceFactor = 1, receipts = 'once' } = findBehaviour(number);
	const stepMs = (pace || PACE_WITHOUT_TIMER_MS) * paceFactor;
	const drafts = statuses.map((status, index) =>
		draftReceipt(status, startMs + (index + 1) * stepMs),
	);
	return drafts.map((draft, index) => {
		const isLast = index === drafts.length - 1;
		const reversed = isLast ? [...drafts].reverse() : [];
		const choice = { once: [draft], twice: [draft, draft], none: [], reversed };
		return { dueMs: draft.updatedAtMs, status: draft.status, receipts: choice[receipts] };
	});
}

function draftReceipt(status: string, updatedAtMs: number): ReceiptDraft {
	return { status, updatedAtMs, finishedAtMs: FINAL.has(status) ? updatedAtMs : null };
}

/** Moves every message whose next step is due; receipts go out behind it. */
export function moveDueMessages(state: State): void {
	const now = readClock(state);
	for (const message of state.moving) {
		void moveMessage(state, message, now);
	}
}

/** @returns when the receipts of all steps up to `untilMs` have been posted */
export async function moveMessage(
	state: State,
	message: StoredMessage,
	untilMs: number,
): Promise<void> {
	const due = message.steps.filter((step) => step.dueMs <= untilMs);
	if (due.length === 0) return;
	message.steps = message.steps.slice(due.length);
	if (message.steps.length === 0) state.moving.delete(message);
	for (const step of due) applyStatus(state, message, step.status, step.dueMs);
	const receipts = due.flatMap((step) => step.receipts);
	await postReceiptsInOrder(state, message, receipts);
}

/**
 * Moves a message by hand, ends its plan and posts its receipt.
 *
 * @returns when the receiver has answered or all attempts are used up
 * @throws Error when there is no such message
 */
export async function setMessageStatus(
	state: State,
	messageId: string,
	status: string,
): Promise<void> {
	const message = state.messagesById.get(messageId);
	if (!message) throw new Error(`There is no message with the id ${messageId}.`);
	message.steps = [];
	state.moving.delete(message);
	const draft = draftReceipt(status, readClock(state));
	applyStatus(state, message, status, draft.updatedAtMs);
	await postReceipt(state, message, draft);
}

function applyStatus(state: State, message: StoredMessage, status: string, atMs: number): void {
	message.status = status;
	message.finishedAt = FINAL.has(status) ? formatDateTime(atMs) : null;
	state.changes++;
}

/** Lets messages move by themselves while the pace is not 0, and late acts happen in any case. @returns a function that stops it */
export function startDelivery(state: State): () => void {
	const timer = setInterval(() => {
		doDueLateActs(state);
		if (state.settings.pace > 0) moveDueMessages(state);
	}, TICK_MS);
	timer.unref();
	return () => clearInterval(timer);
}
