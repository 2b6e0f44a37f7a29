import { dayMs } from '../input/time';

/** Milliseconds since 1970. */
export type Now = () => number;

/** The machine's clock of this moment, which then only goes on: setting it neither ends a doubt nor prolongs it. */
export function startClock(): Now {
	const origin = Date.now() - performance.now();
	return () => Math.round(origin + performance.now());
}

/** A moment before now. If the clock has been set back since, its time says nothing: a day ago, to miss nothing. */
export function notAhead(moment: number, now: number): number {
	return moment > now ? now - dayMs : moment;
}

/** When to look up messages in doubt and when to stop, in milliseconds. Tests shorten these times. */
export const deliveryTiming = {
	/** When lookups are made, counted from the end of the request. */
	polls: [
		300, 1_000, 2_500, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 60_000, 75_000,
		90_000, 105_000, 120_000,
	],
	/** How long after its request a message that is not in history may still have been accepted. */
	doubtLastsMs: 60_000,
	/** The same after a time-out, 408, 504, 522 or 524: the request may still be queued at the service. */
	doubtAfterTimeOutLastsMs: 120_000,
	/** When a rejected bulk request is looked up, before its messages are sent in smaller requests. */
	rejectionPollMs: 4_000,
	/** Max requests for one message in one attempt of the node. */
	mostSends: 2,
	/** The time of a doubt after the last of them. */
	lastDoubtLastsMs: 10_000,
	/** A doubt is told after this time in which history could not be read because the service was down. */
	unreadableLastsMs: 15_000,
	/** Rejected requests in a row, the original bulk request included, after which the rest of it is not sent. */
	mostRejections: 20,
};
