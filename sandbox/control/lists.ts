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
import type { State } from '../state';
import type { Value } from '../store/Store';
import { readRecipient } from '../store/recipients';
import type { Table } from '../store/Table';

export type OtpReport = StoredOtp & { state: OtpState };

/** The pages of a list. */
type Pages<T> = Generator<T[]>;

/** All lists, each oldest first. */
export function createLists(state: State) {
	return {
		messages: (filter?: ListFilter): Pages<StoredMessage> =>
			list(state.messages, '"to" = ?', filter),
		codes: function* (filter?: ListFilter): Pages<OtpReport> {
			for (const page of list(state.codes, 'recipient = ?', filter)) {
				yield page.map((otp) => reportOtp(state, otp));
			}
		},
		mails: (filter?: ListFilter): Pages<StoredMail> => list(state.mails, isAmong, filter),
		requests: (filter: RequestFilter = {}): Pages<LoggedRequest> =>
			list(state.requests, isAmong, filter, readConditions(filter)),
		countRequests: (filter: RequestFilter = {}): number => {
			const { where, values } = join(isAmong, filter, readConditions(filter));
			return state.requests.count(where, ...values);
		},
		receipts: (filter?: ListFilter): Pages<SentReceipt> => list(state.receipts, '"to" = ?', filter),
	};
}

export function reportOtp(state: State, otp: StoredOtp): OtpReport {
	return { ...otp, state: readOtpState(state, otp) };
}

/** SQL condition: the recipient is one of several. */
export const isAmong = "instr(recipients, ' ' || ? || ' ')";

function list<T extends object>(
	table: Table<T>,
	isTo: string,
	{ newest, to }: ListFilter = {},
	conditions: Condition[] = [],
): Pages<T> {
	const { where, values } = join(isTo, { to }, conditions);
	return table.pages(where, values, newest);
}

function join(isTo: string, { to }: ListFilter, conditions: Condition[]) {
	const all: Condition[] =
		to === undefined ? conditions : [[isTo, readRecipient(to)], ...conditions];
	const where = all.map(([condition]) => condition).join(' AND ') || 'TRUE';
	return { where, values: all.map(([, value]) => value) };
}

type Condition = [where: string, value: Value];

const conditions: Record<
	Exclude<keyof RequestFilter, keyof ListFilter>,
	(text: string) => Condition
> = {
	method: (text) => ['method = ?', text.toUpperCase()],
	path: readPath,
	status: (text) => ['statusAnswered = ?', /^\d+$/.test(text) ? Number(text) : text],
	text: (text) => ['instr(query || char(10) || body, ?)', JSON.stringify(text).slice(1, -1)],
	from: (text) => ['at >= ?', readTime(text)],
	until: (text) => ['at <= ?', readTime(text)],
};

function readConditions(filter: RequestFilter): Condition[] {
	return Object.entries(conditions).flatMap(([name, read]) => {
		const text = filter[name as keyof typeof conditions];
		return text === undefined ? [] : [read(text)];
	});
}

function readPath(path: string): Condition {
	const full = path.startsWith('/api') ? path : `/api${path}`;
	if (!full.endsWith('*')) return ['path = ?', full];
	return ['instr(path, ?) = 1', full.slice(0, -1)];
}

function readTime(text: string): number {
	return /^\d+$/.test(text) ? Number(text) : Date.parse(text);
}
