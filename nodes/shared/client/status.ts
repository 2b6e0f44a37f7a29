import { visibleText } from '../input/text';

/** The statuses of a message, and what they mean. */

export interface StatusMeaning {
	/** Null while unknown. */
	delivered: boolean | null;
	/** Whether no further status is expected. */
	final: boolean;
}

const delivered: StatusMeaning = { delivered: true, final: true };
const notDelivered: StatusMeaning = { delivered: false, final: true };
const inFlight: StatusMeaning = { delivered: null, final: false };

/** All statuses, in alphabetical order ("Message status values"); for `Success` and `?` see field note 9. */
const meanings = {
	Accepted: inFlight,
	Delivered: delivered,
	Error: notDelivered,
	Expired: notDelivered,
	Failed: notDelivered,
	Pending: inFlight,
	Rejected: notDelivered,
	Sent: inFlight,
	Success: delivered,
	Undelivered: notDelivered,
	'?': inFlight,
} satisfies Record<string, StatusMeaning>;

export type Status = keyof typeof meanings;

export const statusChoices = (Object.keys(meanings) as Status[]).map((status) => ({
	name: status === '?' ? 'Unknown (?)' : status,
	value: status,
}));

/** All statuses of messages that arrived, or of those that did not. */
export function listStatuses(delivered: boolean): Status[] {
	return (Object.keys(meanings) as Status[]).filter((one) => meanings[one].delivered === delivered);
}

/** The states in delivery receipts of SMPP 3.4, which gateways pass on. */
const shortForms: Record<string, Status> = {
	acceptd: 'Accepted',
	deleted: 'Failed',
	delivrd: 'Delivered',
	enroute: 'Sent',
	rejectd: 'Rejected',
	undeliv: 'Undelivered',
	unknown: '?',
};

const bySpelling = new Map<string, Status>([
	...(Object.keys(meanings) as Status[]).map((status) => [status.toLowerCase(), status] as const),
	...Object.entries(shortForms),
]);

/**
 * The spelling by which a status is compared and stored. Ignores case, width, extra spaces and invisible characters,
 * and reads short forms. Undocumented statuses are capitalized like the documented ones.
 */
export function canonicalStatus(status: string): string {
	const word = visibleText(status.normalize('NFKC'));
	const lower = word.toLowerCase();
	return bySpelling.get(lower) ?? (lower.charAt(0).toUpperCase() + lower.slice(1) || status);
}

/** `?`, unknown statuses and those of messages in flight are not final. */
export function describeStatus(status: string): StatusMeaning {
	const known = bySpelling.get(canonicalStatus(status).toLowerCase());
	return known === undefined ? inFlight : meanings[known];
}

/** Of a message that is final and did not arrive. */
export function isNotDelivered(status: unknown): boolean {
	return describeStatus(String(status)).delivered === false;
}
