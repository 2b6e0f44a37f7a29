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
	| 'notService' // a proxy, a firewall or a website responded; redirects are never followed
	| 'unreadable' // a 2xx without the specified fields, or a message history that is too long
	| 'outcomeUnknown' // a send that stays in doubt
	| 'cancelled'; // the execution was stopped

export interface Failure {
	/** HTTP status; absent if there was no response. */
	status?: number;
	/** What the body is: HTML, or a rejection although the status is a 2xx. */
	form?: 'page' | 'rejection';
	/** n8n's or Node's code of a network failure, e.g. ECONNREFUSED. */
	code?: string;
	/** Whether the request failed before it could leave this machine. */
	isUnsent?: boolean;
}

export interface Rule {
	/** For the page of errors. */
	when: string;
	matches: RegExp;
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

function row(
	when: string,
	matches: RegExp,
	kind: ServiceErrorKind,
	acted: Rule['acted'],
	about: Rule['about'],
	more: Partial<Pick<Rule, 'isLate' | 'ofCode'>> = {},
): Rule {
	return { when, matches, kind, acted, about, isLate: false, ...more };
}

const [isLate, rejected] = [{ isLate: true }, { ofCode: 'rejected' }] as const;
const noConnection = 'No connection: unknown host, closed port, invalid certificate';
const noResponse = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;
const notService = /^(?!405|408|413|414|429|5).* page$|^(3|407|410|421|426)/;
const odd = '3xx, 407, 410, 421, 426, or a web page (exceptions below)';

/**
 * Each failure by its HTTP status and the form of its body, as text; the first row that matches counts. A request without
 * a response has a code instead. 522 and 524 are those of a proxy (Cloudflare).
 */
export const rules: Rule[] = [
	row(noConnection, /^unsent$/, 'unavailable', 'no', 'service'),
	row('No response in time', noResponse, 'unavailable', 'perhaps', 'service', isLate),
	row('Connection lost before the response', /^\D/, 'unavailable', 'perhaps', 'service'),
	row(odd, notService, 'notService', 'no', 'service'),
	row('200 with a rejection', /^2\d\d rejection/, 'rejected', 'no', 'message', rejected),
	row('200 without the specified fields', /^[12]/, 'unreadable', 'perhaps', 'service'),
	row('400', /^400/, 'rejected', 'no', 'message', { ofCode: 'wrongOrExpired' }),
	row('401', /^401/, 'authentication', 'no', 'account'),
	row('402', /^402/, 'rejected', 'no', 'account', rejected),
	row('403', /^403/, 'forbidden', 'no', 'account'),
	// About the path or the method, never about a code: each correct code would be reported as wrong.
	row('404, 405', /^40[45]/, 'notFound', 'no', 'service'),
	row('408, 504, 522, 524', /^(408|504|522|524)/, 'unavailable', 'perhaps', 'service', isLate),
	row('429', /^429/, 'rateLimited', 'no', 'service'),
	row('Another 4xx', /^4/, 'rejected', 'no', 'message', rejected),
	row('Another 5xx', /^/, 'unavailable', 'perhaps', 'service'),
];

export function judge({ status, form, code = 'unknown', isUnsent }: Failure): Rule {
	const name = status === undefined ? code : `${status} ${form ?? ''}`;
	return rules.find(({ matches }) => matches.test(isUnsent ? 'unsent' : name))!;
}

/** Kinds that may be gone at the next attempt. */
export function canPass(kind: ServiceErrorKind): boolean {
	return ['rateLimited', 'unavailable', 'unreadable'].includes(kind);
}
