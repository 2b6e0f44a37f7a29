/** How long a message stays in doubt, as data; times in milliseconds. Tests make them short. */
export const deliveryTiming = {
	/** When history is read, counted from the end of the request. */
	looks: [
		300, 1_000, 2_500, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 60_000, 75_000,
		90_000, 105_000, 120_000,
	],
	/** How long a message that history does not show may still have been accepted. */
	doubtLastsMs: 60_000,
	/** The same after a time-out, 408 or 504: the request can still lie in a queue of the service. */
	doubtAfterTimeOutLastsMs: 120_000,
	/** When history is read after a bulk request was refused, before its messages are sent in smaller requests. */
	refusalLookMs: 5_000,
	/** Requests that may go out for one message in one attempt of the node. */
	mostSends: 3,
	/** Requests without acceptance in a row after which no further message is begun. */
	outageAfter: 30,
	/** Smaller requests of a refused one that are refused in a row before the rest is given up. */
	mostRefusals: 14,
};
