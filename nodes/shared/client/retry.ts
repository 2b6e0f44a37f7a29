import type { ServiceError } from './failure';
import { canPass } from './verdict';

/** Ceiling for waits that the service asks for, so that a workflow does not hang for an hour. */
export const longestWaitMs = 60_000;

/** `Retry-After` (seconds or an HTTP date) in milliseconds, at most `longestWaitMs`; `undefined` if not valid. */
export function parseRetryAfter(value = '', now: number): number | undefined {
	const seconds = Number(value.trim() || NaN);
	const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
	return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestWaitMs) : undefined;
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
 * @param elapsed milliseconds since the first attempt began
 */
export function waitBeforeRetry(
	error: ServiceError,
	attempts: number,
	isRead: boolean,
	{ elapsed = 0, random = Math.random } = {},
): number | undefined {
	const isRepeated = canPass(error.kind) && (isRead || !error.mayHaveActed);
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
