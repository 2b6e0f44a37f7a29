import type { LoggedRequest, SentReceipt, StoredMail, StoredMessage, StoredOtp } from '../entities';
import type { State } from '../state';
import type { Steps } from '../steps';
import type { Value } from '../store/Database';
import type { Found, Table } from '../store/Table';

/** What is shown, each in a tab of its own. */
export const views = {
	all: 'Everything sent or refused',
	messages: 'Messages',
	codes: 'Codes',
	receipts: 'Receipts',
	mails: 'Mails',
	refused: 'Refused',
	requests: 'Requests',
};
export type View = keyof typeof views;

/** Without its body. */
export type SearchedRequest = LoggedRequest & { recipients?: string };

export type Entry =
	| { kind: 'message'; atMs: number; message: StoredMessage }
	| { kind: 'code'; atMs: number; otp: StoredOtp }
	| { kind: 'mail'; atMs: number; mail: StoredMail }
	| { kind: 'receipt'; atMs: number; receipt: SentReceipt }
	| { kind: 'request'; atMs: number; request: SearchedRequest };

/** A page of what matches, newest first. */
export interface Timeline extends Found<Entry> {
	/** From 1. */
	page: number;
}

/** More than this makes no page for people. */
export const entriesPerPage = 200;
/** Behind the last page only the search looks. */
export const maxPages = 10;

/** Refused as a whole or for one recipient, spoilt by a fault, or left without a response. */
const isRefused =
	"statusAnswered <> 'open' AND (typeof(statusAnswered) = 'text' OR statusAnswered >= 300 OR reason IS NOT NULL)";

interface Part<T extends object> {
	views: View[];
	table: Table<T>;
	where?: string;
	/** Columns that change, and are searched besides what the table searches. */
	columns: string[];
	toEntry: (one: T) => Entry;
}

/** Keeps the type of the table together with what reads it. */
function part<T extends object>(one: Part<T>): Pick<Part<T>, 'views'> & { search: Search } {
	const { table, where = 'TRUE', columns, toEntry } = one;
	return {
		views: one.views,
		search: function* (text, max) {
			const [condition, values] = readSearch(text, columns);
			const found = yield* table.search(`(${where}) AND ${condition}`, values, max);
			return { shown: found.shown.map(toEntry), total: found.total };
		},
	};
}

type Search = (text: string, max: number) => Steps<Found<Entry>>;

function listParts(state: State, view: View) {
	return [
		part({
			...{ views: ['all', 'messages'], table: state.messages, columns: ['status'] },
			toEntry: (message) => ({ kind: 'message', atMs: message.createdAtMs, message }),
		}),
		part({
			...{ views: ['all', 'codes', 'mails'], table: state.codes, columns: [] },
			where: view === 'mails' ? "channel = 'EMAIL'" : 'TRUE',
			toEntry: (otp) => ({ kind: 'code', atMs: otp.createdAtMs, otp }),
		}),
		part({
			...{ views: ['all', 'mails'], table: state.mails, columns: [] },
			toEntry: (mail) => ({ kind: 'mail', atMs: mail.createdAtMs, mail }),
		}),
		part<SentReceipt>({
			...{ views: ['receipts'], table: state.receipts, columns: ['url', 'answered'] },
			toEntry: (receipt) => ({ kind: 'receipt', atMs: receipt.at, receipt }),
		}),
		part({
			...{ views: ['all', 'refused', 'requests'], table: state.requests },
			...{ where: view === 'requests' ? 'TRUE' : isRefused },
			columns: ['reason', 'fault', 'statusAnswered', 'recipients'],
			toEntry: (request) => ({ kind: 'request', atMs: request.clockMs, request }),
		}),
	].filter((one) => one.views.includes(view));
}

/** Messages, codes, mails and requests in one line, so that none pushes the others away. */
export function* readTimeline(
	state: State,
	view: View,
	search: string,
	page: number,
): Steps<Timeline> {
	const entries: Entry[] = [];
	let total = 0;
	for (const one of listParts(state, view)) {
		const found = yield* one.search(search, page * entriesPerPage);
		entries.push(...found.shown);
		total += found.total;
	}
	entries.sort((a, b) => b.atMs - a.atMs);
	return { page, total, shown: entries.slice((page - 1) * entriesPerPage, page * entriesPerPage) };
}

/** Any spelling of a number, also of its beginning or end, or a part of any text. */
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
