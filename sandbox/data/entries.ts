import type {
	Change,
	LateAct,
	StatusChange,
	StoredMail,
	StoredMessage,
	StoredOtp,
} from '../entities';
import { storeMail } from '../mails';
import { shareLists } from '../service/changes';
import { storeMessages } from '../service/messages';
import { postOwedReceipts } from '../service/receipts';
import { storeOtp } from '../service/otp';
import { awaitLateAct, type State } from '../state';
import type { Change as WrittenChange } from './Unwritten';

/** What changes of a message after it was sent. */
interface MessagePatch {
	messageId: string;
	status: string;
	finishedAt: string | null;
	statuses: StoredMessage['statuses'];
	reported: StoredMessage['reported'];
	owed: StatusChange[];
	/** How many of its steps are still to come. */
	stepsLeft: number;
}

/** What a line of a data file has one or more of: whole values, so that reading one twice does no harm. */
export type Entry =
	| { message: StoredMessage }
	| { patch: MessagePatch }
	| { code: StoredOtp }
	| { mail: StoredMail }
	| { balance: number }
	| { clock: number }
	| { mark: number }
	| { lateAct: LateAct }
	| { acted: string }
	| { clear: true }
	| { reset: true };

/** How a change is written; undefined when it is not kept. */
export function writeChange(state: State, change: Change): WrittenChange | undefined {
	switch (change.kind) {
		case 'messages':
			return { about: change, write: () => writeMessages(change.messages) };
		case 'message':
			return { about: change.message, write: () => [writePatch(change.message)] };
		case 'code':
			return write(change.otp, () => ({ code: change.otp }));
		case 'mail':
			return write(change.mail, () => ({ mail: change.mail }));
		case 'balance':
			return writeNow('balance', { balance: state.balance });
		case 'clock':
			return writeNow('clock', { clock: state.clockOffsetMs });
		case 'lateAct':
			return write(change.act, () => ({ lateAct: toLateActEntry(change.act) }));
		case 'acted':
			return write(change, () => ({ acted: change.id }));
		case 'clear':
			return { ...write('clear', () => ({ clear: true })), isEnd: true };
		case 'reset':
			return { ...write('reset', () => ({ reset: true })), isEnd: true };
		default:
			return undefined;
	}
}

function write(about: unknown, toEntry: () => Entry): WrittenChange {
	return { about, write: () => [JSON.stringify(toEntry())] };
}

/** What other changes belong to, such as the balance: a later value would not fit to them. */
function writeNow(about: unknown, entry: Entry): WrittenChange {
	return write(about, () => entry);
}

function* writeMessages(messages: StoredMessage[]): Generator<string> {
	for (const message of messages) yield JSON.stringify({ message } satisfies Entry);
}

/** By hand, since there are four of each message: its lists are those of many others, and written once. */
function writePatch(message: StoredMessage): string {
	const { messageId, status, finishedAt, statuses, reported, owed, steps } = message;
	const own = JSON.stringify({ messageId, status, finishedAt, stepsLeft: steps.length });
	const lists = `"statuses":${writeList(statuses)},"reported":${writeList(reported)},"owed":${writeList(owed)}`;
	return `{"patch":${own.slice(0, -1)},${lists}}}`;
}

const writtenLists = new WeakMap<object, string>();

function writeList(list: object[]): string {
	const known = writtenLists.get(list);
	if (known !== undefined) return known;
	const text = JSON.stringify(list);
	writtenLists.set(list, text);
	return text;
}

/** Without its number, and what else the log of one run knows of a request. */
function toLateActEntry({ id, dueMs, request }: LateAct): LateAct {
	const { method, path, query, headers, body, ipAddress } = request;
	return { id, dueMs, request: { number: 0, method, path, query, headers, body, ipAddress } };
}

/** Everything that is kept, in the order it is to be read in again. */
export function* listEntries(state: State): Generator<Entry> {
	yield { balance: state.balance };
	yield { clock: state.clockOffsetMs };
	yield { mark: state.mark };
	for (const act of [...state.lateActs.values()]) yield { lateAct: toLateActEntry(act) };
	for (const message of [...state.messages]) yield { message };
	for (const code of [...state.codes]) yield { code };
	for (const mail of [...state.mails]) yield { mail };
}

