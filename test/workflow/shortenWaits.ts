import { retryTiming } from '../../nodes/shared/client/retry';
import { deliveryTiming } from '../../nodes/shared/delivery/timing';

/** Makes the waits before another try, and before another look into history, short for all tests of a file. */
export function shortenWaits(): void {
	Object.assign(retryTiming, { firstWaitMs: 1, longestBackOffMs: 5 });
	Object.assign(deliveryTiming, { looks: [1, 5] });
}
