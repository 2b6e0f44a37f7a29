import type { StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { isDate } from './dateTime';
import { recordFields } from './messages';
import { refuseField } from './refusal';

/** Specification, Limits. */
const pageSizes = [20, 50, 100, 500, 1000];
const defaultPageSize = 20;

const fields = [...recordFields, 'finishedAt'] as const;

export type Query = Record<string, string>;

/**
 * Message history, newest first (specification, Message history envelope).
 *
 * @throws Refusal 422 for a limit, page, date or phone number that is not allowed
 */
export function listMessages(state: State, query: Query, baseUrl: string): object {
	const limit = readLimit(query.limit);
	const conditions = readConditions(state, query);
	const listed = state.messages.list((message) => conditions.every((isMet) => isMet(message)));
	const records = listed.length;
	const lastPage = Math.max(1, Math.ceil(records / limit));
	const { historySender, deviate } = state.settings;
	const page = readPage(query.page);
	const start = (page - 1) * limit;
	const end = Math.max(0, records - start);
	const shown = listed
		.slice(Math.max(0, end - limit), end)
		.reverse()
		.map(toListed);
	return {
		messages: [
			...(deviate.includes('history-no-codes') ? listCodes(state) : []),
			...(historySender ? shown.map((one) => ({ ...one, from: historySender })) : shown),
		],
		links: buildLinks(baseUrl, page, lastPage),
		...{ limit, records, start },
	};
}

/** Of a service that lists them, too. */
function listCodes({ codes }: State): object[] {
	const newest = codes.list().slice(-5).reverse();
	return newest.map(({ to, from, message }) => ({ to, from, message }));
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

function toListed(message: StoredMessage): Record<string, unknown> {
	return Object.fromEntries(
		fields.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])),
	);
}

type Condition = (message: StoredMessage) => boolean;

function readConditions(state: State, query: Query): Condition[] {
	const { from, to, message: text, filterByCreatedDateFrom, filterByCreatedDateTo } = query;
	const { historySender } = state.settings;
	const now = readClock(state);
	const conditions: Condition[] = [({ listedFromMs }) => listedFromMs <= now];
	if (to) {
		if (!/^95\d+$/.test(to)) throw refuseField('To must be a phone number that starts with 95.');
		conditions.push((message) => message.to === to);
	}
	if (from) conditions.push((message) => (historySender || message.from) === from);
	if (text) conditions.push(({ message }) => message.includes(text));
	const firstDay = readDate('Created Date From', filterByCreatedDateFrom);
	const lastDay = readDate('Created Date To', filterByCreatedDateTo);
	if (firstDay) conditions.push(({ createdAt }) => createdAt >= firstDay);
	if (lastDay) conditions.push(({ createdAt }) => createdAt <= `${lastDay} 23:59:59`);
	return conditions;
}

function readDate(label: string, text: string | undefined): string | undefined {
	if (text && !isDate(text)) {
		throw refuseField(`The format of Filter By ${label} is invalid: it must be YYYY-MM-DD.`);
	}
	return text;
}

/** As documented: another path, and without the filters. `next` is absent on the last page. */
function buildLinks(base: string, page: number, lastPage: number): object {
	const link = (number: number): string => `${base}/rest/messages/index?page=${number}`;
	const links = { self: link(page), first: link(1), last: link(lastPage) };
	return page < lastPage ? { ...links, next: link(page + 1) } : links;
}
