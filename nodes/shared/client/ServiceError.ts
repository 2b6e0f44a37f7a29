/** What went wrong. `describeFailure` turns it into text. */
export type ServiceErrorKind =
	| 'address' // the Base URL is not a valid address
	| 'authentication' // 401: bad key, or this machine is not on the IP whitelist
	| 'forbidden' // 403
	| 'notFound' // 404, 405: probably not the address of the service
	| 'refused' // the service rejected the request: another 4xx, or a rejection inside a 2xx (field note 3)
	| 'rateLimited' // 429
	| 'unavailable' // 5xx, no connection, no response in time
	| 'redirected' // 3xx: never followed
	| 'unreadable' // a 2xx without the specified fields, or a message history that is too long
	| 'outcomeUnknown' // a send that stays in doubt
	| 'cancelled'; // the execution was stopped

/** What message history shows of a message in doubt; `partly`: other messages of the same request. */
export type HistorySays = 'nothing' | 'unreadable' | 'uncertain' | 'partly' | 'otherAccount';

export interface ServiceErrorFacts {
	/** Method and path of the request, without its query: `POST /rest/send`. */
	request?: string;
	/** HTTP status of the response; absent if there was none. */
	status?: number;
	/** The service's own words, without secrets. */
	words?: string;
	/** What this package adds, as a sentence. */
	note?: string;
	/** Whether a lookup failed before anything was sent. */
	isBeforeSend?: boolean;
	/** n8n's or Node's code of a network failure, e.g. ECONNREFUSED. */
	code?: string;
	/** Whether the service may have acted on the request without confirming it. */
	mayHaveActed?: boolean;
	/** From the header Retry-After, in milliseconds. */
	retryAfterMs?: number;
	isCheckOfCode?: boolean;
	clientReference?: string;
	to?: string;
	/** Number of requests made for the message, in all attempts. */
	requests?: number;
	/** Milliseconds from the last request to the last lookup in message history. */
	waitedMs?: number;
	history?: HistorySays;
	/** The service's clock at its response, from the header Date, in milliseconds since 1970. */
	serviceTime?: number;
}

/** 522 and 524 are those of a proxy (Cloudflare). */
const timeOutStatuses = [408, 504, 522, 524];

export class ServiceError extends Error {
	readonly mayHaveActed: boolean;

	constructor(
		readonly kind: ServiceErrorKind,
		readonly facts: ServiceErrorFacts = {},
		/** `cause` is the original error. It can hold secrets, so it must not be output. */
		{ cause }: { cause?: unknown } = {},
	) {
		super(kind, { cause });
		this.name = 'ServiceError';
		this.mayHaveActed = facts.mayHaveActed ?? false;
	}

	/** The service did not respond in time, so it may act on the request later. */
	get isTimeOut(): boolean {
		const { status, code = '' } = this.facts;
		const isStatus = status !== undefined && timeOutStatuses.includes(status);
		return isStatus || /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/.test(code);
	}

	with(facts: ServiceErrorFacts): ServiceError {
		return new ServiceError(this.kind, { ...this.facts, ...facts }, this);
	}
}

/** Narrows a caught error. @throws any error that is not a ServiceError */
export function asServiceError(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

export function isCancelled(error: unknown): boolean {
	return error instanceof ServiceError && error.kind === 'cancelled';
}

/** Whether the failure may be temporary, so that other items need not stop for it. */
export function isPassing(error: unknown): boolean {
	return (
		error instanceof ServiceError &&
		['rateLimited', 'unavailable', 'outcomeUnknown', 'unreadable'].includes(error.kind)
	);
}

/** Whether one message got a bulk request rejected, so that the others may be accepted without it. */
export function isAboutMessages({ kind, mayHaveActed, facts }: ServiceError): boolean {
	const { status, words = '' } = facts;
	return kind === 'refused' && !mayHaveActed && status !== 402 && !/balance|credit/i.test(words);
}
