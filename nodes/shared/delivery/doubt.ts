import type { HistoryLag } from './HistoryLag';
import { deliveryTiming } from './timing';

export interface Doubt {
	/** When the last request ended, in milliseconds since 1970. */
	endedAt: number;
	/** It got no answer in time. */
	isAfterTimeOut: boolean;
	/** Another message of the same request was taken. */
	isRequestTaken: boolean;
}

/** When history is to be asked next. What became due in a pause between two tries makes one look. */
export function nextLookAt(endedAt: number, lookedAt: number): number {
	const { looks } = deliveryTiming;
	const last = looks[looks.length - 1];
	const age = lookedAt - endedAt;
	return endedAt + (looks.find((look) => look > age) ?? age + last);
}

/**
 * Whether it is improbable by now that a message was taken which a look did not show. That takes its time; less of it
 * only where history is known to be prompt, and after a time-out only where the service has since taken others.
 * @param lookedAt when that look began
 * @param lag what is known of history's lag; `undefined` when nothing may be concluded from it
 */
export function isDoubtOver(
	{ endedAt, isAfterTimeOut, isRequestTaken }: Doubt,
	lookedAt: number,
	lag: HistoryLag | undefined,
): boolean {
	const { doubtLastsMs, doubtAfterTimeOutLastsMs, evidence } = deliveryTiming;
	const age = lookedAt - endedAt;
	if (age >= (isAfterTimeOut ? doubtAfterTimeOutLastsMs : doubtLastsMs)) return true;
	if (isRequestTaken || age < evidence.shortestMs) return false;
	if (!lag?.wouldHaveShown(endedAt, lookedAt)) return false;
	return !isAfterTimeOut || lag.countSeenSince(endedAt + evidence.laterMs) >= evidence.messages;
}
