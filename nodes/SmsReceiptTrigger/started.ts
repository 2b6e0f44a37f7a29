import { sleep, type IWebhookFunctions } from 'n8n-workflow';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** How long a call waits for the outcome of another call with the same receipt, in milliseconds. */
export const startTiming = { longestWaitMs: 20_000 };

/** n8n responds with 200 once it has started the execution. `prefinish` fires even if the caller has hung up. */
export async function hasStarted(response: Response): Promise<boolean> {
	if (!response.writableEnded)
		await new Promise<void>((resolve) => response.once('prefinish', () => resolve()));
	return response.statusCode === 200;
}

/** Max length of a sleep, so that none long outlasts the wait. */
const napMs = 250;

/** The value of a promise; undefined if it takes more than `ms` milliseconds. */
export async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
	const end = performance.now() + ms;
	const given = promise.then((value) => ({ value }));
	for (let left = ms; left > 0; left = end - performance.now()) {
		const nap = sleep(Math.min(left, napMs)).then(() => undefined);
		const result = await Promise.race([given, nap]);
		if (result) return result.value;
	}
	return undefined;
}

/** Whether all executions of other calls are known to have started, within `startTiming`. */
export async function haveOthersStarted(others: Array<Promise<boolean>>): Promise<boolean> {
	if (others.length === 0) return true;
	const started = await inTime(Promise.all(others), startTiming.longestWaitMs);
	return started?.every(Boolean) === true;
}
