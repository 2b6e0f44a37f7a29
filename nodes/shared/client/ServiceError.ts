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

export interface ServiceErrorFacts {
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
	/** Whether the request was to check a one-time code, which is then neither right nor wrong. */
	isCheckOfCode?: boolean;
	/** Reference of the message that the failure is about. */
	clientReference?: string;
	/** Recipient that the failure is about. */
	to?: string;
	/** The service's clock when it answered, from the header Date, in milliseconds since 1970. */
	serviceTime?: number;
}

/** The one type for everything that can go wrong between this package and the service. */
export class ServiceError extends Error {
	readonly mayHaveActed: boolean;

	constructor(
		readonly kind: ServiceErrorKind,
		readonly facts: ServiceErrorFacts = {},
	) {
		super(kind);
		this.name = 'ServiceError';
		this.mayHaveActed = facts.mayHaveActed ?? false;
	}

	/** The same failure with more facts, e.g. the recipient that only the caller knows. */
	with(facts: ServiceErrorFacts): ServiceError {
		return new ServiceError(this.kind, { ...this.facts, ...facts });
	}
}

/** Failures that may be gone at the next try, so that other items need not stop for them. */
export function isPassing(error: unknown): boolean {
	return (
		error instanceof ServiceError &&
		['rateLimited', 'unavailable', 'outcomeUnknown', 'unreadable'].includes(error.kind)
	);
}
