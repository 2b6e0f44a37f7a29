/** How an unknown outcome is cleared up, as data; times in milliseconds. Tests make them short. */
export const deliveryTiming = {
	/** When history is asked, counted from the end of the last request. */
	looks: [
		300, 1_000, 2_500, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 61_000, 75_000,
		90_000, 105_000, 121_000,
	],
	/** How long a message that history does not show may still have been taken. */
	doubtLastsMs: 60_000,
	/** The same for a request that got no answer in time: it can still lie in a queue of the service. */
	doubtAfterTimeOutLastsMs: 120_000,
	/** What must be known of history before a doubt may end earlier. */
	evidence: {
		/** Accepted messages that history showed soon enough, sent no longer than this before the message in doubt. */
		messages: 20,
		aroundMs: 15_000,
		/** A doubt ends after so many times the longest lag that was seen. */
		timesTheLag: 3,
		/** It ends no earlier than this. */
		shortestMs: 10_000,
		/** After a time-out, so many messages must have been sent this long after it and be in history. */
		laterMs: 30_000,
	},
	/** Requests that may go out for one message in one try of the node. */
	mostSends: 3,
	/** Requests without acceptance in a row after which no further message is begun. */
	outageAfter: 30,
	/** Messages, or bulk requests, whose outcome is not known yet; reading on waits while there are as many. */
	mostUndecided: 500,
	mostUndecidedRequests: 50,
};