/** What the files held, before it becomes the state. */
export interface Restored {
	balance?: number;
	clock: number;
	mark: number;
	/** What is to be kept of messages, and of codes. */
	max: number;
	messages: Map<string, StoredMessage>;
	codes: Map<string, StoredOtp>;
	mails: Map<string, StoredMail>;
	lateActs: Map<string, LateAct>;
}

export function createRestored(max: number): Restored {
	const maps = { messages: new Map(), codes: new Map(), mails: new Map(), lateActs: new Map() };
	return { clock: 0, mark: 0, max, ...maps };
}

/** @throws Error when it is no entry */
export function restoreEntry(restored: Restored, entry: Entry): void {
	if ('message' in entry) restoreMessage(restored, entry.message);
	else if ('patch' in entry) patchMessage(restored, entry.patch);
	else if ('code' in entry) restoreOtp(restored, entry.code);
	else if ('mail' in entry) restoreMail(restored, entry.mail);
	else if ('balance' in entry) restored.balance = entry.balance;
	else if ('clock' in entry) restored.clock = entry.clock;
	else if ('mark' in entry) restored.mark = entry.mark;
	else if ('lateAct' in entry) restored.lateActs.set(entry.lateAct.id, entry.lateAct);
	else if ('acted' in entry) restored.lateActs.delete(entry.acted);
	else if ('clear' in entry) forget(restored);
	else if ('reset' in entry) forgetAll(restored);
	else throw new Error('It is no entry.');
}

function restoreMessage(restored: Restored, message: StoredMessage): void {
	shareLists(message);
	restored.messages.set(message.messageId, { ...message, requestNumber: 0 });
	restored.mark = Math.max(restored.mark, message.mark);
	dropOldest(restored.messages, restored.max);
}

function patchMessage({ messages }: Restored, patch: MessagePatch): void {
	const message = messages.get(patch.messageId);
	if (!message) return;
	const { stepsLeft, ...changes } = patch;
	const { steps } = message;
	Object.assign(message, changes, { steps: steps.slice(steps.length - stepsLeft) });
	shareLists(message);
}

function restoreOtp(restored: Restored, otp: StoredOtp): void {
	restored.codes.set(String(otp.requestId), otp);
	restored.mark = Math.max(restored.mark, otp.mark);
	dropOldest(restored.codes, restored.max);
}

function restoreMail(restored: Restored, mail: StoredMail): void {
	restored.mails.set(mail.mailId, mail);
	restored.mark = Math.max(restored.mark, mail.mark);
	dropOldest(restored.mails, restored.max);
}

/** The log of a long day holds more than is kept. */
function dropOldest<T>(map: Map<string, T>, max: number): void {
	// Some more than are kept: which of them are the oldest is settled when all are there.
	if (map.size <= 1.2 * max + 1000) return;
	for (const key of map.keys()) {
		map.delete(key);
		if (map.size <= 1.1 * max) return;
	}
}

function forget(restored: Restored): void {
	restored.messages.clear();
	restored.codes.clear();
	restored.mails.clear();
}

function forgetAll(restored: Restored): void {
	forget(restored);
	restored.lateActs.clear();
	Object.assign(restored, { balance: undefined, clock: 0 });
}

/** Receipts that were under way when the sandbox ended are posted again. */
export function applyRestored(state: State, restored: Restored): void {
	state.balance = restored.balance ?? state.balance;
	state.clockOffsetMs = restored.clock;
	state.mark = restored.mark;
	for (const act of restored.lateActs.values()) awaitLateAct(state, act);
	const messages = [...restored.messages.values()].sort((a, b) => a.mark - b.mark);
	storeMessages(state, messages);
	for (const otp of restored.codes.values()) storeOtp(state, otp);
	for (const mail of restored.mails.values()) storeMail(state, mail);
	for (const message of messages) postOwedReceipts(state, message);
}
