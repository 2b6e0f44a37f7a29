import type { MessageRecord, StoredMessage } from '../entities';
import { awaitNextStep } from './delivery';
import { giveMark, keepNewest, reportChange, type State } from '../state';

/** Keeps the list oldest first, also when seeds are older than what is there. */
export function storeMessages(state: State, messages: StoredMessage[]): void {
	const newestMs = state.messages.at(-1)?.createdAtMs ?? 0;
	const areInOrder = (messages[0]?.createdAtMs ?? newestMs) >= newestMs;
	for (const message of messages) {
		giveMark(state, message);
		state.messages.push(message);
		state.messagesById.set(message.messageId, message);
		awaitNextStep(state, message);
	}
	if (!areInOrder) state.messages.sort((a, b) => a.createdAtMs - b.createdAtMs);
	for (const dropped of keepNewest(state.messages, state.settings.maxMessagesKept)) {
		state.messagesById.delete(dropped.messageId);
	}
	for (const message of messages) reportChange(state, { kind: 'message', message, isNew: true });
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
