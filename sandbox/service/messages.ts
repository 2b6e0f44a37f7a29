import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessageRecord, StatusChange, StoredMessage } from '../entities';
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

type Make = (index: number) => StoredMessage;

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
	count: number,
	make: Make,
	prepare: () => void = () => {},
): Promise<void> {
	if (count > storedAtOnce) {
		const { lifetime } = state;
		const storing = state.storing.then(() => storeInTurns(state, lifetime, count, make, prepare));
		state.storing = storing.catch(() => undefined);
		return await storing;
	}
	prepare();
	storeAtOnce(state, count, make);
}

export function storeAtOnce(state: State, count: number, make: Make): void {
	for (let index = 0; index < count; index += 1) {
		const message = Object.assign(make(index), { mark: takeMark(state) });
		state.messages.insert(message, state.settings.maxMessagesKept);
	}
}

async function storeInTurns(
	state: State,
	lifetime: AbortController,
	count: number,
	make: Make,
	prepare: () => void,
): Promise<void> {
	const { messages, store } = state;
	const { rollbacks } = store;
	dropUnpublished(state);
	const first = state.mark + marksLeft;
	messages.end = first;
	for (let index = 0; index < count && lifetime === state.lifetime; index += 1) {
		messages.insert(Object.assign(make(index), { mark: first + index }));
		if ((index + 1) % storedPerTurn === 0) await nextTurn();
	}
	if (lifetime !== state.lifetime) return dropUnpublished(state);
	// The rollback of another request's transaction may have removed a part of them.
	if (store.rollbacks > rollbacks) {
		throw new Unwritable(store.problem ?? 'The messages were not written.');
	}
	prepare();
	state.mark = first + count - 1;
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

/** The record as in responses of send and message history. */
export function toRecord(message: StoredMessage): MessageRecord {
	const { messageId, message: text, to, clientReference, scheduledAt, createdAt } = message;
	const { messageCount, from, network, type, status, test, encryptMessage } = message;
	return {
		...{ messageId, message: text, to, clientReference, scheduledAt, createdAt },
		...{ messageCount, from, network, type, status, test },
		...(encryptMessage && { encryptMessage }),
	};
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
