import type { IWebhookFunctions } from 'n8n-workflow';

import { inTime } from './inTime';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** How long a call waits for what becomes of the same receipt of another call, in milliseconds. */
export const startTiming = { longestWaitMs: 20_000 };

/**
 * Whether n8n has started the execution of a call: it answers 200 after that, also when the caller has hung up in
 * the meantime. So the end of the answer counts (`prefinish`), and not whether it arrived.
 */
export async function hasStarted(response: Response): Promise<boolean> {
	if (!response.writableEnded)
		await new Promise<void>((resolve) => response.once('prefinish', () => resolve()));
	return response.statusCode === 200;
}

/** Whether the executions of other calls were all started, as far as that is known in time. */
export async function haveOthersStarted(others: Array<Promise<boolean>>): Promise<boolean> {
	if (others.length === 0) return true;
	const started = await inTime(Promise.all(others), startTiming.longestWaitMs);
	return started?.every(Boolean) === true;
}
