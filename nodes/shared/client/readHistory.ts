import { ServiceError } from './failure';
import type { HistoryPage, MessageRecord } from './types';

/** Of 1,000 records: a million. A longer history is an error, never read in part. */
export const pagesOfAll = 1000;

interface HistoryReading {
	/** Reads one page, counted from 1. */
	readPage(page: number): Promise<HistoryPage>;
	/** Default 1. */
	pagesAtOnce?: number;
	wanted?: number;
	isWanted?(record: MessageRecord): boolean;
	/** Whether later pages hold no wanted records. */
	isEnd?(page: HistoryPage): boolean;
	/** Default 200. A search that needs more pages is an error, so that no result is incomplete. */
	mostPages?: number;
}

/** All of them end before a failure is thrown: no request goes on after the node has ended. */
export async function endAll<T>(begun: Array<Promise<T>>): Promise<T[]> {
	const ends = await Promise.allSettled(begun);
	return ends.map((end) => {
		if (end.status === 'rejected') throw end.reason;
		return end.value;
	});
}

/** The total number of records; `undefined` if the first page shows that the service miscounts them. */
function countOf({ messages, limit, records }: HistoryPage): number | undefined {
	return messages.length === Math.min(limit, records ?? NaN) ? records : undefined;
}

const contradiction = (why: string) =>
	new ServiceError('unreadable', {
		note: `Message history contradicts itself: ${why}. Try again in a minute. If it persists, send this text to your provider.`,
	});

/** Another lookup would not find fewer. */
const tooManyRecords = () =>
	new ServiceError('unreadable', {
		code: 'tooManyRecords',
		note: 'Message history has too many records to search. In SMS History, add Created From or To. In a node that sends, turn off Skip If Already Sent, or lower Look Back (Hours).',
	});

/** A service can assign one ID to several messages. A record without an ID is identified by all of its fields. */
function keyOf(record: MessageRecord): string {
	const { messageId, to } = record;
	return messageId ? `${messageId} ${to}` : JSON.stringify(record);
}

/** The wanted records, each only once. */
class Finds {
	readonly records: MessageRecord[] = [];
	/** Of all records that were shown, without pages that repeat others. */
	shown = 0;
	private readonly seen = new Set<unknown>();

	constructor(private readonly isWanted: (record: MessageRecord) => boolean) {}

	/** Equal records of a page are one record. @returns whether the page shows anything new */
	add({ messages }: HistoryPage): boolean {
		const fresh = messages.filter((record) => !this.seen.has(keyOf(record)));
		this.shown += fresh.length;
		const ofPage = new Map<string, MessageRecord[]>();
		for (const record of fresh) {
			const key = keyOf(record);
			this.seen.add(key);
			const before = ofPage.get(key);
			if (before?.some((one) => JSON.stringify(one) === JSON.stringify(record))) continue;
			if (before) before.push(record);
			else ofPage.set(key, [record]);
			if (this.isWanted(record)) this.records.push(record);
		}
		return fresh.length > 0;
	}
}

/**
 * The wanted records, in the service's order. New messages move others to later pages (field note 11), so reading
 * in order repeats some records and misses none. Among pages read in parallel, a page with a smaller count than
 * the one before was read too early: it and all later pages are read again. A gap between pages, and fewer records
 * than the service counts, are an error, so that what may be there never counts as absent. @throws ServiceError
 */
export async function readHistory(reading: HistoryReading): Promise<MessageRecord[]> {
	const { readPage, pagesAtOnce = 1, wanted = Infinity, mostPages = 200 } = reading;
	const { isWanted = () => true, isEnd = () => false } = reading;
	const finds = new Finds(isWanted);
	const first = await readPage(1);
	const { limit, records: promised = 0 } = first;
	let count = countOf(first);
	let isOver = false;
	let isWhole = false;
	let page = 0;
	let read = 0;
	const take = (listing: HistoryPage) => {
		page += 1;
		const isNew = finds.add(listing);
		// A service can repeat its last page.
		if ((listing.start ?? 0) > read && (isNew || page === 1))
			throw contradiction(`page ${page} begins at ${listing.start} after ${read} messages`);
		read += listing.messages.length;
		if (count !== undefined) count = listing.records ?? count;
		const isLast = count === undefined ? !isNew : page * limit >= count;
		const isEnough = isEnd(listing) || finds.records.length >= wanted;
		isOver = isLast || isEnough || listing.messages.length === 0;
		isWhole = isOver && !isEnough;
	};

	take(first);
	while (!isOver) {
		const needed = Math.ceil((wanted - finds.records.length) / limit);
		const left = count === undefined ? 1 : Math.ceil(count / limit) - page;
		const pages = Math.min(pagesAtOnce, needed, left, mostPages - page);
		if (pages < 1) throw tooManyRecords();
		const numbers = Array.from({ length: pages }, (_, n) => page + 1 + n);
		const listings = await endAll(numbers.map(async (one) => await readPage(one)));
		for (const [n, listing] of listings.entries()) {
			const isTooEarly = n > 0 && count !== undefined && (listing.records ?? count) < count;
			if (isOver || isTooEarly) break;
			take(listing);
		}
	}
	const expected = Math.min(promised, count ?? promised);
	if (isWhole && finds.shown < expected)
		throw contradiction(`it counts ${expected} messages and shows ${finds.shown}`);
	return finds.records.slice(0, wanted);
}
