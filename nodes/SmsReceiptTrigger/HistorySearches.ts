import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { RequestPool } from '../shared/client/RequestPool';
import { readHistory } from '../shared/client/readHistory';
import { ServiceError } from '../shared/client/ServiceError';
import type { HistoryFilters, MessageRecord } from '../shared/client/types';

const searchesAtOnce = 3;
const pageSize = 1000;

/** The pages and time that the searches of one call may still use. */
export class Budget {
	/** @param end milliseconds since 1970 */
	constructor(
		private pages: number,
		private end: number,
	) {}

	get isSpent(): boolean {
		return this.pages <= 0 || Date.now() >= this.end;
	}

	/** @throws ServiceError when the budget is spent */
	takePage(): void {
		if (this.isSpent)
			throw new ServiceError('unavailable', {
				note: 'Message history could not be read to its end.',
			});
		this.pages -= 1;
	}

	close(): void {
		this.end = 0;
	}
}

/** The wanted records, by `messageId`. */
type Found = Map<string, MessageRecord>;

/** Queued searches, by account and filters. */
const waiting = new Map<string, { messageIds: Set<string>; found: Promise<Found> }>();
/** Shared by all calls of this process. */
const places = new RequestPool(searchesAtOnce);

/** Reads history until every wanted message is found, and returns only these. @throws ServiceError */
async function searchPages(
	client: MessagingServiceClient,
	filters: HistoryFilters,
	messageIds: Set<string>,
	budget: Budget,
): Promise<Found> {
	// Services with sequential IDs return a number.
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

/** Limits concurrent searches in this process. Calls with the same account and filters share a queued search. */
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
