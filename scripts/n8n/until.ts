import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
	/** What is waited for, for the error: "n8n to answer". */
	what: string;
	timeoutMs: number;
	everyMs?: number;
}

/**
 * Asks again and again until there is an answer.
 * @throws {Error} when none came in time
 */
export async function until<T>(ask: () => Promise<T | undefined>, patience: Patience): Promise<T> {
	const deadline = Date.now() + patience.timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) {
			throw new Error(`Waited ${patience.timeoutMs / 1000} s for ${patience.what}, in vain.`);
		}
		await sleep(patience.everyMs ?? 50);
	}
}
