import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import { comparableText } from '../validation/text';
import { digitsOf } from '../validation/recipient';
import type { Channel, Likeness, Outgoing, Responses } from '../delivery/Outgoing';

function isTest({ test }: MessageRecord): boolean {
	return test === true || test === 1;
}

/** Compares the text in doubt. An encrypted message always matches: history shows only its ciphertext. */
function hasTextOf({ message: text }: MessageRecord, { request, entry }: Outgoing): boolean {
	const sent = entry.saved.sent?.message ?? request.message;
	return request.encrypt === 1 || comparableText(text) === comparableText(sent);
}

/** Services may list a reference trimmed, as a number, or in another case. */
function comparableReference(reference: unknown): string {
	return String(reference ?? '')
		.trim()
		.replace(/^0+(?=\d+$)/, '')
		.toLowerCase();
}

function isSameReference(listed: unknown, sent: unknown): boolean {
	const one = comparableReference(listed);
	return one !== '' && one === comparableReference(sent);
}

/** The reference of a retry without memory is the beginning of that of the execution itself. */
function isOwnReference(listed: unknown, own: unknown): boolean {
	return comparableReference(listed).startsWith(comparableReference(own));
}

/** One message per request, with a reference that identifies it in history. */
export class SingleChannel implements Channel {
	readonly batchSize = 1;
	readonly pauseMs = 0;
	readonly lookBackMs = undefined;
	readonly isEarlierShared = true;

	constructor(private readonly client: MessagingServiceClient) {}

	keyOf({ request, isUsersReference }: Outgoing): string | undefined {
		const { to, clientReference, test = 0 } = request;
		return isUsersReference ? `${digitsOf(to)} ${test} ${clientReference}` : undefined;
	}

	async send([{ request, surface }]: Outgoing[]): Promise<Responses> {
		return [await this.client.send(request, surface)];
	}

	compare(message: Outgoing, record: MessageRecord): Likeness {
		const { request, isUsersReference } = message;
		const [listed, own] = [record.clientReference, request.clientReference];
		if (!isUsersReference && isOwnReference(listed, own)) return 'certain';
		if (isUsersReference && isSameReference(listed, own))
			return hasTextOf(record, message) ? 'alike' : 'maybe';
		// A history without references must not cause a second send.
		return !record.clientReference && hasTextOf(record, message) ? 'maybe' : 'other';
	}

	isSame(message: Outgoing, record: MessageRecord): boolean {
		const { request, isUsersReference } = message;
		// Only what names the message in the run comes after the second dash.
		const [n8n, scope] = String(request.clientReference).split('-');
		const isOfRun = isOwnReference(record.clientReference, `${n8n}-${scope}-`);
		// Of encrypted messages, only the whole reference tells which is which.
		const isReadable = !isUsersReference && request.encrypt !== 1;
		return isReadable && isOfRun && hasTextOf(record, message);
	}

	isEarlier({ request }: Outgoing, record: MessageRecord): boolean {
		return (
			isSameReference(record.clientReference, request.clientReference) &&
			isTest(record) === (request.test === 1)
		);
	}
}
