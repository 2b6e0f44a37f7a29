import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { endAll, readHistory } from '../client/readHistory';
import type { HistoryFilters, MessageRecord } from '../client/types';
import { bucketOf, comparableReference, groupBy } from '../input/comparison';
import { isDomestic, toRecipientKey } from '../input/number';
import { dayMs } from '../input/time';
import type { Outgoing } from './message';
import { ServiceClock } from './serviceClock';

const pageSize = 1000;
/** Records this recent are on the first page or two. */
const recentMs = 10 * 60_000;
/** Up to this many Myanmar numbers are looked up one by one, whatever the size of the history. */
const fewNumbers = 5;

/** Starts a day early: the service's calendar day may differ from UTC. */
export function filtersSince(since: number): HistoryFilters {
	if (!Number.isFinite(since)) return {};
	return { filterByCreatedDateFrom: new Date(since - dayMs).toISOString().slice(0, 10) };
}

export type Listing = ReturnType<typeof toListing>;

/** Records that were read together. */
export function toListing(records: MessageRecord[], clock: ServiceClock) {
	return {
		clock,
		byNumber: groupBy(records, ({ to }) => bucketOf(to)),
		byReference: groupBy(records, (one) => comparableReference(one.clientReference)),
	};
}

/**
 * Reads what was created since a moment, or all of history. The service filters by Myanmar numbers only: for many
 * numbers, or one abroad, the whole list is read. @throws ServiceError when history cannot be read
 * @param mayRepeat whether requests were made for them
 */
export async function readListing(
	client: MessagingServiceClient,
	messages: Outgoing[],
	since: number,
	mayRepeat: boolean,
): Promise<Listing> {
	const numbers = new Set(messages.map(({ request }) => toRecipientKey(request.to)));
	const buckets = new Set(['', ...[...numbers].map(bucketOf)]);
	const { account, serviceTimeZone } = client;
	let clock: ServiceClock | undefined;
	const list = async (number?: string) =>
		await readHistory({
			readPage: async (page) => {
				const filters = { ...filtersSince(since), to: number };
				const listed = await client.listMessages(filters, pageSize, page);
				clock ??= new ServiceClock(account, serviceTimeZone, listed.serviceTime);
				clock.note(listed.messages);
				return listed;
			},
			pagesAtOnce: since > Date.now() - recentMs ? 1 : 5,
			isWanted: (record) => buckets.has(bucketOf(record.to)),
			isEnd: ({ messages }) => clock!.isBefore(messages, since, mayRepeat),
		});
	const isEach = await isCheaperOneByOne(client, numbers, since);
	const records = (await endAll(isEach ? Array.from(numbers, list) : [list()])).flat();
	return toListing(records, clock!);
}

/** Whether one request per number is cheaper than the pages of the whole list. */
async function isCheaperOneByOne(
	client: MessagingServiceClient,
	numbers: ReadonlySet<string>,
	since: number,
): Promise<boolean> {
	if (!Array.from(numbers).every(isDomestic)) return false;
	if (numbers.size <= fewNumbers) return true;
	if (Number.isFinite(since)) return false;
	const { records = 0 } = await client.listMessages({}, 20, 1);
	return numbers.size < records / pageSize;
}
