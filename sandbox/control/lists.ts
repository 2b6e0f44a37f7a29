import { once } from 'node:events';
import type { ListFilter, LoggedRequest, OtpState, RequestFilter, StoredOtp } from '../entities';
import { readOtpState } from '../service/otp';
import { buildToken } from '../settings';
import { readTime } from '../shapes';
import type { State } from '../state';
import type { Value } from '../store/Store';
import { readRecipient } from '../store/recipients';
import type { Table } from '../store/Table';
import { toFullPath } from './faults';

/** SQL conditions on the recipient: of messages and receipts, of codes, and on one of several. */
const isTo = '"to" = ?';
const isRecipient = 'recipient = ?';
const isAmong = "instr(recipients, ' ' || ? || ' ')";

export type OtpReport = StoredOtp & { state: OtpState };

function reportOtp(state: State, otp: StoredOtp): OtpReport {
	return { ...otp, state: readOtpState(state, otp) };
}

/** All lists page by page, each oldest first. */
export function createLists(state: State) {
	const { messages, codes, mails, requests, receipts } = state;
	return {
		messages: (filter?: ListFilter) => list(messages, isTo, filter),
		codes: function* (filter?: ListFilter): Generator<OtpReport[]> {
			const pages = list(codes, isRecipient, filter);
			for (const page of pages) yield page.map((otp) => reportOtp(state, otp));
		},
		mails: (filter?: ListFilter) => list(mails, isAmong, filter),
		requests: function* (filter?: RequestFilter): Generator<LoggedRequest[]> {
			const pages = list(requests, isAmong, filter);
			for (const page of pages) yield page.map((request) => hideTokens(state, request));
		},
		countRequests: (filter: RequestFilter = {}): number => {
			const [where, values] = select(isAmong, filter);
			return requests.count(where, ...values);
		},
		receipts: (filter?: ListFilter) => list(receipts, isTo, filter),
	};
}

/** Where others can reach the sandbox, its log does not give them the credentials. */
function hideTokens({ settings, controlToken }: State, request: LoggedRequest): LoggedRequest {
	if (controlToken === undefined) return request;
	const tokens = settings.credentials.map(buildToken);
	const spellings = tokens.flatMap((token) => [encodeURIComponent(token), token]);
	const rawQuery = request.rawQuery.replace(/(?<=^|&)accessToken=[^&]*/g, 'accessToken=***');
	const json = JSON.stringify({ ...request, rawQuery });
	return JSON.parse(
		spellings.reduce((all, one) => all.replaceAll(one, '***'), json),
	) as LoggedRequest;
}

function list<T extends object>(table: Table<T>, condition: string, filter: RequestFilter = {}) {
	return table.pages(...select(condition, filter), filter.newest);
}

type Condition = [where: string, value: Value];

function select(isToRecipient: string, filter: RequestFilter): [where: string, values: Value[]] {
	const to = (text: string): Condition => [isToRecipient, readRecipient(text)];
	const readers = Object.entries({ to, ...requestReaders });
	const conditions = readers.flatMap(([name, read]) => {
		const text = filter[name as keyof typeof requestReaders];
		return text === undefined ? [] : [read(text)];
	});
	const where = conditions.map(([condition]) => condition).join(' AND ');
	return [where || 'TRUE', conditions.map(([, value]) => value)];
}

const requestReaders: Record<
	Exclude<keyof RequestFilter, keyof ListFilter>,
	(text: string) => Condition
> = {
	method: (text) => ['method = ?', text.toUpperCase()],
	path: (text) => {
		const path = toFullPath(text);
		return path.endsWith('*') ? ['instr(path, ?) = 1', path.slice(0, -1)] : ['path = ?', path];
	},
	status: (text) => ['statusAnswered = ?', /^\d+$/.test(text) ? Number(text) : text],
	text: (text) => ['instr(query || char(10) || body, ?)', JSON.stringify(text).slice(1, -1)],
	from: (text) => ['at >= ?', readTime(text)],
	until: (text) => ['at <= ?', readTime(text)],
};

export interface LatestQuery {
	/** Any spelling of a phone number, or an email address; default: any recipient. */
	to?: string;
	/** Only entries after this mark; default: all. */
	since?: number;
	/** Time to wait for one, in milliseconds; default 0. */
	waitMs?: number;
	/** Ends the wait. */
	signal?: AbortSignal;
}

export function createLatest(state: State) {
	return {
		/** The newest message to a recipient; undefined if there is none within `waitMs`. */
		latestMessage: (query?: LatestQuery) => findLatest(state, state.messages, isTo, query),
		/** The newest code to a recipient; undefined if there is none within `waitMs`. */
		latestCode: async (query?: LatestQuery) => {
			const otp = await findLatest(state, state.codes, isRecipient, query);
			return otp && reportOtp(state, otp);
		},
		/** The newest mail to a recipient; undefined if there is none within `waitMs`. */
		latestMail: (query?: LatestQuery) => findLatest(state, state.mails, isAmong, query),
	};
}

async function findLatest<T extends object>(
	state: State,
	table: Table<T>,
	condition: string,
	{ to, since = -1, waitMs = 0, signal }: LatestQuery = {},
): Promise<T | undefined> {
	const [where, values] = select(condition, { to });
	const waits = [state.lifetime.signal, AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])];
	const ends = AbortSignal.any(waits);
	await state.store.committed().catch(() => undefined);
	for (let mark = since; ; ) {
		const isNews = mark !== state.mark;
		const found = isNews ? table.findNewest(`${where} AND mark > ?`, ...values, since) : undefined;
		if (found || waitMs <= 0) return found;
		({ mark } = state);
		try {
			await once(state.news, 'change', { signal: ends });
		} catch {
			return undefined;
		}
	}
}
