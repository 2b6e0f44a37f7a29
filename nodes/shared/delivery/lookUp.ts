import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { endAll, pagesOfAll, readHistory } from '../client/readHistory';
import type { HistoryFilters, MessageRecord } from '../client/types';
import { bucketOf, plainTextOf } from '../validation/messageKey';
import { isDomestic } from '../validation/recipient';
import type { Now } from './timing';
import { listZones, ReadingTimes, type Shown } from './createdAt';

const pageSize = 1000;
const pagesAtOnce = 5;
const dayMs = 24 * 60 * 60 * 1000;
/** Records this recent are on the first page or two. */
const recentMs = 10 * 60_000;
/** Up to this many domestic numbers are looked up one by one, whatever the size of the history. */
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

/**
 * Looks up all messages to some phone numbers at once: the cost grows with the history, not with the messages. The
 * service filters by domestic numbers only, so many numbers, or one abroad, require the whole list. There is no filter
 * by sender ID: a service may show a different one than it was sent.
 * @param numbers digits
 * @param options since: milliseconds since 1970, all of history if not finite; shown: by a response of the run
 * @throws ServiceError when history cannot be read
 */
export async function lookUp(
	client: MessagingServiceClient,
	numbers: ReadonlySet<string>,
	{ since = -Infinity, shown, now = Date.now }: { since?: number; shown?: Shown; now?: Now } = {},
): Promise<Lookup> {
	const lookup = new Lookup(new ReadingTimes(listZones(client.serviceTimeZone), shown, now));
	const { times } = lookup;
	const buckets = new Set(['', ...[...numbers].map(bucketOf)]);
	const isRecent = since > now() - recentMs;
	const readPage = async (filters: HistoryFilters, page: number) => {
		const listing = await client.listMessages(filters, pageSize, page);
		times.note(listing);
		return listing;
	};
	const read = async (filters: HistoryFilters) => {
		const records = await readHistory({
			readPage: async (page) => await readPage({ ...filtersSince(since), ...filters }, page),
			pagesAtOnce: isRecent ? 1 : pagesAtOnce,
			isWanted: ({ to }) => buckets.has(bucketOf(to)),
			isEnd: (page) => times.isBefore(page, since),
			mostPages: pagesOfAll,
		});
		lookup.add(records);
	};
	if (await isCheaperOneByOne(client, numbers, since)) {
		const [first, ...others] = numbers;
		await read({ to: first });
		await endAll(others.map(async (to) => await read({ to })));
	} else {
		await read({});
	}
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
