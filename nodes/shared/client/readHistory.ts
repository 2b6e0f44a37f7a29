import type { HistoryPage, MessageRecord } from './types';

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
	/** How many of the records are wanted. */
	found = 0;
	/** By how many places the list has moved at most. */
	moved = 0;
	/** Every place before this one is known or given up. */
	private settled = 0;
	private readonly byPlace = new Map<number, MessageRecord>();
	private readonly ids = new Set<string>();
	private readonly hidden = new Set<number>();
	/** Records whose place another one has: one that is listed late does not move those in front of it. */
	private readonly strays: MessageRecord[] = [];

	constructor(
		readonly size: number,
		readonly pageSize: number,
		private readonly isWanted: ReadHistoryOptions['isWanted'],
	) {}

	/** @returns by how many places the list had moved for this page */
	add(page: number, { messages, records }: HistoryPage): number {
		const moved = (records ?? this.size) - this.size;
		this.moved = Math.max(this.moved, moved);
		messages.forEach((record, index) => {
			const place = (page - 1) * this.pageSize + index - moved;
			const isOfThen = place >= 0 && place < this.size;
			if (!isOfThen || this.isKnown(record)) return;
			if (!this.byPlace.has(place)) this.byPlace.set(place, record);
			else if (typeof record.messageId === 'string') this.strays.push(record);
			else return;
			if (typeof record.messageId === 'string') this.ids.add(record.messageId);
			if (this.isWanted(record)) this.found += 1;
		});
		return moved;
	}

	has(place: number): boolean {
		return this.byPlace.has(place);
	}

	/** The first place before `end` that no page has shown. */
	findGap(end: number): number | undefined {
		const last = Math.min(end, this.size);
		while (this.settled < last && this.isSettled(this.settled)) this.settled += 1;
		return this.settled < last ? this.settled : undefined;
	}

	/** The service counts records there that it does not show. */
	giveUp(from: number, end: number): void {
		for (let place = from; place < end; place += 1) this.hidden.add(place);
	}

	/** The wanted ones, in the order of the list; strays come last, better than not at all. */
	records(): MessageRecord[] {
		const inOrder = [...this.byPlace.entries()].sort(([a], [b]) => a - b);
		const all = [...inOrder.map(([, record]) => record), ...this.strays];
		return all.filter(this.isWanted);
	}

	private isSettled(place: number): boolean {
		return this.byPlace.has(place) || this.hidden.has(place);
	}

	private isKnown({ messageId }: MessageRecord): boolean {
		return typeof messageId === 'string' && this.ids.has(messageId);
	}
}

/** Reads the records that are wanted, newest first, with pages in parallel once the first has told their number. */
export async function readHistory(options: ReadHistoryOptions): Promise<MessageRecord[]> {
	const { readPage, wanted, isWanted } = options;
	const first = await readPage(1);
	if (!isCountable(first)) return await readUntilNothingNew(options, first);

	const snapshot = new Snapshot(first.records, first.limit, isWanted);
	snapshot.add(1, first);
	const lastPage = Math.ceil(first.records / first.limit);
	const lastRead = await readPages(options, snapshot, lastPage);
	const end = lastRead < lastPage ? lastRead * first.limit - snapshot.moved : snapshot.size;
	await closeGaps(snapshot, readPage, Math.min(end, snapshot.size), lastRead);
	return snapshot.records().slice(0, wanted);
}

/**
 * Reads the pages behind the first one. None is begun that may not be needed any more, and none after a failure.
 * @returns the last page that was read
 */
async function readPages(
	{ readPage, parallelRequests, wanted }: ReadHistoryOptions,
	snapshot: Snapshot,
	lastPage: number,
): Promise<number> {
	let page = 1;
	let underWay = 0;
	let hasFailed = false;
	const isNextNeeded = () =>
		!hasFailed && page < lastPage && snapshot.found + underWay * snapshot.pageSize < wanted;
	const stop = (error: unknown): never => {
		hasFailed = true;
		throw error;
	};
	const readOneAfterTheOther = async () => {
		while (isNextNeeded()) {
			const own = (page += 1);
			underWay += 1;
			const listing = await readPage(own).catch(stop);
			underWay -= 1;
			snapshot.add(own, listing);
		}
	};
	await Promise.all(Array.from({ length: parallelRequests }, readOneAfterTheOther));
	return page;
}

/** Whether `limit` and `records` are true to the page: then the place of every record can be counted. */
function isCountable(page: HistoryPage): page is HistoryPage & { records: number } {
	const { messages, limit, records } = page;
	return records !== undefined && messages.length === Math.min(limit, records);
}

async function closeGaps(
	snapshot: Snapshot,
	readPage: ReadHistoryOptions['readPage'],
	end: number,
	pages: number,
): Promise<void> {
	const { pageSize } = snapshot;
	let { moved } = snapshot;
	for (let round = 0; round < mostRoundsForGaps + pages; round += 1) {
		const gap = snapshot.findGap(end);
		if (gap === undefined) return;
		const page = Math.floor((gap + moved) / pageSize) + 1;
		const movedNow = snapshot.add(page, await readPage(page));
		if (movedNow === moved && !snapshot.has(gap)) snapshot.giveUp(gap, page * pageSize - moved);
		moved = movedNow;
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
