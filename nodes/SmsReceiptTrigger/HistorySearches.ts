import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { RequestPool } from '../shared/client/RequestPool';
import { readHistory } from '../shared/client/readHistory';
import { ServiceError } from '../shared/client/ServiceError';
import type { HistoryFilters, MessageRecord } from '../shared/client/types';

const searchesAtOnce = 3;
const pageSize = 1000;

/** What the searches of one call may still cost. */
export class Budget {
	/** @param end milliseconds since 1970 */
	constructor(
		private pages: number,
		private end: number,
	) {}

	get isSpent(): boolean {
		return this.pages <= 0 || Date.now() >= this.end;
	}

	/** @throws ServiceError when there is nothing left */
	takePage(): void {
		if (this.isSpent)
			throw new ServiceError('unavailable', { words: 'History could not be read to its end' });
		this.pages -= 1;
	}

	close(): void {
		this.end = 0;
	}
}

/** The records that were looked for, by their `messageId`. */
type Found = Map<string, MessageRecord>;

/** By account and filters, until the search begins. */
const waiting = new Map<string, { messageIds: Set<string>; found: Promise<Found> }>();
/** For all the calls of the process together. */
const places = new RequestPool(searchesAtOnce);

/** Keeps the records that are wanted, and nothing else of a history of any length. */
async function searchPages(
	client: MessagingServiceClient,
	filters: HistoryFilters,
	messageIds: Set<string>,
	budget: Budget,
): Promise<Found> {
	// A service that counts its messages writes a number.
	const idOf = ({ messageId }: MessageRecord) => String(messageId ?? '');
	const missing = new Set(messageIds);
	const records = await readHistory({
		readPage: async (page) => {
			budget.takePage();
			return await client.listMessages(filters, pageSize, page);
		},
		isEnd: ({ messages }) => {
			for (const record of messages) missing.delete(idOf(record));
			return missing.size === 0;
		},
		isWanted: (record) => messageIds.has(idOf(record)),
	});
	return new Map(records.map((record) => [idOf(record), record]));
}

/** Few searches go on at the same time in the process; a call whose search has to wait shares it with calls like it. */
export async function searchMessages(
	client: MessagingServiceClient,
	filters: HistoryFilters,
	wanted: string[],
	budget: Budget,
): Promise<Found> {
	const key = JSON.stringify([client.account, filters]);
	const joined = waiting.get(key);
	if (joined) {
		for (const messageId of wanted) joined.messageIds.add(messageId);
		return await joined.found;
	}
	const messageIds = new Set(wanted);
	const found = places.run(async () => {
		waiting.delete(key);
		return await searchPages(client, filters, messageIds, budget);
	});
	waiting.set(key, { messageIds, found });
	return await found;
}
