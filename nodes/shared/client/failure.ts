import { isRecord } from './json';
import { canPass, type Failure, judge, type ServiceErrorKind, type Verdict } from './verdict';

/** What message history shows of a message in doubt; `partly`: others of its request, `partlyRejected`: which was rejected. */
export type HistorySays =
	| 'nothing'
	| 'notSearched'
	| 'unreadable'
	| 'uncertain'
	| 'partly'
	| 'partlyRejected'
	| 'otherAccount';

export interface ServiceErrorFacts extends Partial<Pick<Verdict, 'about' | 'isLate'>> {
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
		this.mayHaveActed = facts.mayHaveActed ?? kind === 'outcomeUnknown';
	}

	/** The failure of a request, as the table of verdicts says. */
	static of(
		failure: Failure,
		facts: ServiceErrorFacts = {},
		more: { cause?: unknown } = {},
	): ServiceError {
		const { kind, acted, about, isLate } = judge(failure);
		const { status, code } = failure;
		const known = { status, code, about, isLate, mayHaveActed: acted === 'perhaps' };
		return new ServiceError(kind, { ...known, ...facts }, more);
	}

	/** The service did not respond in time, so it may act on the request later. */
	get isTimeOut(): boolean {
		return this.facts.isLate === true;
	}

	/** It is about one of the messages of a request: the others may be accepted without it. */
	get isOfMessages(): boolean {
		return this.facts.about === 'message' && this.kind === 'rejected' && !this.mayHaveActed;
	}

	/** Money, a permission or the rate has run out, perhaps after the first messages of a request. */
	get canComeHalfway(): boolean {
		return this.kind === 'rateLimited' || this.kind === 'forbidden' || this.facts.status === 402;
	}

	/** Whether messages of a request may have been accepted in spite of it. */
	isUnclearFor(messages: number): boolean {
		return this.mayHaveActed || (messages > 1 && (this.isOfMessages || this.canComeHalfway));
	}

	/** No request may follow for a while. */
	get isAskingToWait(): boolean {
		return this.kind === 'rateLimited' || this.facts.retryAfterMs !== undefined;
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

/** Whether other items need not stop for a failure: it may be temporary, or concerns one message only. */
export function isPassing(error: unknown): boolean {
	return error instanceof ServiceError && (canPass(error.kind) || error.kind === 'outcomeUnknown');
}

/** Whether a message may have been sent, after all that could be done to find out. */
export function isUnknown(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.kind === 'outcomeUnknown';
}

/** Codes of network errors that occur before the request can reach the service. */
const neverArrived =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EADDRNOTAVAIL|ERR_INVALID_URL|ERR_INVALID_PROTOCOL|ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;
/** TLS errors that occur before the request is written. Other TLS errors can occur after it. */
const neverBegan =
	/wrong version number|unsupported protocol|no protocols available|handshake failure|alert protocol version|unrecognized name|packet length too long/i;

type NetworkError = Record<string, unknown>;

/** The error and its causes: n8n wraps the error of its HTTP library, which wraps Node's. */
function chainOf(error: unknown): NetworkError[] {
	const chain: NetworkError[] = [];
	for (let one = error; isRecord(one) && chain.length < 5; one = one.cause) chain.push(one);
	return chain;
}

function codeOf(chain: NetworkError[]): string {
	const [outer = {}, inner = {}] = chain;
	const found = [outer.httpCode, inner.code, outer.code];
	return String(found.find((value) => typeof value === 'string' && value !== '') ?? 'unknown');
}

function hasNeverLeft(chain: NetworkError[]): boolean {
	return chain.some(
		({ code, syscall, message }) =>
			neverArrived.test(String(code)) ||
			/^(connect|getaddrinfo)$/.test(String(syscall)) ||
			neverBegan.test(String(message)),
	);
}

export function toNetworkFailure(
	error: unknown,
	signal?: AbortSignal,
	request?: string,
): ServiceError {
	if (error instanceof ServiceError) return error;
	const chain = chainOf(error);
	const code = codeOf(chain);
	const isCancelled = signal?.aborted === true || code === 'ERR_CANCELED';
	const isUnsent = neverArrived.test(code) || hasNeverLeft(chain);
	const failure = ServiceError.of({ code, isUnsent }, { request }, { cause: error });
	// The service may go on with a request that was stopped.
	return isCancelled
		? new ServiceError('cancelled', { ...failure.facts, isLate: true }, failure)
		: failure;
}

/** Tests shorten these waits. */
export const retryTiming = {
	/** Wait before the second attempt; it doubles with each attempt. */
	firstWaitMs: 500,
	longestBackOffMs: 8_000,
	/** Jitter: a wait grows at random by at most this fraction of itself. */
	spread: 0.25,
	/** Attempts of a read (history, balance), including the first, and for how long in all. */
	attemptsOfRead: 5,
	longestOfRead: 90_000,
	/** Attempts of a request that certainly did nothing: 429, or no connection. */
	attemptsOfUnsent: 4,
};

/**
 * Milliseconds before a retry; `undefined` for none. Only reads, and requests that did nothing, are retried.
 * @param messages in the request
 * @param elapsed milliseconds since the first attempt began
 */
export function waitBeforeRetry(
	error: ServiceError,
	attempts: number,
	{ isRead = false, messages = 1, elapsed = 0, random = Math.random } = {},
): number | undefined {
	const isRepeated = canPass(error.kind) && (isRead || !error.isUnclearFor(messages));
	const most = isRead ? retryTiming.attemptsOfRead : retryTiming.attemptsOfUnsent;
	if (!isRepeated || attempts >= most) return undefined;
	const backOff = Math.min(
		retryTiming.firstWaitMs * 2 ** (attempts - 1),
		retryTiming.longestBackOffMs,
	);
	// Jitter: requests that failed together must not all return together.
	const spread = Math.round(backOff * (1 + retryTiming.spread * random()));
	const wait = Math.max(spread, error.facts.retryAfterMs ?? 0);
	return isRead && elapsed + wait > retryTiming.longestOfRead ? undefined : wait;
}
