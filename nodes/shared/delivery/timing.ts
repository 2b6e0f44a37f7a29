/** How long a message stays in doubt, in milliseconds. Tests shorten these times. */
export const deliveryTiming = {
	/** The first look into history; each later one waits twice as long as the one before. */
	firstLookMs: 500,
	/** After this time, a message that history doesn't show counts as not accepted. */
	doubtLastsMs: 60_000,
	/** The same after a time-out: the request may still be queued at the service. */
	doubtAfterTimeOutLastsMs: 120_000,
	/** The same after a rejected bulk request, some of whose messages may have been accepted. */
	rejectionPollMs: 4_000,
	/** Max requests for one message in one attempt of the node. */
	mostSends: 2,
	/** The same after the second request, which no third follows. */
	lastDoubtLastsMs: 10_000,
	/** The same in a manual execution: three looks, while somebody waits for it in the editor. */
	watchedLastsMs: 3_500,
	/** A doubt is told after this time in which the service was down, so that history could not be read. */
	unreadableLastsMs: 9_000,
	/** Requests in a row without a clear response, after which they are looked up before more is sent. */
	mostUnclear: 10,
	/** Rejected messages, each sent alone and none accepted, after which the rest is not sent. */
	mostRejections: 20,
};
