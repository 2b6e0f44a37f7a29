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
function isSameReference(listed: unknown, sent: unknown): boolean {
	const [one, other] = [listed, sent].map((text) =>
		String(text ?? '')
			.trim()
			.toLowerCase(),
	);
	return one !== '' && one === other;
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
		const isNamed = isSameReference(record.clientReference, request.clientReference);
		if (isNamed && !isUsersReference) return 'certain';
		if (isNamed) return hasTextOf(record, message) ? 'alike' : 'maybe';
		// A history without references must not cause a second send.
		return !record.clientReference && hasTextOf(record, message) ? 'maybe' : 'other';
	}

	isEarlier({ request }: Outgoing, record: MessageRecord): boolean {
		return (
			isSameReference(record.clientReference, request.clientReference) &&
			isTest(record) === (request.test === 1)
		);
	}
}
