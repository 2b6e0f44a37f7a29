import type { ServiceError } from './failure';
import { canPass } from './verdict';

/** Tests shorten these waits. */
export const retryTiming = {
	/** Wait before the second attempt; it doubles with each attempt. */
	firstWaitMs: 500,
	longestBackOffMs: 8_000,
	/** Jitter: a wait grows at random by at most this fraction of itself, so that requests do not all return together. */
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
	const { firstWaitMs, longestBackOffMs, spread, longestOfRead } = retryTiming;
	const isRepeated = canPass(error.kind) && (isRead || !error.isUnclearFor(messages));
	const most = isRead ? retryTiming.attemptsOfRead : retryTiming.attemptsOfUnsent;
	if (!isRepeated || attempts >= most) return undefined;
	const backOff = Math.min(firstWaitMs * 2 ** (attempts - 1), longestBackOffMs);
	const spreadOut = Math.round(backOff * (1 + spread * random()));
	const wait = Math.max(spreadOut, error.facts.retryAfterMs ?? 0);
	return isRead && elapsed + wait > longestOfRead ? undefined : wait;
}
