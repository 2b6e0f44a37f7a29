import type { ServiceError } from './ServiceError';
import { canPass } from './verdict';

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
	/** Attempts of a read with a response that is not JSON: truncated, or a page at a wrong address. */
	attemptsOfUnreadable: 4,
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
	const isUnreadable = isRead && error.kind === 'unreadable';
	const isRepeated = canPass(error.kind) && (isRead || !error.mayHaveActed);
	if (!isRepeated) return undefined;
	const maxAttemptsOfRead = isUnreadable
		? retryTiming.attemptsOfUnreadable
		: retryTiming.attemptsOfRead;
	if (attempts >= (isRead ? maxAttemptsOfRead : retryTiming.attemptsOfUnsent)) return undefined;
	const backOff = Math.min(
		retryTiming.firstWaitMs * 2 ** (attempts - 1),
		retryTiming.longestBackOffMs,
	);
	// Jitter: requests that failed together must not all return together.
	const spread = Math.round(backOff * (1 + retryTiming.spread * random()));
	const wait = Math.max(spread, error.facts.retryAfterMs ?? 0);
	return isRead && elapsed + wait > retryTiming.longestOfRead ? undefined : wait;
}
