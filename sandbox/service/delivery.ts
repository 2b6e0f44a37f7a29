import type { StatusChange, StatusStep, StoredMessage } from '../entities';
import { NotFound } from '../notFound';
import { readClock, reportChange, type State } from '../state';
import type { Work } from '../turns';
import { readChangeTime, readFinish, shareChanges, shareSteps } from './changes';
import { oweReceipts, postReceiptNow, postReceipts } from './receipts';
import { type Behaviour, findBehaviour } from './specialNumbers';

/** Steps are this far apart (ms) when a pace of 0 leaves moving to `advance`. */
const paceWithoutTimerMs = 1500;

interface Plan {
	behaviour: Behaviour;
	startAfterMs: number;
	pace: number;
	steps: StatusStep[];
}

/** The last one: thousands of messages of a request have the same. */
let last: Plan | undefined;

/** The life of a message to `number` that is handed to the network so long after it was created. */
export function planSteps(number: string, startAfterMs: number, pace: number): StatusStep[] {
	const behaviour = findBehaviour(number);
	if (last?.behaviour === behaviour && last.startAfterMs === startAfterMs && last.pace === pace) {
		return last.steps;
	}
	const steps = listSteps(behaviour, startAfterMs, pace);
	last = { behaviour, startAfterMs, pace, steps };
	return steps;
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
	const steps = changes.map((change, index) => {
		const isLast = index === changes.length - 1;
		const reversed = isLast ? [...changes].reverse() : [];
		const choice = { once: [change], twice: [change, change], none: [], reversed };
		return { ...change, receipts: choice[receipts] };
	});
	return shareSteps(steps);
}

/** Has a message moved when its next step is due. */
function awaitNextStep(state: State, message: StoredMessage): void {
	const [next] = message.steps;
	if (next) state.moving.add(readChangeTime(message, next), message);
}

/** Of those that follow each other with the same time and plan all at once. */
export function awaitFirstSteps(state: State, messages: StoredMessage[]): void {
	for (let start = 0; start < messages.length; ) {
		const { steps, createdAtMs } = messages[start]!;
		let end = start + 1;
		while (messages[end]?.steps === steps && messages[end]?.createdAtMs === createdAtMs) end += 1;
		if (steps[0]) state.moving.addAll(createdAtMs + steps[0].afterMs, messages.slice(start, end));
		start = end;
	}
}

/** Moves every message whose next step is due; receipts go out behind it. */
export function* moveDueMessages(state: State): Work {
	const now = readClock(state);
	const { moving } = state;
	for (let message = moving.take(now); message; message = moving.take(now)) {
		if (state.messagesById.has(message.messageId)) moveMessage(state, message, now);
		yield;
		// Emptied in the meantime, and the clock may be another.
		if (moving !== state.moving) return;
	}
}

/** @param onEnd told when the receipts of all steps up to `untilMs` have been posted */
export function moveMessage(
	state: State,
	message: StoredMessage,
	untilMs: number,
	onEnd: () => void = () => undefined,
): void {
	const due = message.steps.filter((step) => readChangeTime(message, step) <= untilMs);
	if (due.length === 0) return onEnd();
	message.steps = shareSteps(message.steps.slice(due.length));
	awaitNextStep(state, message);
	const receipts = due.flatMap((step) => step.receipts);
	oweReceipts(state, message, receipts);
	for (const step of due) applyChange(state, message, step);
	postReceipts(state, message, receipts, onEnd);
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
	message.steps = shareSteps([]);
	const change = { status, afterMs: readClock(state) - message.createdAtMs };
	oweReceipts(state, message, [change]);
	applyChange(state, message, change);
	await postReceiptNow(state, message, change);
}

/**
 * Posts the receipt of a message's present status once more.
 *
 * @throws NotFound when there is no such message
 */
export async function repeatReceipt(state: State, messageId: string): Promise<void> {
	const message = findMessage(state, messageId);
	const change = message.statuses.at(-1)!;
	oweReceipts(state, message, [change]);
	reportChange(state, { kind: 'message', message });
	await postReceiptNow(state, message, change);
}

function findMessage(state: State, messageId: string): StoredMessage {
	const message = state.messagesById.get(messageId);
	if (!message) throw new NotFound(`There is no message with the id ${messageId}.`);
	return message;
}

function applyChange(
	state: State,
	message: StoredMessage,
	{ status, afterMs }: StatusChange,
): void {
	const change = { status, afterMs };
	message.status = status;
	message.statuses = shareChanges(message.statuses.concat(change));
	message.finishedAt = readFinish(message, change);
	reportChange(state, { kind: 'message', message });
}
