import { isObject } from './json';
import { canPass, judge, type Failure, type Rule, type ServiceErrorKind } from './verdict';

/** What message history shows of a message in doubt; `partly`: others of its request, `partlyRejected`: which was rejected. */
export type HistorySays =
	| 'nothing'
	| 'notSearched'
	| 'unreadable'
	| 'uncertain'
	| 'partly'
	| 'partlyRejected'
	| 'otherAccount';

export interface ServiceErrorFacts extends Partial<Pick<Rule, 'about' | 'isLate'>> {
	/** Method and path of the request, without its query: `POST /rest/send`. */
	request?: string;
	status?: number;
	/** The service's own words, without secrets. */
	words?: string;
	/** What this package adds, as a sentence. */
	note?: string;
	/** Whether a lookup failed before anything was sent. */
	isBeforeSend?: boolean;
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
}

/** A request that failed, or a message in doubt. Holds no secret. */
export class ServiceError extends Error {
	readonly mayHaveActed: boolean;

	constructor(
		readonly kind: ServiceErrorKind,
		readonly facts: ServiceErrorFacts = {},
	) {
		super(kind);
		this.name = 'ServiceError';
		this.mayHaveActed = facts.mayHaveActed ?? kind === 'outcomeUnknown';
	}

	/** As the table of verdicts says. */
	static of(failure: Failure, facts: ServiceErrorFacts = {}): ServiceError {
		const { kind, acted, about, isLate } = judge(failure);
		const { status, code } = failure;
		return new ServiceError(kind, {
			...{ status, code, about, isLate, mayHaveActed: acted === 'perhaps' },
			...facts,
		});
	}

	/** It is about one of the messages of a request: the others may be accepted without it. */
	get isOfMessages(): boolean {
		return this.facts.about === 'message' && !this.mayHaveActed;
	}

	/** Money, a permission or the rate has run out, perhaps after the first messages of a request. */
	get canComeHalfway(): boolean {
		return this.kind === 'rateLimited' || this.kind === 'forbidden' || this.facts.status === 402;
	}

	/** Whether messages of a request may have been accepted in spite of it. */
	isUnclearFor(messages: number): boolean {
		return this.mayHaveActed || (messages > 1 && (this.isOfMessages || this.canComeHalfway));
	}

	/** The key has no access, for as long as nobody gives it any: services respond 401, too, to a key of another product. */
	get isOfAccess(): boolean {
		return ['authentication', 'forbidden', 'notFound'].includes(this.kind);
	}

	/** Whether another lookup may succeed within the time of a doubt; a page or redirect can be temporary, too. */
	get canPassInDoubt(): boolean {
		const isLong = this.facts.code === 'tooManyRecords';
		return (canPass(this.kind) && !isLong) || this.kind === 'notService';
	}

	with(facts: ServiceErrorFacts): ServiceError {
		return new ServiceError(this.kind, { ...this.facts, ...facts });
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

/** Whether other items need not stop for a failure: it may be temporary, or concerns one message only. */
export function isPassing(error: unknown): boolean {
	return isUnknown(error) || (error instanceof ServiceError && canPass(error.kind));
}

/** Whether a message may have been sent, after all that could be done to find out. */
export function isUnknown(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.kind === 'outcomeUnknown';
}

/** Codes of network errors that occur before the request can reach the service. */
const neverArrived =
	/^(ECONNREFUSED|ENOTFOUND|EAI_\w+|EADDRNOTAVAIL|ERR_INVALID_\w+|ERR_TLS_CERT_\w+|CERT_\w+|\w*SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;
/** TLS errors that occur before the request is written. Other TLS errors can occur after it. */
const neverBegan =
	/wrong version number|unsupported protocol|no protocols available|handshake failure|alert protocol version|unrecognized name|packet length too long/i;

function hasNeverLeft({ code, syscall, message }: Record<string, unknown>): boolean {
	const isOfConnection = /^(connect|getaddrinfo)$/.test(String(syscall));
	return isOfConnection || neverArrived.test(String(code)) || neverBegan.test(String(message));
}

/** By the error and its causes: n8n wraps the error of its HTTP library, which wraps Node's. */
export function toNetworkFailure(error: unknown, request?: string): ServiceError {
	if (error instanceof ServiceError) return error;
	const chain: Array<Record<string, unknown>> = [];
	for (let one = error; isObject(one) && chain.length < 5; one = one.cause) chain.push(one);
	const [outer = {}, inner = {}] = chain;
	const code = [outer.httpCode, inner.code, outer.code].find(Boolean) ?? 'unknown';
	const isUnsent = chain.some(hasNeverLeft) || neverArrived.test(String(code));
	return ServiceError.of({ code: String(code), isUnsent }, { request });
}
