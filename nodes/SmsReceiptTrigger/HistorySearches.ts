import type { Listing, MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { RequestPool } from '../shared/client/RequestPool';
import { readHistory } from '../shared/client/readHistory';
import { asServiceError, ServiceError } from '../shared/client/ServiceError';
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

interface Found {
	/** By message key, and by message ID alone. */
	records: Map<string, MessageRecord>;
	/** Why history was not read to its end. */
	error?: ServiceError;
}

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

function keysOf({ messageId, to }: MessageRecord): string[] {
	return [toMessageKey({ messageId, to }), toMessageKey({ messageId })];
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

/** Reads history until every wanted message is found, and returns only these. */
async function searchPages(
	filters: HistoryFilters,
	{ readers, wanted }: Omit<Search, 'found'>,
): Promise<Found> {
	const messageIds = new Set(wanted.values());
	const missing = new Set(wanted.keys());
	// Services with sequential IDs return a number.
	const isWanted = ({ messageId }: MessageRecord) => messageIds.has(String(messageId ?? ''));
	const records: Found['records'] = new Map();
	const note = (record: MessageRecord) => {
		for (const key of keysOf(record)) {
			records.set(key, record);
			missing.delete(key);
		}
	};
	const error = await readHistory({
		readPage: async (page) => {
			const listing = await readPage(readers, filters, page);
			listing.messages.filter(isWanted).forEach(note);
			return listing;
		},
		isEnd: () => missing.size === 0,
		isWanted: () => false,
	}).then(() => undefined, asServiceError);
	return { records, error };
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
 * @throws ServiceError if history was not read as far as the message
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
	const { records, error } = await found;
	const record =
		records.get(toMessageKey({ messageId, to })) ?? records.get(toMessageKey({ messageId }));
	if (!record && error) throw error;
	return record;
}
