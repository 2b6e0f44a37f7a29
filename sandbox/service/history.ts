import { readClock, type State } from '../state';
import type { Value } from '../store/Store';
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
	const where = conditions.map(([condition]) => condition).join(' AND ');
	const values = conditions.flatMap(([, ...given]) => given);
	const records = state.messages.count(where, ...values);
	const lastPage = Math.max(1, Math.ceil(records / limit));
	const { historySender, deviate } = state.settings;
	const page = readPage(query.page);
	const start = (page - 1) * limit;
	const newest = `${where} ORDER BY arrivedMs DESC, mark DESC LIMIT ? OFFSET ?`;
	const shown =
		start < records ? state.messages.listFields(fields, newest, ...values, limit, start) : [];
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
	const newest = codes.list('TRUE ORDER BY mark DESC LIMIT 5');
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

/** An SQL condition with its values. */
type Condition = [where: string, ...values: Value[]];

function readConditions(state: State, query: Query): Condition[] {
	const { from, to, message: text, filterByCreatedDateFrom, filterByCreatedDateTo } = query;
	const { historySender } = state.settings;
	const conditions: Condition[] = [['listedFromMs <= ?', readClock(state)]];
	if (to) {
		if (!/^95\d+$/.test(to)) throw refuseField('To must be a phone number that starts with 95.');
		conditions.push(['"to" = ?', to]);
	}
	if (from) conditions.push(historySender ? ['? = ?', historySender, from] : ['"from" = ?', from]);
	if (text) conditions.push(['instr(message, ?)', text]);
	const firstDay = readDate('Created Date From', filterByCreatedDateFrom);
	const lastDay = readDate('Created Date To', filterByCreatedDateTo);
	if (firstDay) conditions.push(['createdAt >= ?', firstDay]);
	if (lastDay) conditions.push(['createdAt <= ?', `${lastDay} 23:59:59`]);
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
