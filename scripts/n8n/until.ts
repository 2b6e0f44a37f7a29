import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
	/** What is waited for, for the error: "n8n to answer". */
	what: string;
	timeoutMs?: number;
	everyMs?: number;
	/** What was there instead, for the error. */
	seen?: () => string;
}

/** A limit against a hang: n8n on a busy machine takes its time. */
const usualTimeoutMs = 300_000;
/** A question costs n8n more than it seems: who has waited long asks seldom. */
const longestPauseMs = 3_000;
const pauseShare = 0.2;

/**
 * Asks again and again until there is an answer, at least every three seconds; later than the answer by a fifth at most.
 * @throws {Error} when none came in time
 */
export async function until<T>(ask: () => Promise<T | undefined>, patience: Patience): Promise<T> {
	const { what, timeoutMs = usualTimeoutMs, everyMs = 50, seen } = patience;
	const begun = Date.now();
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		const waitedMs = Date.now() - begun;
		if (waitedMs > timeoutMs)
			throw new Error(`Waited ${timeoutMs / 1000} s for ${what}.${seen ? ` Seen: ${seen()}` : ''}`);
		await sleep(Math.max(everyMs, Math.min(waitedMs * pauseShare, longestPauseMs)));
	}
}
