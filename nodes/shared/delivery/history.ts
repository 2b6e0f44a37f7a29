import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { endAll, pagesOfAll, readHistory } from '../client/readHistory';
import type { HistoryFilters, HistoryPage, MessageRecord } from '../client/types';
import { bucketOf, plainTextOf } from '../input/comparison';
import { isDomestic } from '../input/recipient';
import { dayMs } from '../input/time';
import { listZones, ReadingTimes, recallShown } from './serviceTimes';
import type { Now } from './timing';

const pageSize = 1000;
const pagesAtOnce = 5;
/** Records this recent are on the first page or two. */
const recentMs = 10 * 60_000;
/** Max pages of a list for these: a service may list 20 records a page, whatever it is asked for. */
const pagesOfRecent = 200;
/** Up to this many Myanmar numbers are looked up one by one, whatever the size of the history. */
const fewNumbers = 5;

/** What one lookup shows for some phone numbers. */
export class Lookup {
	private readonly byBucket = new Map<string, MessageRecord[]>();
	private readonly byText = new Map<string, MessageRecord[]>();

	constructor(readonly times: ReadingTimes) {}

	add(records: MessageRecord[]): void {
		addTo(
			this.byBucket,
			groupBy(records, ({ to }) => bucketOf(to)),
		);
		addTo(this.byText, groupBy(records, keyOfText));
	}

	/** Records of this number and text, those of this text that do not show their number, and all that are near. */
	like(message: { to: string; message?: string }): MessageRecord[][] {
		const keys = [keyOfText(message), keyOfText({ ...message, to: '' })];
		return [...keys.map((key) => this.byText.get(key) ?? []), this.near(message.to)];
	}

	/** Records whose number can be this one, newest first; those that do not show theirs come last. */
	near(number: string): MessageRecord[] {
		const own = this.byBucket.get(bucketOf(number)) ?? [];
		const open = this.byBucket.get('') ?? [];
		return open.length === 0 ? own : [...own, ...open];
	}
}

function keyOfText(message: { to?: string; message?: string }): string {
	return `${bucketOf(message.to)}\n${plainTextOf(message)}`;
}

function addTo(all: Map<string, MessageRecord[]>, groups: Map<string, MessageRecord[]>): void {
	for (const [key, group] of groups) all.set(key, [...(all.get(key) ?? []), ...group]);
}

export function groupBy<T>(values: T[], keyOf: (value: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const value of values) {
		const key = keyOf(value);
		const group = groups.get(key);
		if (group) group.push(value);
		else groups.set(key, [value]);
	}
	return groups;
}

/** Starts a day early: the service's calendar day may differ from UTC. */
export function filtersSince(since: number): HistoryFilters {
	if (!Number.isFinite(since)) return {};
	return { filterByCreatedDateFrom: new Date(since - dayMs).toISOString().slice(0, 10) };
}

/** Reads pages for one lookup, by the service's calendar: n8n's date can be days ahead. */
class PageReader {
	/** Whether a filter by number has no effect: each list then has all that the others have. */
	isUnfiltered = false;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly times: ReadingTimes,
		private readonly since: number,
	) {}

	async read(to: string | undefined, page: number): Promise<HistoryPage> {
		const { filterByCreatedDateFrom: asked } = this.filters;
		const listing = await this.list(to, page);
		const { filterByCreatedDateFrom: wanted } = this.filters;
		// Without a date, all of history is asked for.
		const isTooLate = (wanted ?? '') < (asked ?? '');
		return isTooLate ? await this.list(to, page) : listing;
	}

	private get filters(): HistoryFilters {
		return filtersSince(this.times.earliestAtService(this.since));
	}

	private async list(to: string | undefined, page: number): Promise<HistoryPage> {
		const filters = { ...this.filters, to };
		const listing = await this.client.listMessages(filters, pageSize, page);
		this.times.note(listing);
		const isOther = (bucket: string) => bucket !== '' && bucket !== bucketOf(to);
		this.isUnfiltered ||= listing.messages.some((one) => isOther(bucketOf(one.to)));
		return listing;
	}
}

/**
 * Looks up all messages to some phone numbers at once: the cost grows with the history, not with the messages. The
 * service filters by Myanmar numbers only, so many numbers, or one abroad, require the whole list. There is no filter
 * by sender ID: a service may show a different one than it was sent.
 * @param numbers digits
 * @param since milliseconds since 1970, all of history if not finite
 * @param skews of earlier lookups of the run, to which this one adds its own
 * @throws ServiceError when history cannot be read
 */
export async function lookUp(
	client: MessagingServiceClient,
	numbers: ReadonlySet<string>,
	{ since, now, skews }: { since: number; now: Now; skews?: number[] },
): Promise<Lookup> {
	const shown = recallShown(client.account);
	const times = new ReadingTimes(listZones(client.serviceTimeZone), shown, now, skews);
	const lookup = new Lookup(times);
	const buckets = new Set(['', ...[...numbers].map(bucketOf)]);
	const isRecent = since > now() - recentMs;
	const pages = new PageReader(client, times, since);
	const read = async (to?: string) => {
		const records = await readHistory({
			readPage: async (page) => await pages.read(to, page),
			pagesAtOnce: isRecent ? 1 : pagesAtOnce,
			isWanted: (record) => buckets.has(bucketOf(record.to)),
			isEnd: (page) => times.isBefore(page, since),
			mostPages: isRecent ? pagesOfRecent : pagesOfAll,
		});
		lookup.add(records);
	};
	if (!(await isCheaperOneByOne(client, numbers, since))) {
		await read();
		return lookup;
	}
	const [first, ...others] = numbers;
	await read(first);
	if (!pages.isUnfiltered) await endAll(others.map(read));
	return lookup;
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
