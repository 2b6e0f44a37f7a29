/** What went wrong, in one word; the sentences for people are made from it in one place. */
export type ServiceErrorKind =
	| 'address' // the base address is none, or leads nowhere
	| 'authentication' // 401: bad key, or this machine is not on the IP whitelist
	| 'forbidden' // 403
	| 'notFound' // 404, 405: the address is not the service's
	| 'refused' // the service said no: another 4xx, or a refusal inside a 2xx (field note 3)
	| 'rateLimited' // 429
	| 'unavailable' // 5xx, no connection, no answer in time
	| 'redirected' // 3xx: never followed
	| 'unreadable' // a 2xx without what the specification shows
	| 'outcomeUnknown' // a send that could not be cleared up
	| 'cancelled'; // the execution was stopped

/** What message history said of a message in doubt; `partly`: it shows others of the same request. */
export type HistorySays = 'nothing' | 'unreadable' | 'uncertain' | 'partly' | 'otherAccount';

export interface ServiceErrorFacts {
	/** Method and path of the request, without its query: `POST /rest/send`. */
	request?: string;
	/** HTTP status of the answer; absent when there was none. */
	status?: number;
	/** The service's own words, without secrets. */
	words?: string;
	/** n8n's or Node's code of a network failure, e.g. ECONNREFUSED. */
	code?: string;
	/** Whether the service can have acted on the request although it did not say so. */
	mayHaveActed?: boolean;
	/** From the header Retry-After, in milliseconds. */
	retryAfterMs?: number;
	isCheckOfCode?: boolean;
	clientReference?: string;
	to?: string;
	/** How many requests were made for the message, in all tries. */
	requests?: number;
	/** For how long after the last of them history was asked, in milliseconds, and what it said. */
	waitedMs?: number;
	history?: HistorySays;
	/** The service's clock when it answered, from the header Date, in milliseconds since 1970. */
	serviceTime?: number;
}

export class ServiceError extends Error {
	readonly mayHaveActed: boolean;

	constructor(
		readonly kind: ServiceErrorKind,
		readonly facts: ServiceErrorFacts = {},
		/** `cause` is what was thrown before; it can hold secrets, and goes nowhere. */
		{ cause }: { cause?: unknown } = {},
	) {
		super(kind, { cause });
		this.name = 'ServiceError';
		this.mayHaveActed = facts.mayHaveActed ?? false;
	}

	/** The service did not respond in time, so it may act on the request later. */
	get isTimeOut(): boolean {
		const { status, code = '' } = this.facts;
		return (
			status === 504 || status === 408 || /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/.test(code)
		);
	}

	with(facts: ServiceErrorFacts): ServiceError {
		return new ServiceError(this.kind, { ...this.facts, ...facts }, this);
	}
}

/** For a `catch` of what only the service, or the way to it, can fail with. */
export function asServiceError(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

/** Failures that may be gone at the next try, so that other items need not stop for them. */
export function isPassing(error: unknown): boolean {
	return (
		error instanceof ServiceError &&
		['rateLimited', 'unavailable', 'outcomeUnknown', 'unreadable'].includes(error.kind)
	);
}

/** Whether the contents of one message got a bulk request rejected, so that its others may be accepted. */
export function isAboutMessages({ kind, mayHaveActed, facts }: ServiceError): boolean {
	const { status, words = '' } = facts;
	return kind === 'refused' && !mayHaveActed && status !== 402 && !/balance|credit/i.test(words);
}
