import type { ReceiptDraft, StatusStep, StoredMessage } from '../entities';
import { NotFound } from '../notFound';
import { readClock, reportChange, type State } from '../state';
import { formatDateTime } from './dateTime';
import { oweReceipts, postReceipts } from './receipts';
import { findBehaviour } from './specialNumbers';

/** Steps are this far apart (ms) when a pace of 0 leaves moving to `advance`. */
const paceWithoutTimerMs = 1500;
const finalStatuses = new Set([
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
	const stepMs = (pace || paceWithoutTimerMs) * paceFactor;
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
	return { status, updatedAtMs, finishedAtMs: finalStatuses.has(status) ? updatedAtMs : null };
}

/** Moves every message whose next step is due; receipts go out behind it. */
export function moveDueMessages(state: State): void {
	const now = readClock(state);
	for (let message = state.moving.take(now); message; message = state.moving.take(now)) {
		if (state.messagesById.has(message.messageId)) void moveMessage(state, message, now);
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
	const [next] = message.steps;
	if (next) state.moving.add(next.dueMs, message);
	const receipts = due.flatMap((step) => step.receipts);
	oweReceipts(state, message, receipts);
	for (const step of due) applyStatus(state, message, step.status, step.dueMs);
	await postReceipts(state, message, receipts);
}

/**
 * Moves a message by hand, ends its plan and posts its receipt.
 *
 * @returns when the receiver has answered or all attempts are used up
 * @throws NotFound when there is no such message
 */
export async function setMessageStatus(
	state: State,
	messageId: string,
	status: string,
): Promise<void> {
	const message = findMessage(state, messageId);
	message.steps = [];
	const draft = draftReceipt(status, readClock(state));
	oweReceipts(state, message, [draft]);
	applyStatus(state, message, status, draft.updatedAtMs);
	await postReceipts(state, message, [draft]);
}

/**
 * Posts the receipt of a message's present status once more.
 *
 * @throws NotFound when there is no such message
 */
export async function repeatReceipt(state: State, messageId: string): Promise<void> {
	const message = findMessage(state, messageId);
	const { status, atMs } = message.statuses.at(-1)!;
	const draft = draftReceipt(status, atMs);
	oweReceipts(state, message, [draft]);
	reportChange(state, { kind: 'message', message, isNew: false });
	await postReceipts(state, message, [draft]);
}

function findMessage(state: State, messageId: string): StoredMessage {
	const message = state.messagesById.get(messageId);
	if (!message) throw new NotFound(`There is no message with the id ${messageId}.`);
	return message;
}

function applyStatus(state: State, message: StoredMessage, status: string, atMs: number): void {
	message.status = status;
	// An array that grows by push or spread takes room for sixteen more, in every message.
	message.statuses = message.statuses.concat({ status, atMs });
	message.finishedAt = finalStatuses.has(status) ? formatDateTime(atMs) : null;
	reportChange(state, { kind: 'message', message, isNew: false });
}
