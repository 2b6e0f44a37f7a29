import { randomUUID } from 'node:crypto';
import type { MessageRecord, StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { shareChanges, shareReported, shareSteps } from './changes';
import { formatDateTime, isDate } from './dateTime';
import { toRecord } from './messages';
import { refuseField } from './refusal';

/** Specification, Limits. */
const pageSizes = [20, 50, 100, 500, 1000];
const defaultPageSize = 20;

export type Query = Record<string, string>;

export interface HistoryAnswer {
	messages: Array<MessageRecord & { finishedAt: string | null }>;
	/** `next` is absent on the last page. */
	links: { self: string; first: string; last: string; next?: string };
	limit: number;
	records: number;
	start: number;
}

/**
 * Message history, newest first (specification, Message history envelope).
 *
 * @throws Refusal 422 for a limit, page, date or number that is not allowed
 */
export function listMessages(state: State, query: Query): HistoryAnswer {
	const limit = readLimit(query.limit);
	const page = readPage(query.page);
	const matching = findMatching(state, query);
	const start = (page - 1) * limit;
	const end = matching.length - start;
	const shown = end <= 0 ? [] : matching.slice(Math.max(0, end - limit), end).reverse();
	return {
		messages: shown.map((message) => ({
			...toRecord(message),
			from: readShownSender(state, message),
			finishedAt: message.finishedAt,
		})),
		links: buildLinks(state, query, page, Math.max(1, Math.ceil(matching.length / limit))),
		limit,
		records: matching.length,
		start,
	};
}

function readLimit(text: string | undefined): number {
	if (!text) return defaultPageSize;
	const limit = Number(text);
	if (!/^\d+$/.test(text) || !pageSizes.includes(limit)) {
		throw refuseField(`Limit must be one of ${pageSizes.join(', ')}.`);
	}
	return limit;
}

function readPage(text: string | undefined): number {
	if (!text) return 1;
	if (!/^[1-9]\d{0,8}$/.test(text)) throw refuseField('Page must be a number from 1.');
	return Number(text);
}

/** Oldest first, as stored. */
function findMatching(state: State, query: Query): StoredMessage[] {
	const now = readClock(state);
	const conditions = readConditions(state, query);
	return state.messages.filter(
		(message) => message.listedFromMs <= now && conditions.every((meets) => meets(message)),
	);
}

type Condition = (message: StoredMessage) => boolean;

function readShownSender({ settings }: State, { from }: StoredMessage): string {
	return settings.historySender || from;
}

function readConditions(state: State, query: Query): Condition[] {
	const { from, to, message: text, filterByCreatedDateFrom, filterByCreatedDateTo } = query;
	const conditions: Condition[] = [];
	if (to) {
		if (!/^95\d+$/.test(to)) throw refuseField('To must be a phone number that starts with 95.');
		conditions.push((message) => message.to === to);
	}
	if (from) conditions.push((message) => readShownSender(state, message) === from);
	if (text) conditions.push((message) => message.message.includes(text));
	const firstDay = readDate('Created Date From', filterByCreatedDateFrom);
	const lastDay = readDate('Created Date To', filterByCreatedDateTo);
	if (firstDay) conditions.push(({ createdAt }) => createdAt.slice(0, 10) >= firstDay);
	if (lastDay) conditions.push(({ createdAt }) => createdAt.slice(0, 10) <= lastDay);
	return conditions;
}

function readDate(label: string, text: string | undefined): string | undefined {
	if (text && !isDate(text)) {
		throw refuseField(`The format of Filter By ${label} is invalid: it must be YYYY-MM-DD.`);
	}
	return text;
}

function buildLinks(
	state: State,
	query: Query,
	page: number,
	lastPage: number,
): HistoryAnswer['links'] {
	const base = state.settings.linksBaseUrl || `${state.url}/api`;
	const link = (number: number): string => {
		const parameters = new URLSearchParams({ ...query, page: String(number) });
		return `${base}/rest/messages?${parameters.toString()}`;
	};
	return {
		self: link(page),
		first: link(1),
		last: link(lastPage),
		...(page < lastPage && { next: link(page + 1) }),
	};
}

/** A record for `seedMessages`: already delivered, one second older than the one after it. */
export function createSeed(
	state: State,
	index: number,
	count: number,
	changes: Partial<StoredMessage>,
): StoredMessage {
	const createdAtMs = changes.createdAtMs ?? readClock(state) - (count - index) * 1000;
	return {
		messageId: randomUUID(),
		message: `Seeded message ${index + 1}`,
		to: `9597${String(50_000_000 + index).slice(0, 8)}`,
		clientReference: '',
		scheduledAt: null,
		createdAt: formatDateTime(createdAtMs),
		messageCount: 1,
		from: 'Sandbox',
		network: 'Telenor',
		type: 'sms.text',
		status: 'Delivered',
		test: false,
		finishedAt: formatDateTime(createdAtMs + 3000),
		createdAtMs,
		mark: 0,
		listedFromMs: createdAtMs,
		deliveryReceiptUrl: null,
		sentBy: '/rest/send',
		requestNumber: 0,
		encoding: 'GSM-7',
		price: 0,
		statuses: shareChanges([
			{ status: 'Accepted', afterMs: 0 },
			{ status: 'Delivered', afterMs: 3000 },
		]),
		steps: shareSteps([]),
		owed: shareChanges([]),
		reported: shareReported([]),
		...changes,
	};
}
