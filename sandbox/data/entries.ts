import type { Change, ReceiptDraft, StoredMessage, StoredOtp } from '../entities';
import { storeMessages } from '../service/messages';
import { postOwedReceipts } from '../service/receipts';
import { storeOtp } from '../service/otp';
import type { State } from '../state';

/** What changes of a message after it was sent. */
interface MessagePatch {
	messageId: string;
	status: string;
	finishedAt: string | null;
	statuses: StoredMessage['statuses'];
	reported: StoredMessage['reported'];
	owed: ReceiptDraft[];
	/** How many of its steps are still to come. */
	stepsLeft: number;
}

/** One line of a data file: whole values, so that reading a line twice does no harm. */
export type Entry =
	| { message: StoredMessage }
	| { patch: MessagePatch }
	| { code: StoredOtp }
	| { balance: number }
	| { clock: number }
	| { mark: number }
	| { clear: true }
	| { reset: true };

/** What is to be written of a change; undefined when it is not kept. */
export function toEntry(state: State, change: Change): Entry | undefined {
	switch (change.kind) {
		case 'message':
			return change.isNew ? { message: change.message } : { patch: toPatch(change.message) };
		case 'code':
			return { code: change.otp };
		case 'balance':
			return { balance: state.balance };
		case 'clock':
			return { clock: state.clockOffsetMs };
		case 'clear':
			return { clear: true };
		case 'reset':
			return { reset: true };
		default:
			return undefined;
	}
}

function toPatch(message: StoredMessage): MessagePatch {
	const { messageId, status, finishedAt, statuses, reported, owed, steps } = message;
	return { messageId, status, finishedAt, statuses, reported, owed, stepsLeft: steps.length };
}

/** Everything that is kept, in the order it is to be read in again. */
export function* listEntries(state: State): Generator<Entry> {
	yield { balance: state.balance };
	yield { clock: state.clockOffsetMs };
	yield { mark: state.mark };
	for (const message of [...state.messages]) yield { message };
	for (const code of [...state.codes]) yield { code };
}

/** What the files held, before it becomes the state. */
export interface Restored {
	balance?: number;
	clock: number;
	mark: number;
	messages: Map<string, StoredMessage>;
	codes: Map<string, StoredOtp>;
}

export function createRestored(): Restored {
	return { clock: 0, mark: 0, messages: new Map(), codes: new Map() };
}

/** @throws Error when it is no entry */
export function restoreEntry(restored: Restored, entry: Entry): void {
	if ('message' in entry) restoreMessage(restored, entry.message);
	else if ('patch' in entry) patchMessage(restored, entry.patch);
	else if ('code' in entry) restored.codes.set(String(entry.code.requestId), entry.code);
	else if ('balance' in entry) restored.balance = entry.balance;
	else if ('clock' in entry) restored.clock = entry.clock;
	else if ('mark' in entry) restored.mark = entry.mark;
	else if ('clear' in entry) forget(restored);
	else if ('reset' in entry) Object.assign(forget(restored), { balance: undefined, clock: 0 });
	else throw new Error('It is no entry.');
}

function restoreMessage(restored: Restored, message: StoredMessage): void {
	restored.messages.set(message.messageId, { ...message, requestNumber: 0 });
	restored.mark = Math.max(restored.mark, message.mark);
}

function patchMessage({ messages }: Restored, patch: MessagePatch): void {
	const message = messages.get(patch.messageId);
	if (!message) return;
	const { stepsLeft, ...changes } = patch;
	const { steps } = message;
	Object.assign(message, changes, { steps: steps.slice(steps.length - stepsLeft) });
}

function forget(restored: Restored): Restored {
	restored.messages.clear();
	restored.codes.clear();
	return restored;
}

/** Receipts that were under way when the sandbox ended are posted again. */
export function applyRestored(state: State, restored: Restored): void {
	state.balance = restored.balance ?? state.balance;
	state.clockOffsetMs = restored.clock;
	state.mark = restored.mark;
	const messages = [...restored.messages.values()].sort((a, b) => a.mark - b.mark);
	storeMessages(state, messages);
	for (const otp of restored.codes.values()) storeOtp(state, otp);
	for (const message of messages) postOwedReceipts(state, message);
}
