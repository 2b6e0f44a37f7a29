import type { StoredOtp } from '../entities';
import type { State } from '../state';
import type { Steps } from '../steps';
import type { Value } from '../store/Store';
import type { Found, Table } from '../store/Table';
import {
	renderMail,
	renderMessage,
	renderOtp,
	renderReceipt,
	renderRequest,
	type Row,
} from './rows';
import type { View } from './views';

/** A line of the timeline. */
export interface Entry {
	atMs: number;
	/** Called only for entries on the page. */
	render: () => Row;
}

/** A page of matches, newest first. */
export interface Timeline extends Found<Entry> {
	/** From 1. */
	page: number;
}

export const entriesPerPage = 200;
/** Only search finds entries beyond the last page. */
export const maxPages = 10;

/** Rejected as a whole or for one recipient, hit by a fault, or left without a response. */
const isRefused =
	"statusAnswered <> 'open' AND (typeof(statusAnswered) = 'text' OR statusAnswered >= 300 OR reason IS NOT NULL)";

type Search = (text: string, max: number) => Steps<Found<Entry>>;

/** @param columns searched besides the table's `search` column, because their values change */
function part<T extends object>(
	table: Table<T>,
	readTime: (one: T) => number,
	render: (one: T) => Row,
	columns: string[] = [],
	where = 'TRUE',
): Search {
	return function* (text, max) {
		const [condition, values] = readSearch(text, columns);
		const { shown, total } = yield* table.search(`(${where}) AND ${condition}`, values, max);
		return {
			shown: shown.map((one) => ({ atMs: readTime(one), render: () => render(one) })),
			total,
		};
	};
}

function listParts(state: State, view: View): Search[] {
	const readCreation = ({ createdAtMs }: { createdAtMs: number }): number => createdAtMs;
	const renderCode = (otp: StoredOtp): Row => renderOtp(state, otp);
	const listRequests = (where?: string) => {
		const columns = ['reason', 'fault', 'statusAnswered', 'recipients'];
		return part(state.requests, ({ clockMs }) => clockMs, renderRequest, columns, where);
	};
	const messages = part(state.messages, readCreation, renderMessage, ['status']);
	const codes = part(state.codes, readCreation, renderCode);
	const codesByMail = part(state.codes, readCreation, renderCode, [], "channel = 'EMAIL'");
	const mails = part(state.mails, readCreation, renderMail);
	const receipts = part(
		state.receipts,
		({ at }) => at,
		(receipt) => renderReceipt(state, receipt),
		['url', 'answered'],
	);
	const parts: Record<View, Search[]> = {
		all: [messages, codes, mails, listRequests(isRefused)],
		...{ messages: [messages], codes: [codes], receipts: [receipts] },
		mails: [mails, codesByMail],
		...{ refused: [listRequests(isRefused)], requests: [listRequests()] },
	};
	return parts[view];
}

/** Merges the parts of a view by time. Each part returns enough entries to fill all pages up to this one. */
export function* readTimeline(
	state: State,
	view: View,
	search: string,
	page: number,
): Steps<Timeline> {
	const entries: Entry[] = [];
	let total = 0;
	for (const one of listParts(state, view)) {
		const found = yield* one(search, page * entriesPerPage);
		entries.push(...found.shown);
		total += found.total;
	}
	entries.sort((a, b) => b.atMs - a.atMs);
	return { page, total, shown: entries.slice((page - 1) * entriesPerPage, page * entriesPerPage) };
}

/** Matches part of any text, and any spelling of a phone number or of its beginning or end. */
function readSearch(search: string, columns: string[]): [condition: string, values: Value[]] {
	if (search === '') return ['TRUE', []];
	const texts = [search.toLowerCase(), readPartOfNumber(search)].filter((one) => one !== undefined);
	const places = ['search', ...columns.map((name) => `lower(${name})`)];
	const finds = texts.flatMap(() => places.map((place) => `coalesce(instr(${place}, ?), 0)`));
	return [`(${finds.join(' OR ')})`, texts.flatMap((text) => places.map(() => text))];
}

function readPartOfNumber(search: string): string | undefined {
	if (!/^[+\d][\d\s().-]{2,}$/.test(search)) return undefined;
	const digits = search.replace(/[\s().-]/g, '').replace(/^00/, '+');
	return digits.replace(/^\+/, '').replace(/^09/, '959');
}
