import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatusChange, StoredMessage } from '../entities';
import { NotFound } from '../shapes';
import { dropUnpublished, type State, takeMark } from '../state';
import { Unwritable } from '../store/Store';
import { formatDateTime } from './dateTime';

/** Up to this many messages are stored in one turn. */
const storedAtOnce = 1_000;
const storedPerTurn = 500;
const droppedPerTurn = 5_000;
/** Marks between the newest mark and the first of messages stored over several turns: for what is stored meanwhile. */
const marksLeft = 1_000_000_000;

/**
 * Stores messages: no request sees a part of them, and a crash leaves all or none. Thousands are written over several
 * turns, with marks that no query sees; then the newest mark moves past them. A clear or reset in between discards
 * them.
 *
 * @param prepare called just before they are stored; none is stored if it throws
 * @throws Unwritable when none was stored
 */
export async function storeMessages(
	state: State,
	list: StoredMessage[],
	prepare: () => void = () => {},
): Promise<void> {
	if (list.length > storedAtOnce) {
		const { lifetime } = state;
		const storing = state.storing.then(() => storeInTurns(state, lifetime, list, prepare));
		state.storing = storing.catch(() => undefined);
		return await storing;
	}
	prepare();
	storeAtOnce(state, list);
}

export function storeAtOnce(state: State, list: StoredMessage[]): void {
	for (const message of list) {
		message.mark = takeMark(state);
		state.messages.insert(message, state.settings.maxMessagesKept);
	}
}

async function storeInTurns(
	state: State,
	lifetime: AbortController,
	list: StoredMessage[],
	prepare: () => void,
): Promise<void> {
	const { messages, store } = state;
	const { rollbacks } = store;
	dropUnpublished(state);
	const first = state.mark + marksLeft;
	messages.end = first;
	for (const [index, message] of list.entries()) {
		if (lifetime !== state.lifetime) break;
		message.mark = first + index;
		messages.insert(message);
		if ((index + 1) % storedPerTurn === 0) await nextTurn();
	}
	if (lifetime !== state.lifetime) return dropUnpublished(state);
	// The rollback of another request's transaction may have removed a part of them.
	if (store.rollbacks > rollbacks) {
		throw new Unwritable(store.problem ?? 'The messages were not written.');
	}
	prepare();
	state.mark = first + list.length - 1;
	store.begin();
	store.commit();
	messages.end = Infinity;
	// They are stored: a failed write here leaves only more of the old ones.
	await dropOldest(state).catch(() => {});
}

async function dropOldest({ messages, settings: { maxMessagesKept: max } }: State): Promise<void> {
	for (let count = messages.count(); count > max; count -= droppedPerTurn) {
		messages.keepNewest(Math.max(max, count - droppedPerTurn));
		await nextTurn();
	}
}

/** @throws NotFound when there is no such message */
export function findMessage(state: State, messageId: string): StoredMessage {
	const message = state.messages.findNewest('messageId = ?', messageId);
	if (!message) throw new NotFound(`There is no message with the id ${messageId}.`);
	return message;
}

/** Message record of the specification. */
export const recordFields = [
	...['messageId', 'message', 'to', 'clientReference', 'scheduledAt', 'createdAt'],
	...['messageCount', 'from', 'network', 'type', 'status', 'test', 'encryptMessage'],
] as const;

/** The record in the response to a send. */
export function toRecord(message: StoredMessage): object {
	const record: Record<string, unknown> = {};
	for (const name of recordFields) record[name] = message[name];
	return record;
}

const finalStatuses = new Set([
	...['Delivered', 'Success', 'Undelivered', 'Failed'],
	...['Rejected', 'Error', 'Expired'],
]);

export function readChangeTime({ createdAtMs }: StoredMessage, { afterMs }: StatusChange): number {
	return createdAtMs + afterMs;
}

/** `finishedAt` of a message with this status; null unless the status is final. */
export function readFinish(message: StoredMessage, change: StatusChange): string | null {
	const isFinal = finalStatuses.has(change.status);
	return isFinal ? formatDateTime(readChangeTime(message, change)) : null;
}
