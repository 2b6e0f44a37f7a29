import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { readHistory } from '../client/readHistory';
import { ServiceError } from '../client/ServiceError';
import type { HistoryFilters, HistoryPage, MessageRecord } from '../client/types';
import { digitsOf, isDomestic } from '../validation/recipient';
import type { KnownAccount } from './KnownAccount';
import { groupBy } from './pairing';
import { readServiceTime, type ServiceClock } from './ServiceClock';

const pageSize = 1000;
/** 200,000 records, twice a large campaign; a search that would need more is given up rather than answered wrongly. */
const mostPages = 200;
const pagesAtOnce = 5;
const dayMs = 24 * 60 * 60 * 1000;
/** What lies longer back is read with several pages at once. */
const longAgoMs = 10 * 60_000;
/** Up to so many numbers are asked for one by one; for more of them the whole list is read. */
const mostNumbers = 5;

export interface Wanted {
	/** Any number when it is empty. */
	to: string;
	/** Milliseconds since 1970; records of the days before are left out. Absent: all of history. */
	since?: number;
}

/** The day is taken a day early, since the service's day may begin earlier than ours. */
function daysSince(since: number): HistoryFilters {
	return { filterByCreatedDateFrom: new Date(since - dayMs).toISOString().slice(0, 10) };
}

/** Filters that cannot miss a message. Not by sender ID, since a service may show another one than it was given. */
export function filtersFor({ to, since }: Wanted): HistoryFilters {
	return {
		...(isDomestic(to) && { to }),
		...(since !== undefined && daysSince(since)),
	};
}

/** Every record that the filters let through, newest pages first, until `isEnough` says so. */
export async function searchHistory(
	client: MessagingServiceClient,
	filters: HistoryFilters,
	clock: ServiceClock,
	isEnough: (records: MessageRecord[]) => boolean = () => false,
): Promise<MessageRecord[]> {
	const found: MessageRecord[] = [];
	for (let page = 1; page <= mostPages; page += 1) {
		const listing = await client.listMessages(filters, pageSize, page);
		clock.learnFromHeader(listing.serviceTime, Date.now());
		for (const record of listing.messages) found.push(record);
		if (isLastPage(listing, page) || isEnough(listing.messages)) return found;
	}
	throw new ServiceError('unreadable', {
		words: 'History holds too many records to search through',
	});
}

/** Counted from `records` and `limit`, or seen from a page that is not full. */
export function isLastPage({ messages, limit, records }: HistoryPage, page: number): boolean {
	return records === undefined ? messages.length < limit : page * limit >= records;
}

/** True for a page whose last record is older than its first: behind it come only older ones. */
function isNewestFirst(records: MessageRecord[]): boolean {
	const first = readServiceTime(records[0]?.createdAt) ?? 0;
	return first > (readServiceTime(records.at(-1)?.createdAt) ?? Infinity);
}

/** Records by the digits of their number. */
export type RecordsByNumber = ReadonlyMap<string, MessageRecord[]>;

interface Reading {
	numbers: Set<string>;
	since: number;
	records: Promise<RecordsByNumber>;
}

/**
 * Looks for what was created since a moment. Many messages can be looked for at the same time: they share one
 * reading, which always begins after the last of them asked. No reading is narrowed to a sender ID, since a service
 * may show another one than it was given.
 */
export class RecentHistory {
	private waiting?: Reading;
	private underWay: Promise<unknown> = Promise.resolve();

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly known: KnownAccount,
	) {}

	/**
	 * @param numbers digits of those that are looked for; records of others may come along
	 * @throws ServiceError when history cannot be read
	 */
	async search(numbers: string[], since: number): Promise<RecordsByNumber> {
		const reading = (this.waiting ??= this.readNext(since));
		for (const number of numbers) reading.numbers.add(number);
		reading.since = Math.min(reading.since, since);
		return await reading.records;
	}

	private readNext(since: number): Reading {
		const start = async () => {
			// Never at once, so that the reading is known as the one that waits.
			await this.underWay;
			this.waiting = undefined;
			const records = this.read(reading);
			this.underWay = records.then(
				() => undefined,
				() => undefined,
			);
			return groupBy(await records, ({ to }) => digitsOf(to));
		};
		const reading: Reading = { numbers: new Set(), since, records: Promise.resolve(new Map()) };
		reading.records = start();
		return reading;
	}

	private async read({ numbers, since }: Reading): Promise<MessageRecord[]> {
		const { lag, clock } = this.known;
		const all = [...numbers];
		const isFew = all.length <= mostNumbers && all.every(isDomestic);
		const isBefore = (page: MessageRecord[]) =>
			isNewestFirst(page) && page.every(({ createdAt }) => clock.isBefore(createdAt, since));
		const search = async (filters: HistoryFilters) =>
			await searchHistory(this.client, { ...filters, ...daysSince(since) }, clock, isBefore);
		if (isFew && !lag.isMeasurable) {
			return (await Promise.all(all.map(async (to) => await search({ to })))).flat();
		}
		const begunAt = Date.now();
		const records =
			since < begunAt - longAgoMs
				? await readAllSince(this.client, since, this.known)
				: await search({});
		lag.learn(records, since, begunAt, Date.now());
		return records;
	}
}

/** All records since a moment, in pages that are read side by side. */
export async function readAllSince(
	client: MessagingServiceClient,
	since: number,
	{ clock }: KnownAccount,
): Promise<MessageRecord[]> {
	return await readHistory({
		readPage: async (page) => await client.listMessages(daysSince(since), pageSize, page),
		parallelRequests: pagesAtOnce,
		wanted: Infinity,
		isWanted: ({ createdAt }) => !clock.isBefore(createdAt, since),
	});
}
