import { keepNewest, type State } from '../state';
import type { StatusStep } from './delivery';

/** Message record of the specification; a stored `message` of an encrypted send is encrypted. */
export interface MessageRecord {
	messageId: string;
	message: string;
	to: string;
	clientReference: string | null;
	scheduledAt: string | null;
	createdAt: string;
	messageCount: number;
	from: string;
	network: string;
	type: string;
	status: string;
	test: boolean;
	encryptMessage?: true;
}

/** A message as the sandbox keeps it. The encryption key is not kept (it is returned once). */
export interface StoredMessage extends MessageRecord {
	finishedAt: string | null;
	createdAtMs: number;
	/** The sandbox's time from which history lists it. */
	listedFromMs: number;
	deliveryReceiptUrl: string | null;
	/** Path it came by, without the base: /rest/send, /rest/send/bulk, /http/send. */
	sentBy: string;
	/** Status steps still to come, in order. */
	steps: StatusStep[];
	/** Statuses reported so far, with what the receiver answered last. */
	reported: Array<{ status: string; answered: number | null }>;
}

/** Keeps the list oldest first, also when seeds are older than what is there. */
export function storeMessages(state: State, messages: StoredMessage[]): void {
	const newestMs = state.messages.at(-1)?.createdAtMs ?? 0;
	const areInOrder = (messages[0]?.createdAtMs ?? newestMs) >= newestMs;
	for (const message of messages) {
		state.messages.push(message);
		state.messagesById.set(message.messageId, message);
		if (message.steps.length > 0) state.moving.add(message);
	}
	if (!areInOrder) state.messages.sort((a, b) => a.createdAtMs - b.createdAtMs);
	for (const dropped of keepNewest(state.messages, state.settings.maxMessagesKept)) {
		state.messagesById.delete(dropped.messageId);
		state.moving.delete(dropped);
	}
	state.changes++;
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
