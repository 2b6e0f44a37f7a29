import type { OtpRejection } from './types';

/** What went wrong. `describeFailure` turns it into text. */
export type ServiceErrorKind =
	| 'address' // the Base URL is not a valid address
	| 'authentication' // bad key, or this machine is not on the IP allowlist
	| 'forbidden' // the key lacks a permission
	| 'notFound' // probably not the address of the service
	| 'rejected' // the service rejected the request, perhaps inside a 2xx (field note 3)
	| 'rateLimited' // too many requests
	| 'unavailable' // no connection, no response in time, or an error of the service
	| 'redirected' // never followed
	| 'unreadable' // a 2xx without the specified fields, or a message history that is too long
	| 'outcomeUnknown' // a send that stays in doubt
	| 'cancelled'; // the execution was stopped

/** What is known of a request that failed. */
export interface Failure {
	/** HTTP status; absent if there was no response. */
	status?: number;
	/** n8n's or Node's code of a network failure, e.g. ECONNREFUSED. */
	code?: string;
	/** The service's own words. */
	words?: string;
	/** Whether the body rejects the request although the status is a 2xx. */
	isRejection?: boolean;
	/** Whether the request failed before it could leave this machine. */
	isUnsent?: boolean;
}

export interface Verdict {
	kind: ServiceErrorKind;
	/** Whether the service acted: sent the message or code, or counted the attempt. */
	acted: 'no' | 'perhaps';
	/** What the failure concerns: with `message`, others of the same request may be accepted without it. */
	about: 'message' | 'account' | 'service';
	/** Whether the service may act later, because it may still be working on the request. */
	isLate: boolean;
	/** What it says of a code ("OTP rules", rules 2 and 3); absent if the code was not checked. */
	ofCode?: OtpRejection;
}

export interface Row extends Omit<Verdict, 'isLate'> {
	/** For the page of errors. */
	when: string;
	isLate?: true;
	matches: RegExp;
}

/**
 * Each failure by its HTTP status, as text; the first row that matches counts. A rejection inside a 2xx is `rejected`,
 * a request without a response `unsent`, or the network's code. 522 and 524 are those of a proxy (Cloudflare).
 */
export const rows: Row[] = [
	{
		when: 'No connection: unknown host, closed port, invalid certificate',
		matches: /^unsent$/,
		kind: 'unavailable',
		acted: 'no',
		about: 'service',
	},
	{
		when: 'No response in time',
		matches: /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/,
		kind: 'unavailable',
		acted: 'perhaps',
		about: 'service',
		isLate: true,
	},
	{
		when: 'Connection lost before the response',
		matches: /^\D/,
		kind: 'unavailable',
		acted: 'perhaps',
		about: 'service',
	},
	{
		when: '200 that rejects (field note 3)',
		matches: /^2\d\d rejected$/,
		kind: 'rejected',
		acted: 'no',
		about: 'message',
		ofCode: 'rejected',
	},
	{
		when: '200 without the specified fields',
		matches: /^[12]/,
		kind: 'unreadable',
		acted: 'perhaps',
		about: 'service',
	},
	{
		when: '3xx',
		matches: /^3/,
		kind: 'redirected',
		acted: 'perhaps',
		about: 'service',
		ofCode: 'redirected',
	},
	{
		when: '400',
		matches: /^400/,
		kind: 'rejected',
		acted: 'no',
		about: 'message',
		ofCode: 'wrongOrExpired',
	},
	{ when: '401', matches: /^401/, kind: 'authentication', acted: 'no', about: 'account' },
	{
		when: '402',
		matches: /^402/,
		kind: 'rejected',
		acted: 'no',
		about: 'account',
		ofCode: 'rejected',
	},
	{ when: '403', matches: /^403/, kind: 'forbidden', acted: 'no', about: 'account' },
	{
		when: '404',
		matches: /^404/,
		kind: 'notFound',
		acted: 'no',
		about: 'service',
		ofCode: 'rejected',
	},
	// About the method, never about a code: each correct code would be reported as wrong.
	{ when: '405', matches: /^405/, kind: 'notFound', acted: 'no', about: 'service' },
	{
		when: '408, 504, 522, 524',
		matches: /^(408|504|522|524)/,
		kind: 'unavailable',
		acted: 'perhaps',
		about: 'service',
		isLate: true,
	},
	{ when: '429', matches: /^429/, kind: 'rateLimited', acted: 'no', about: 'service' },
	{
		when: 'Another 4xx',
		matches: /^4/,
		kind: 'rejected',
		acted: 'no',
		about: 'message',
		ofCode: 'rejected',
	},
	{ when: 'Another 5xx', matches: /^/, kind: 'unavailable', acted: 'perhaps', about: 'service' },
];

export function judge({ status, code, isRejection = false, isUnsent = false }: Failure): Verdict {
	const ofNetwork = isUnsent ? 'unsent' : (code ?? 'unknown');
	const what = status === undefined ? ofNetwork : `${status}${isRejection ? ' rejected' : ''}`;
	const row = rows.find(({ matches }) => matches.test(what)) ?? rows[rows.length - 1];
	return { isLate: false, ...row };
}

/** Kinds that may be gone at the next attempt. */
const passing: ServiceErrorKind[] = ['rateLimited', 'unavailable', 'unreadable'];

export function canPass(kind: ServiceErrorKind): boolean {
	return passing.includes(kind);
}
