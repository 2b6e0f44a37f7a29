import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { ServiceError } from '../client/ServiceError';
import type { HistoryFilters, HistoryPage, MessageRecord } from '../client/types';
import { readServiceTime, type ServiceClock } from './ServiceClock';

const pageSize = 1000;
/** 50,000 records; a search that would need more is given up rather than answered wrongly. */
const mostPages = 50;
const dayMs = 24 * 60 * 60 * 1000;

export interface Wanted {
	/** Any number when it is empty. */
	to: string;
	from: string;
	/** Milliseconds since 1970; records of the days before are left out. Absent: all of history. */
	since?: number;
}

/**
 * The narrowest filters that cannot miss the message. History filters by number only for domestic ones (field
 * note 11). The day is taken a day early, since the service's day may begin earlier than ours.
 */
export function filtersFor({ to, from, since }: Wanted): HistoryFilters {
	const isDomestic = to.startsWith('95');
	return {
		...(isDomestic ? { to } : { from }),
		...(since !== undefined && {
			filterByCreatedDateFrom: new Date(since - dayMs).toISOString().slice(0, 10),
		}),
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
		found.push(...listing.messages);
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

interface Search {
	since: number;
	records: Promise<MessageRecord[]>;
}

/**
 * Looks for what was created lately. Many messages can be looked for at the same moment: those that need the same
 * list share one reading of it, which always begins after the last of them asked.
 */
export class RecentHistory {
	private readonly waiting = new Map<string, Search>();
	private readonly underWay = new Map<string, Promise<unknown>>();

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly clock: ServiceClock,
	) {}

	async search(wanted: Wanted & { since: number }): Promise<MessageRecord[]> {
		const filters = filtersFor(wanted);
		const key = JSON.stringify(filters);
		const joined = this.waiting.get(key);
		if (joined) {
			joined.since = Math.min(joined.since, wanted.since);
			return await joined.records;
		}
		const search: Search = { since: wanted.since, records: this.readNext(key, filters) };
		this.waiting.set(key, search);
		return await search.records;
	}

	private async readNext(key: string, filters: HistoryFilters): Promise<MessageRecord[]> {
		// Never at once, so that the search is known as the one that waits.
		await this.underWay.get(key);
		const since = this.waiting.get(key)?.since ?? 0;
		this.waiting.delete(key);
		const reading = searchHistory(
			this.client,
			filters,
			this.clock,
			(page) =>
				isNewestFirst(page) && page.every(({ createdAt }) => this.clock.isBefore(createdAt, since)),
		);
		const ended = reading.then(
			() => undefined,
			() => undefined,
		);
		this.underWay.set(key, ended);
		void ended.then(() => {
			if (this.underWay.get(key) === ended) this.underWay.delete(key);
		});
		return await reading;
	}
}
