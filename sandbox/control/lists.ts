import { once } from 'node:events';
import type {
	ListFilter,
	LoggedRequest,
	OtpState,
	RequestFilter,
	SentReceipt,
	StoredMail,
	StoredMessage,
	StoredOtp,
} from '../entities';
import { readOtpState } from '../service/otp';
import { buildToken } from '../settings';
import { readTime } from '../shapes';
import type { State } from '../state';
import { isAmong, listAddresses, listRecipients, readRecipient } from '../recipients';
import type { Table } from '../Table';
import { toFullPath } from './faults';

/** Whether an entity goes to a recipient, in any spelling. */
const isTo = (wanted: string) => (one: { to: string }) => one.to === wanted;
const isRecipient = (wanted: string) => (one: { to: string }) => readRecipient(one.to) === wanted;
const isOfMail = (wanted: string) => (one: StoredMail) => isAmong(listAddresses(one.to), wanted);
const isOfRequest = (wanted: string) => (one: LoggedRequest) =>
	isAmong(listRecipients(one), wanted);

export type OtpReport = StoredOtp & { state: OtpState };

function reportOtp(state: State, otp: StoredOtp): OtpReport {
	return { ...otp, state: readOtpState(state, otp) };
}

/** All lists, each oldest first. */
export function createLists(state: State) {
	const { messages, codes, mails, requests, receipts } = state;
	return {
		messages: (filter?: ListFilter): StoredMessage[] => list(messages, isTo, filter),
		/** With the code in plain text and its current state. */
		codes: (filter?: ListFilter): OtpReport[] =>
			list(codes, isRecipient, filter).map((otp) => reportOtp(state, otp)),
		/** Codes by email, and mails that were handed in (`addMail`). */
		mails: (filter?: ListFilter): StoredMail[] => list(mails, isOfMail, filter),
		/** Every request that reached a path of the service. */
		requests: (filter?: RequestFilter): LoggedRequest[] =>
			requests
				.copy(selectRequests(filter), filter?.newest)
				.map((request) => hideTokens(state, request)),
		/** Number of requests that match. */
		countRequests: (filter: RequestFilter = {}): number =>
			requests.list(selectRequests(filter)).length,
		/** Every attempt to post a delivery receipt. */
		receipts: (filter?: ListFilter): SentReceipt[] => list(receipts, isTo, filter),
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

type IsWanted<T> = (entity: T) => boolean;
type IsTo<T> = (wanted: string) => IsWanted<T>;

function selectTo<T>(isToRecipient: IsTo<T>, to: string | undefined): IsWanted<T> {
	return to === undefined ? () => true : isToRecipient(readRecipient(to));
}

function list<T extends object>(table: Table<T>, isToRecipient: IsTo<T>, filter: ListFilter = {}) {
	return table.copy(selectTo(isToRecipient, filter.to), filter.newest);
}

function selectRequests(filter: RequestFilter = {}): IsWanted<LoggedRequest> {
	const conditions = Object.entries(requestReaders).flatMap(([name, read]) => {
		const text = filter[name as keyof typeof requestReaders];
		return text === undefined ? [] : [read(text)];
	});
	const isToOne = selectTo(isOfRequest, filter.to);
	return (request) => isToOne(request) && conditions.every((isMet) => isMet(request));
}

const requestReaders: Record<
	Exclude<keyof RequestFilter, keyof ListFilter>,
	IsTo<LoggedRequest>
> = {
	method: (text) => (request) => request.method === text.toUpperCase(),
	path: (text) => {
		const wanted = toFullPath(text);
		if (!wanted.endsWith('*')) return ({ path }) => path === wanted;
		return ({ path }) => path.startsWith(wanted.slice(0, -1));
	},
	status: (text) => (request) => String(request.statusAnswered) === text,
	text: (text) => {
		const part = JSON.stringify(text).slice(1, -1);
		return ({ query, body }) => [query, body].some((one) => JSON.stringify(one).includes(part));
	},
	from: (text) => (request) => request.at >= readTime(text),
	until: (text) => (request) => request.at <= readTime(text),
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
		latestMail: (query?: LatestQuery) => findLatest(state, state.mails, isOfMail, query),
	};
}

async function findLatest<T extends { mark: number }>(
	state: State,
	table: Table<T>,
	isToRecipient: IsTo<T>,
	{ to, since = -1, waitMs = 0, signal }: LatestQuery = {},
): Promise<T | undefined> {
	const isToOne = selectTo(isToRecipient, to);
	const waits = [state.lifetime.signal, AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])];
	const ends = AbortSignal.any(waits);
	for (let mark = since; ; ) {
		const isNews = mark !== state.mark;
		const found = isNews && table.findNewest((one) => one.mark > since && isToOne(one));
		if (found) return { ...found };
		if (waitMs <= 0) return undefined;
		({ mark } = state);
		try {
			await once(state.news, 'change', { signal: ends });
		} catch {
			return undefined;
		}
	}
}
