import type { MessageRecord, StoredMessage } from '../entities';
import { giveMark, keepNewest, reportChange, type State } from '../state';
import { doAtOnce, doInTurns, type Work } from '../turns';
import { awaitFirstSteps } from './delivery';

/** At once, for few. */
export function storeMessages(state: State, messages: StoredMessage[]): void {
	doAtOnce(fileMessages(state.messagesById, messages));
	publishMessages(state, messages);
}

/**
 * In turns, for very many: nobody asks for an ID that nobody knows yet. Then they are published in one
 * turn, so that nobody sees a part of them.
 *
 * @param prepare called in that turn before; when it throws, none is stored
 */
export async function storeMessagesInTurns(
	state: State,
	messages: StoredMessage[],
	prepare: () => void,
): Promise<void> {
	let messagesById: State['messagesById'];
	do {
		({ messagesById } = state);
		await doInTurns(fileMessages(messagesById, messages));
		// Emptied in the meantime.
	} while (messagesById !== state.messagesById);
	try {
		prepare();
	} catch (error) {
		void doInTurns(forgetMessages(messagesById, messages));
		throw error;
	}
	publishMessages(state, messages);
}

function* fileMessages(byId: State['messagesById'], messages: StoredMessage[]): Work {
	for (const message of messages) {
		byId.set(message.messageId, message);
		yield;
	}
}

function* forgetMessages(byId: State['messagesById'], messages: StoredMessage[]): Work {
	for (const { messageId } of messages) {
		byId.delete(messageId);
		yield;
	}
}

/** Keeps the list oldest first, also when seeds are older than what is there. */
function publishMessages(state: State, messages: StoredMessage[]): void {
	let newestMs = state.messages.at(-1)?.createdAtMs ?? 0;
	let areInOrder = true;
	for (const message of messages) {
		areInOrder &&= message.createdAtMs >= newestMs;
		newestMs = message.createdAtMs;
		giveMark(state, message);
		state.messages.push(message);
	}
	awaitFirstSteps(state, messages);
	if (!areInOrder) state.messages.sort((a, b) => a.createdAtMs - b.createdAtMs);
	const dropped = keepNewest(state.messages, state.settings.maxMessagesKept);
	void doInTurns(forgetMessages(state.messagesById, dropped));
	reportChange(state, { kind: 'messages', messages });
}

/** The record as the answer to a send carries it. */
export function toRecord(message: StoredMessage): MessageRecord {
	return {
		messageId: message.messageId,
		message: message.message,
		to: message.to,
		clientReference: message.clientReference,
		scheduledAt: message.scheduledAt,
		createdAt: message.createdAt,
		messageCount: message.messageCount,
		from: message.from,
		network: message.network,
		type: message.type,
		status: message.status,
		test: message.test,
		...(message.encryptMessage && { encryptMessage: true }),
	};
}
