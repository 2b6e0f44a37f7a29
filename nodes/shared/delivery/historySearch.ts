import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { ServiceError } from '../client/ServiceError';
import type { HistoryFilters, HistoryPage, MessageRecord } from '../client/types';
import type { ServiceClock } from './ServiceClock';

const pageSize = 1000;
/** 50,000 records; a search that would need more is given up rather than answered wrongly. */
const mostPages = 50;
const dayMs = 24 * 60 * 60 * 1000;

export interface Wanted {
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
