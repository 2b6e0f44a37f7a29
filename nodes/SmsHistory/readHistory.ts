import type { HistoryPage, MessageRecord } from '../shared/client/types';

export interface ReadHistoryOptions {
	/** Reads one page, counted from 1. */
	readPage(page: number): Promise<HistoryPage>;
	parallelRequests: number;
	/** How many records are wanted; `Infinity` for all. */
	wanted: number;
	/** Lets a record through. */
	isWanted(record: MessageRecord): boolean;
}

/** Each round closes a gap that new messages opened; a list that moves on faster is given up. */
const mostRoundsForGaps = 20;

/**
 * The list as it was when its first page was read. New messages are added in front while the pages are read
 * (field note 11), so every record has moved back by as many places as `records` has grown since. With that, each
 * record keeps one place of its own: none is taken twice, and a place that no page showed is read again.
 */
class Snapshot {
	private readonly byPlace = new Map<number, MessageRecord>();
	private readonly ids = new Set<string>();
	private readonly hidden = new Set<number>();

	constructor(
		readonly size: number,
		readonly pageSize: number,
	) {}

	add(page: number, { messages, records }: HistoryPage): void {
		const moved = (records ?? this.size) - this.size;
		messages.forEach((record, index) => {
			const place = (page - 1) * this.pageSize + index - moved;
			const isFresh = place >= 0 && place < this.size && !this.byPlace.has(place);
			if (!isFresh || this.isKnown(record)) return;
			this.byPlace.set(place, record);
			if (typeof record.messageId === 'string') this.ids.add(record.messageId);
		});
	}

	has(place: number): boolean {
		return this.byPlace.has(place);
	}

	/** The first place before `end` that no page has shown. */
	findGap(end: number): number | undefined {
		for (let place = 0; place < Math.min(end, this.size); place += 1) {
			if (!this.byPlace.has(place) && !this.hidden.has(place)) return place;
		}
		return undefined;
	}

	/** The service counts records there that it does not show. */
	giveUp(from: number, end: number): void {
		for (let place = from; place < end; place += 1) this.hidden.add(place);
	}

	records(): MessageRecord[] {
		return [...this.byPlace.entries()].sort(([a], [b]) => a - b).map(([, record]) => record);
	}

	private isKnown({ messageId }: MessageRecord): boolean {
		return typeof messageId === 'string' && this.ids.has(messageId);
	}
}

/** Reads the records that are wanted, newest first, with pages in parallel once the first has told their number. */
export async function readHistory(options: ReadHistoryOptions): Promise<MessageRecord[]> {
	const { readPage, parallelRequests, wanted, isWanted } = options;
	const first = await readPage(1);
	if (!isCountable(first)) return await readUntilNothingNew(options, first);

	const snapshot = new Snapshot(first.records, first.limit);
	snapshot.add(1, first);
	const lastPage = Math.ceil(first.records / first.limit);
	const takeWanted = () => snapshot.records().filter(isWanted).slice(0, wanted);
	let moved = 0;
	for (let page = 2; page <= lastPage && takeWanted().length < wanted; page += parallelRequests) {
		const count = Math.min(
			parallelRequests,
			lastPage - page + 1,
			pagesFor(options, first.limit, page),
		);
		const pages = Array.from({ length: count }, (_, index) => page + index);
		const listings = await Promise.all(pages.map(readPage));
		listings.forEach((listing, index) => snapshot.add(pages[index], listing));
		moved = Math.max(moved, ...listings.map(({ records = 0 }) => records - snapshot.size));
		await closeGaps(snapshot, readPage, (page + count - 1) * first.limit - moved);
	}
	await closeGaps(snapshot, readPage, Math.min(wanted, first.records));
	return takeWanted();
}

/** Whether `limit` and `records` are true to the page: then the place of every record can be counted. */
function isCountable(page: HistoryPage): page is HistoryPage & { records: number } {
	const { messages, limit, records } = page;
	return records !== undefined && messages.length === Math.min(limit, records);
}

/** With every record wanted up to a number, no page behind that number is read. */
function pagesFor({ wanted }: ReadHistoryOptions, limit: number, page: number): number {
	return Number.isFinite(wanted) ? Math.max(Math.ceil(wanted / limit) - page + 1, 1) : Infinity;
}

async function closeGaps(
	snapshot: Snapshot,
	readPage: ReadHistoryOptions['readPage'],
	end: number,
): Promise<void> {
	const { pageSize, size } = snapshot;
	let moved = 0;
	for (let round = 0; round < mostRoundsForGaps; round += 1) {
		const gap = snapshot.findGap(end);
		if (gap === undefined) return;
		const page = Math.floor((gap + moved) / pageSize) + 1;
		const listing = await readPage(page);
		snapshot.add(page, listing);
		const hasMoved = (listing.records ?? size) - size !== moved;
		if (!hasMoved && !snapshot.has(gap)) snapshot.giveUp(gap, page * pageSize - moved);
		moved = (listing.records ?? size) - size;
	}
}

/** For pages that cannot be counted: one after the other until one brings nothing new. */
async function readUntilNothingNew(
	{ readPage, wanted, isWanted }: ReadHistoryOptions,
	first: HistoryPage,
): Promise<MessageRecord[]> {
	const seen = new Map<unknown, MessageRecord>();
	for (let page = 1, listing = first; ; page += 1, listing = await readPage(page)) {
		const known = seen.size;
		for (const record of listing.messages) {
			const key = record.messageId ?? JSON.stringify(record);
			if (!seen.has(key)) seen.set(key, record);
		}
		const found = [...seen.values()].filter(isWanted);
		if (found.length >= wanted || seen.size === known) return found.slice(0, wanted);
	}
}
