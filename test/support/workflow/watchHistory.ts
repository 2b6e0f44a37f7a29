import { setTimeout as sleep } from 'node:timers/promises';

import { wakeTiming, watchTiming } from '../../../nodes/SmsSendAndWait/watchHistory';

/** When a wait looks into history. */
export const never = { firstMs: 60_000, factor: 2 };
export const soon = { firstMs: 100, factor: 1.5 };

/**
 * For the tests of a file, no wait looks into history unless the test says when, and calls that fail come again soon.
 * @param limitMs how long their waits last at most
 */
export function useWatchTiming(limitMs: number): void {
	const before = { watch: { ...watchTiming }, wake: { ...wakeTiming } };
	beforeEach(() => {
		Object.assign(watchTiming, { besideReceipts: never, insteadOfReceipts: never, beforeEndMs: 0 });
		Object.assign(wakeTiming, { waitsMs: [0, 10, 20, 30] });
	});
	afterAll(async () => {
		// The watches of what still sleeps end with the time limit.
		await sleep(limitMs);
		Object.assign(watchTiming, before.watch);
		Object.assign(wakeTiming, before.wake);
	});
}
