import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { RequestPool } from '../shared/client/RequestPool';
import { ServiceError } from '../shared/client/ServiceError';
import type { HistoryFilters, MessageRecord } from '../shared/client/types';
import { isLastPage } from '../shared/delivery/historySearch';

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
export type Found = Map<string, MessageRecord>;

interface Search {
	messageIds: Set<string>;
	found: Promise<Found>;
}

/** By account and filters, until the search begins. */
const waiting = new Map<string, Search>();
/** For all the calls of the process together. */
const places = new RequestPool(searchesAtOnce);

/** Keeps the records that are wanted, and nothing else of a history of any length. */
async function readPages(
	client: MessagingServiceClient,
	filters: HistoryFilters,
	messageIds: Set<string>,
	budget: Budget,
): Promise<Found> {
	const found: Found = new Map();
	for (let page = 1; ; page += 1) {
		budget.takePage();
		const listing = await client.listMessages(filters, pageSize, page);
		for (const record of listing.messages) {
			// A service that counts its messages writes a number.
			const messageId = String(record.messageId ?? '');
			if (messageIds.has(messageId)) found.set(messageId, record);
		}
		if (found.size === messageIds.size || isLastPage(listing, page)) return found;
	}
}

/**
 * Looks for messages in history. Few searches go on at the same time in the whole process; a call whose search has
 * to wait shares it with the calls that need the same one.
 */
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
		return await readPages(client, filters, messageIds, budget);
	});
	waiting.set(key, { messageIds, found });
	return await found;
}
