import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
	/** What is waited for, for the error: "n8n to answer". */
	what: string;
	timeoutMs: number;
	everyMs?: number;
	/** What was there instead, for the error. */
	seen?: () => string;
}

/** A question costs n8n more than it seems: who has waited long asks seldom. */
const longestPauseMs = 3_000;
const pauseShare = 0.1;

/**
 * Asks again and again until there is an answer, at least every three seconds; later than the answer by a tenth at most.
 * @throws {Error} when none came in time
 */
export async function until<T>(ask: () => Promise<T | undefined>, patience: Patience): Promise<T> {
	const begun = Date.now();
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		const waitedMs = Date.now() - begun;
		if (waitedMs > patience.timeoutMs) {
			const seen = patience.seen ? ` Seen: ${patience.seen()}` : '';
			throw new Error(`Waited ${patience.timeoutMs / 1000} s for ${patience.what}.${seen}`);
		}
		await sleep(Math.max(patience.everyMs ?? 50, Math.min(waitedMs * pauseShare, longestPauseMs)));
	}
}
