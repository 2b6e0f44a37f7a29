import { ServiceError } from './failure';
import type { HistoryPage, MessageRecord } from './types';

/** Of 1,000 records: a million. */
const pagesOfAll = 1000;

interface HistoryReading {
	/** Reads one page, counted from 1. */
	readPage(page: number): Promise<HistoryPage>;
	/** Default 1. */
	pagesAtOnce?: number;
	wanted?: number;
	isWanted?(record: MessageRecord): boolean;
	/** Whether later pages hold no wanted records. */
	isEnd?(page: HistoryPage): boolean;
	/** A history with more pages is an error, never read in part. */
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

/**
 * The wanted records, each once, in the service's order. New messages move others to later pages (field note 11), so
 * reading in order repeats some records and misses none. Among pages read in parallel, a page with a smaller count than
 * the one before was read too early: it and all later pages are read again. A gap between pages, and fewer records
 * than the service counts, are an error, so that what may be there never counts as absent. @throws ServiceError
 */
export async function readHistory(reading: HistoryReading): Promise<MessageRecord[]> {
	const { readPage, pagesAtOnce = 1, wanted = Infinity, mostPages = pagesOfAll } = reading;
	const { isWanted = () => true, isEnd = () => false } = reading;
	const found: MessageRecord[] = [];
	const shown = new Set<string>();
	const first = await readPage(1);
	const { limit, records = 0 } = first;
	// A number that is too small is no number of records.
	const promised = records < first.messages.length ? undefined : first.records;
	let count = promised;
	let [page, read] = [0, 0];
	let isOver = false;
	const take = (listing: HistoryPage) => {
		page += 1;
		const { messages, start = 0 } = listing;
		const ofPage = new Map(messages.map((record) => [keyOf(record), record]));
		const fresh = [...ofPage].filter(([key]) => !shown.has(key));
		if (fresh.length > 0 && start > read)
			throw contradiction(`page ${page} begins at ${start} after ${read} messages`);
		read += ofPage.size;
		count = count && (listing.records ?? count);
		for (const [key, record] of fresh) {
			shown.add(key);
			if (isWanted(record)) found.push(record);
		}
		const isEnough = found.length >= wanted || isEnd(listing);
		isOver = isEnough || fresh.length === 0 || read >= (count ?? Infinity);
		if (isOver && !isEnough && shown.size < (promised ?? 0))
			throw contradiction(`it counts ${promised} messages and shows ${shown.size}`);
	};

	take(first);
	while (!isOver) {
		const needed = Math.ceil((wanted - found.length) / limit);
		const left = Math.max(1, Math.ceil((count ?? 0) / limit) - page);
		const pages = Math.min(pagesAtOnce, needed, left, mostPages - page);
		if (pages < 1) throw tooManyRecords();
		const numbers = Array.from({ length: pages }, (_, n) => page + 1 + n);
		const listings = await endAll(numbers.map(async (one) => await readPage(one)));
		for (const [n, listing] of listings.entries()) {
			const isTooEarly = n > 0 && (listing.records ?? 0) < (count ?? 0);
			if (isOver || isTooEarly) break;
			take(listing);
		}
	}
	return found.slice(0, wanted);
}
