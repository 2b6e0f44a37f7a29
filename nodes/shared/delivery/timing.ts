/** How an unknown outcome is cleared up, as data. Tests make the times short. */
export const deliveryTiming = {
	/**
	 * When history is asked after a request without an answer, in milliseconds since the connection ended. A message
	 * may appear in history some seconds late; only after the last look it counts as not taken.
	 */
	looks: [300, 1_000, 2_500, 5_000, 10_000],
	/** Requests that may go out for one message in one try of the node. */
	mostSends: 3,
	/** Requests without acceptance in a row after which no further message is begun. */
	outageAfter: 30,
	/** Messages, or bulk requests, whose outcome is not known yet; reading on waits while there are as many. */
	mostUndecided: 500,
	mostUndecidedRequests: 50,
};
