import { retryTiming } from '../../../nodes/shared/client/retry';
import { deliveryTiming } from '../../../nodes/shared/delivery/timing';
import { shortDelivery, shortRetry } from './sending';

/** Makes the waits before another try, and before another look into history, short for all tests of a file. */
export function shortenWaits(): void {
	Object.assign(retryTiming, shortRetry);
	Object.assign(deliveryTiming, shortDelivery);
}
