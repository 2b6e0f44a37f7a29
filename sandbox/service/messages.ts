import type { StatusChange, StoredMessage } from '../entities';
import { NotFound } from '../shapes';
import { noteMoving, type State, takeMark } from '../state';
import { formatDateTime } from './dateTime';

/** Stores messages at once: no request sees a part of them. */
export function storeMessages(state: State, list: StoredMessage[]): void {
	for (const message of list) {
		message.mark = takeMark(state);
		noteMoving(state, message);
	}
	const dropped = state.messages.insert(list, state.settings.maxMessagesKept);
	for (const message of dropped) state.moving.delete(message);
}

/** @throws NotFound when there is no such message */
export function findMessage(state: State, messageId: string): StoredMessage {
	const message = state.messages.find(messageId);
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
