import type { MessageRecord, StoredMessage } from '../entities';
import { NotFound } from '../notFound';
import { type State, takeMark } from '../state';

/** Stores messages together. */
export function storeMessages(state: State, messages: StoredMessage[]): void {
	for (const message of messages) {
		message.mark = takeMark(state);
		state.messages.insert(message, state.settings.maxMessagesKept);
	}
}

/** @throws NotFound when there is no such message */
export function findMessage(state: State, messageId: string): StoredMessage {
	const message = state.messages.findNewest('messageId = ?', messageId);
	if (!message) throw new NotFound(`There is no message with the id ${messageId}.`);
	return message;
}

/** The record as the response to a send carries it. */
export function toRecord(message: StoredMessage): MessageRecord {
	const { messageId, message: text, to, clientReference, scheduledAt, createdAt } = message;
	const { messageCount, from, network, type, status, test, encryptMessage } = message;
	return {
		...{ messageId, message: text, to, clientReference, scheduledAt, createdAt },
		...{ messageCount, from, network, type, status, test },
		...(encryptMessage && { encryptMessage }),
	};
}
