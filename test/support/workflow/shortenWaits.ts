import { brakeTiming } from '../../../nodes/shared/client/brake';
import { retryTiming } from '../../../nodes/shared/client/failure';
import { deliveryTiming } from '../../../nodes/shared/delivery/timing';
import { shortDelivery, shortRetry } from './sending';

/** Makes the waits before another try, and before another look into history, short for all tests of a file. */
export function shortenWaits(): void {
	// No test hears of the outage of another.
	Object.assign(brakeTiming, { forgetAfterMs: 0 });
	Object.assign(retryTiming, shortRetry);
	Object.assign(deliveryTiming, shortDelivery);
}
