import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { isAcceptance, isRejection } from '../shared/client/response';
import type { BulkMessage } from '../shared/client/types';
import type { Channel, Outgoing, Responses } from '../shared/delivery/message';
import { bucketOf, groupBy } from '../shared/input/comparison';
import { hourMs } from '../shared/input/time';
import { pairRecords } from './pairing';

export interface BulkValues {
	lookBackHours: number;
	/** Milliseconds. */
	pauseBetweenRequests: number;
	recipientsPerRequest: number;
}

/** Merges messages that differ in nothing but their recipient into one entry. */
function mergeEqual(messages: Outgoing[]) {
	const groups = groupBy(messages, ({ request }) => JSON.stringify({ ...request, to: undefined }));
	const all = [...groups.values()];
	return {
		entries: all.map((equal): BulkMessage => {
			return { ...equal[0].request, to: equal.map(({ request }) => request.to) };
		}),
		sent: all.flat(),
	};
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
		const { entries, sent } = mergeEqual(messages);
		const { records, toRejection } = await this.client.sendBulk(entries);
		const [only] = records;
		const isForAll = messages.length > 1 && records.length === 1 && bucketOf(only.to) === '';
		if (isForAll && isRejection(only)) throw toRejection(only);
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
