import type { MessageRecord, StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { doInTurns, type Work } from '../turns';
import { isDate } from './dateTime';
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
export async function listMessages(state: State, query: Query): Promise<HistoryAnswer> {
	const limit = readLimit(query.limit);
	const page = readPage(query.page);
	const matching = await doInTurns(findMatching(state, query));
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

/** Oldest first, as stored when it begins. */
function* findMatching(state: State, query: Query): Work<StoredMessage[]> {
	const now = readClock(state);
	const conditions = readConditions(state, query);
	const matching: StoredMessage[] = [];
	for (const message of state.messages.slice()) {
		const isListed = message.listedFromMs <= now;
		if (isListed && conditions.every((meets) => meets(message))) matching.push(message);
		yield;
	}
	return matching;
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
