import type { Listing, MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { RequestPool } from '../shared/client/RequestPool';
import { readHistory } from '../shared/client/readHistory';
import { ServiceError } from '../shared/client/ServiceError';
import type { HistoryFilters, MessageRecord } from '../shared/client/types';
import { toMessageKey } from '../shared/validation/messageKey';

const searchesAtOnce = 3;
const pageSize = 1000;

/** What one call may still read of message history. */
export class HistoryReader {
	/** @param end milliseconds since 1970 */
	constructor(
		readonly client: MessagingServiceClient,
		private pages: number,
		private end: number,
	) {}

	get canRead(): boolean {
		return this.pages > 0 && Date.now() < this.end && !this.client.pool.isCancelled;
	}

	countPage(): void {
		this.pages -= 1;
	}
}

export interface Wanted {
	messageId: string;
	/** Null if it is not known. */
	to: string | null;
}

/** Records by message key, and by message ID alone. */
type Found = Map<string, MessageRecord>;

interface Search {
	/** The calls that wait for it. */
	readers: Set<HistoryReader>;
	/** Message IDs by message key. */
	wanted: Map<string, string>;
	found: Promise<Found>;
}

/** By credential and filters. Calls can join until the search begins. */
const queued = new Map<string, Search>();
/** Shared by all calls of this process. */
const places = new RequestPool(searchesAtOnce);

/** Counts a page for every call that can still read, since each could have searched alone. @throws ServiceError if none can */
function countPage(readers: Set<HistoryReader>): MessagingServiceClient {
	const active = Array.from(readers).filter(({ canRead }) => canRead);
	for (const reader of active) reader.countPage();
	if (active.length > 0) return active[0].client;
	throw new ServiceError('unavailable', { note: 'Message history could not be read to its end.' });
}

async function readPage(
	readers: Set<HistoryReader>,
	filters: HistoryFilters,
	page: number,
): Promise<Listing> {
	const client = countPage(readers);
	return await client.listMessages(filters, pageSize, page).catch(async (error: unknown) => {
		// Its call has given up: another one reads the page.
		if (client.pool.isCancelled) return await readPage(readers, filters, page);
		throw error;
	});
}

/** Reads history until every wanted message is found, and returns only these. @throws ServiceError */
async function searchPages(
	filters: HistoryFilters,
	{ readers, wanted }: Omit<Search, 'found'>,
): Promise<Found> {
	const messageIds = new Set(wanted.values());
	const missing = new Set(wanted.keys());
	// Services with sequential IDs return a number.
	const isWanted = ({ messageId }: MessageRecord) => messageIds.has(String(messageId ?? ''));
	const keysOf = ({ messageId, to }: MessageRecord) => [
		toMessageKey({ messageId }),
		toMessageKey({ messageId, to }),
	];
	const records = await readHistory({
		readPage: async (page) => await readPage(readers, filters, page),
		isEnd: ({ messages }) => {
			for (const key of messages.filter(isWanted).flatMap(keysOf)) missing.delete(key);
			return missing.size === 0;
		},
		isWanted,
	});
	return new Map(records.flatMap((record) => keysOf(record).map((key) => [key, record])));
}

function enqueue(key: string, filters: HistoryFilters): Search {
	const calls: Omit<Search, 'found'> = { readers: new Set(), wanted: new Map() };
	const found = places.run(async () => {
		queued.delete(key);
		return await searchPages(filters, calls);
	});
	const search = { ...calls, found };
	queued.set(key, search);
	return search;
}

/**
 * The record of a message, or if none names its recipient, any with its ID. Limits concurrent searches in this process.
 * Calls with the same credential and filters share a queued search, which goes on while one of them can read.
 */
export async function findMessage(
	reader: HistoryReader,
	filters: HistoryFilters,
	{ messageId, to }: Wanted,
): Promise<MessageRecord | undefined> {
	const key = reader.client.seal(JSON.stringify([reader.client.account, filters]));
	const { readers, wanted, found } = queued.get(key) ?? enqueue(key, filters);
	readers.add(reader);
	wanted.set(toMessageKey({ messageId, to }), messageId);
	const records = await found;
	return records.get(toMessageKey({ messageId, to })) ?? records.get(toMessageKey({ messageId }));
}
