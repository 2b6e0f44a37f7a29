import { isAcceptance } from '../shared/client/response';
import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { isRejection } from '../shared/client/rejection';
import type { BulkMessage, MessageRecord } from '../shared/client/types';
import type { Channel, Likeness, Outgoing, Responses } from '../shared/delivery/Outgoing';
import { digitsOf } from '../shared/validation/recipient';
import { comparableText } from '../shared/validation/text';
import { pairRecords, type SentMessage } from './pairing';

/** Values of the options of bulk requests. */
export interface BulkValues {
	lookBackHours: number;
	/** Milliseconds. */
	pauseBetweenRequests: number;
	recipientsPerRequest: number;
}

const hourMs = 3_600_000;

/** Merges messages with the same text and sender ID into one entry. */
export function collapse(messages: SentMessage[]): BulkMessage[] {
	const entries = new Map<string, BulkMessage>();
	for (const { to, message, from } of messages) {
		// A sender ID has no line break.
		const key = `${from}\n${message}`;
		const entry = entries.get(key);
		if (entry) entry.to.push(to);
		else entries.set(key, { to: [to], message, from });
	}
	return [...entries.values()];
}

function isAlike(record: MessageRecord, { message, from }: Omit<SentMessage, 'to'>): boolean {
	return record.from === from && comparableText(record.message) === comparableText(message);
}

/** Bulk messages have no reference ("Bulk send request"): number, text and sender ID identify them. */
export class BulkChannel implements Channel {
	readonly batchSize: number;
	readonly pauseMs: number;
	readonly lookBackMs: number;
	readonly isEarlierShared = false;
	/** All messages sent, by digits of the phone number: a record like none of them may be one in another form. */
	private readonly sent = new Map<string, SentMessage[]>();

	constructor(
		private readonly client: MessagingServiceClient,
		{ lookBackHours, pauseBetweenRequests, recipientsPerRequest }: BulkValues,
	) {
		this.batchSize = recipientsPerRequest;
		this.pauseMs = pauseBetweenRequests;
		this.lookBackMs = lookBackHours * hourMs;
	}

	keyOf({ request: { to, from, message } }: Outgoing): string {
		// Neither a number nor a sender ID has a line break.
		return `${to}\n${from}\n${message}`;
	}

	async send(messages: Outgoing[]): Promise<Responses> {
		const sent = messages.map(({ request }) => request);
		for (const request of sent) {
			const number = digitsOf(request.to);
			const known = this.sent.get(number);
			if (known) known.push(request);
			else this.sent.set(number, [request]);
		}
		const { records, toRejection } = await this.client.sendBulk(collapse(sent));
		const [only] = records;
		const isForAll = messages.length > 1 && records.length === 1 && digitsOf(only.to) === '';
		if (isForAll && isRejection(only)) throw toRejection(only);
		return pairRecords(sent, records).map((record) => {
			if (record && isRejection(record)) return toRejection(record);
			return record && isAcceptance(record) ? record : undefined;
		});
	}

	compare({ request, entry }: Outgoing, record: MessageRecord, isInDoubt: boolean): Likeness {
		if (record.clientReference) return 'other';
		if (isAlike(record, entry.saved.sent ?? request)) return 'alike';
		// A service that changes texts or sender IDs must not cause a second send.
		const others = this.sent.get(digitsOf(request.to)) ?? [];
		return isInDoubt && !others.some((other) => isAlike(record, other)) ? 'maybe' : 'other';
	}

	/** Nothing in a record names its execution. */
	isSame(): boolean {
		return false;
	}

	isEarlier({ request }: Outgoing, record: MessageRecord): boolean {
		return isAlike(record, request) && !isRejection(record) && !record.test;
	}
}
