export interface StatusMeaning {
	/** Null while it is not known. */
	delivered: boolean | null;
	/** Whether no other status is to be expected. */
	final: boolean;
}

const delivered: StatusMeaning = { delivered: true, final: true };
const notDelivered: StatusMeaning = { delivered: false, final: true };
const underWay: StatusMeaning = { delivered: null, final: false };

/** All statuses, in alphabetical order ("Message status values"); for `Success` and `?` see field note 9. */
const meanings = {
	Accepted: underWay,
	Delivered: delivered,
	Error: notDelivered,
	Expired: notDelivered,
	Failed: notDelivered,
	Pending: underWay,
	Rejected: notDelivered,
	Sent: underWay,
	Success: delivered,
	Undelivered: notDelivered,
	'?': underWay,
} satisfies Record<string, StatusMeaning>;

export type Status = keyof typeof meanings;

export const statusChoices = (Object.keys(meanings) as Status[]).map((status) => ({
	name: status === '?' ? 'Unknown (?)' : status,
	value: status,
}));

const byWord = new Map<string, StatusMeaning>(
	Object.entries(meanings).map(([status, meaning]) => [status.toLowerCase(), meaning]),
);

/** Reads a status. `?`, words that are not known and those of messages under way are not final. */
export function describeStatus(status: string): StatusMeaning {
	return byWord.get(status.toLowerCase()) ?? underWay;
}
