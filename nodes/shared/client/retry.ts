import type { ServiceError } from './ServiceError';

/** Waits and tries, as data. Tests make them short. */
export const retryTiming = {
	/** Wait before the second try; it doubles from try to try. */
	firstWaitMs: 500,
	longestBackOffMs: 8_000,
	/** By how much of itself a wait is longer at most, at random. */
	spread: 0.25,
	/** Tries of a read (history, balance), the first one included. */
	triesOfRead: 5,
	/** Tries of a read whose answer is no JSON: cut short, or the page of a wrong address. */
	triesOfUnreadable: 4,
	/** Tries of a request that certainly did nothing: 429, or no connection. */
	triesOfUnsent: 4,
};

/** How long to wait before a retry; `undefined` for none: only reads, and what certainly did nothing, are repeated. */
export function waitBeforeRetry(
	error: ServiceError,
	tries: number,
	isRead: boolean,
	random = Math.random,
): number | undefined {
	const isUnreadable = isRead && error.kind === 'unreadable';
	const isPassing = ['rateLimited', 'unavailable'].includes(error.kind) || isUnreadable;
	if (!isPassing || (error.mayHaveActed && !isRead)) return undefined;
	const mostTriesOfRead = isUnreadable ? retryTiming.triesOfUnreadable : retryTiming.triesOfRead;
	if (tries >= (isRead ? mostTriesOfRead : retryTiming.triesOfUnsent)) return undefined;
	const backOff = Math.min(
		retryTiming.firstWaitMs * 2 ** (tries - 1),
		retryTiming.longestBackOffMs,
	);
	// Not all at the same moment, or many requests that failed together would come back together.
	const spread = Math.round(backOff * (1 + retryTiming.spread * random()));
	return Math.max(spread, error.facts.retryAfterMs ?? 0);
}
