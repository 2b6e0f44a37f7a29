import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { isRejection } from '../shared/client/rejection';
import { isAcceptance } from '../shared/client/response';
import type { BulkMessage } from '../shared/client/types';
import { groupBy } from '../shared/delivery/lookUp';
import type { Channel, Outgoing, Responses } from '../shared/delivery/Outgoing';
import { digitsOf } from '../shared/validation/recipient';
import { pairRecords } from './pairing';

/** Values of the options of bulk requests. */
export interface BulkValues {
	lookBackHours: number;
	/** Milliseconds. */
	pauseBetweenRequests: number;
	recipientsPerRequest: number;
}

const hourMs = 3_600_000;

/** All that recipients have in common goes into one entry. */
function contentOf({ request: { to, ...content } }: Outgoing) {
	return content;
}

function toEntry(messages: Outgoing[]): BulkMessage {
	return { to: messages.map(({ request }) => request.to), ...contentOf(messages[0]) };
}

/** Bulk messages have no reference ("Bulk send request"): number, text and sender ID identify them. */
export class BulkChannel implements Channel {
	readonly hasReference = false;
	readonly batchSize: number;
	readonly pauseMs: number;
	readonly lookBackMs: number;

	constructor(
		private readonly client: MessagingServiceClient,
		{ lookBackHours, pauseBetweenRequests, recipientsPerRequest }: BulkValues,
	) {
		this.batchSize = recipientsPerRequest;
		this.pauseMs = pauseBetweenRequests;
		this.lookBackMs = lookBackHours * hourMs;
	}

	async send(messages: Outgoing[]): Promise<Responses> {
		const groups = groupBy(messages, (message) => JSON.stringify(contentOf(message)));
		const entries = [...groups.values()];
		const { records, toRejection } = await this.client.sendBulk(entries.map(toEntry));
		const [only] = records;
		const isForAll = messages.length > 1 && records.length === 1 && digitsOf(only.to) === '';
		if (isForAll && isRejection(only)) throw toRejection(only);
		const sent = entries.flat();
		const pairs = pairRecords(
			sent.map(({ request }) => request),
			records,
		);
		const recordOf = new Map(sent.map((message, n) => [message, pairs[n]]));
		const each = messages.map((message) => {
			const record = recordOf.get(message);
			if (record && isRejection(record)) return toRejection(record);
			return record && isAcceptance(record) ? record : undefined;
		});
		return { each, isAccepted: records.some(isAcceptance) };
	}
}
