import type { Listing, MessagingServiceClient } from '../client/MessagingServiceClient';
import { endAll, pagesOfAll, readHistory } from '../client/readHistory';
import type { HistoryFilters, MessageRecord } from '../client/types';
import { bucketOf, plainTextOf } from '../input/comparison';
import { isDomestic } from '../input/recipient';
import { serviceTimeZone, toInstant } from '../input/time';
import { dayMs, type Now } from './timing';

/** A period on our clock, in milliseconds since 1970. */
export interface Window {
	from: number;
	to: number;
}

/**
 * Where a record lies: in the window (give or take seconds), far from it, or neither for certain, in every time zone
 * that is possible.
 */
export type Placement = 'inside' | 'outside' | 'uncertain';

const second = 1000;
const minute = 60 * second;
/** `createdAt` and the Date header have no fractions of a second, and both clocks drift. */
const near = 3 * second;
/** A service's clocks can disagree: up to this distance, a time is uncertain. */
const far = 15 * minute;

const offsets: Record<string, number> = { UTC: 0, [serviceTimeZone]: 390 * minute };

const written = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

interface Time {
	/** As if it were UTC, in milliseconds since 1970. */
	wallTime: number;
	/** In milliseconds since 1970, if the text names its zone. */
	instant?: number;
}

/** `YYYY-MM-DD HH:MM:SS`, or ISO 8601 with or without its zone; `undefined` for anything else. */
function readTime(value: unknown): Time | undefined {
	const [, day, clock, zone] = written.exec(String(value).trim()) ?? [];
	const wallTime = Date.parse(`${day}T${clock}Z`);
	if (Number.isNaN(wallTime)) return undefined;
	return zone === undefined
		? { wallTime }
		: { wallTime, instant: Date.parse(`${day}T${clock}${zone}`) };
}

/** Read as UTC, unless it names its zone, in milliseconds since 1970. */
export function readMoment(value: unknown): number | undefined {
	const time = readTime(value);
	return time?.instant ?? time?.wallTime;
}

/** In a zone, unless the text names its own. */
function readInstant({ wallTime, instant }: Time, zone: string): number | undefined {
	if (instant !== undefined) return instant;
	const offset = offsets[zone];
	return offset === undefined ? (toInstant(wallTime, zone) ?? undefined) : wallTime - offset;
}

/** Time zones in which services are known to write times. @param ofCredential Service Time Zone */
export function listZones(ofCredential: string): string[] {
	return [...new Set([ofCredential, serviceTimeZone, 'UTC'])];
}

/** The `createdAt` of a record, and when it was new, in milliseconds since 1970. */
export interface Shown {
	createdAt: unknown;
	at: number;
}

/**
 * The times in one lookup. The service writes them without a time zone and by its own clock: they are read in all
 * known zones and corrected by the Date header of the response. A zone that puts a record in the future is ruled out,
 * and so is one that does not fit a record that was new when a response of this run showed it.
 */
export class ReadingTimes {
	/**
	 * How far the service's clock is ahead of ours, in milliseconds. Without a Date header, it is right by ours, or by
	 * the machine's if that was set meanwhile.
	 */
	private skews = [0];
	private latest?: Time;

	/** The zones that are not ruled out; none if the times fit none. */
	private possible: string[];

	/** @param zones in which the service may write times */
	constructor(
		private readonly zones: string[],
		private readonly shown?: Shown,
		private readonly now: Now = Date.now,
	) {
		this.possible = zones;
	}

	note({ messages, serviceTime }: Listing): void {
		const now = this.now();
		this.skews = serviceTime === undefined ? [0, Date.now() - now] : [serviceTime - now];
		for (const { createdAt } of messages) {
			const time = readTime(createdAt);
			if (time && time.wallTime > (this.latest?.wallTime ?? -Infinity)) this.latest = time;
		}
		const end = now + Math.max(...this.skews) + far;
		const shown = readTime(this.shown?.createdAt);
		this.possible = this.zones.filter(
			(zone) =>
				((this.latest && readInstant(this.latest, zone)) ?? 0) <= end &&
				(shown === undefined || this.wasNewAt(readInstant(shown, zone))),
		);
	}

	private wasNewAt(instant = NaN): boolean {
		const at = this.shown?.at ?? 0;
		return this.skews.some((skew) => Math.abs(instant - skew - at) <= far);
	}

	place({ createdAt }: MessageRecord, { from, to }: Window): Placement {
		const apart = this.read(createdAt).map((at) => Math.max(from - at - second, at - to, 0));
		if (apart.length === 0) return 'uncertain';
		if (apart.every((ms) => ms <= near)) return 'inside';
		return apart.every((ms) => ms > far) ? 'outside' : 'uncertain';
	}

	/** Whether the page is sorted newest first, each of its records, and all are older than a moment. */
	isBefore({ messages }: Pick<Listing, 'messages'>, moment: number): boolean {
		const newest = this.read(messages[0]?.createdAt);
		if (newest.length === 0 || Math.max(...newest) >= moment - far) return false;
		const times = messages.map(({ createdAt }) => readMoment(createdAt) ?? NaN);
		const isSorted = times.every((time, n) => n === 0 || time <= times[n - 1] + near);
		return isSorted && times[0] > times[times.length - 1];
	}

	private read(createdAt: unknown): number[] {
		const time = readTime(createdAt);
		const instants = time ? this.possible.map((zone) => readInstant(time, zone)) : [];
		return instants.flatMap((at) => (at === undefined ? [] : this.skews.map((skew) => at - skew)));
	}
}

const pageSize = 1000;
const pagesAtOnce = 5;
/** Records this recent are on the first page or two. */
const recentMs = 10 * 60_000;
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

/**
 * Looks up all messages to some phone numbers at once: the cost grows with the history, not with the messages. The
 * service filters by Myanmar numbers only, so many numbers, or one abroad, require the whole list. There is no filter
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
