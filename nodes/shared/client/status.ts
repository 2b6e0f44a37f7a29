import { visibleText } from '../input/text';

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

const statuses = Object.keys(meanings) as Status[];

export const statusChoices = statuses.map((status) => ({
	name: status === '?' ? 'Unknown (?)' : status,
	value: status,
}));

/** All statuses of messages that arrived, or of those that did not. */
export function listStatuses(delivered: boolean): Status[] {
	return statuses.filter((one) => meanings[one].delivered === delivered);
}

/** The states in delivery receipts of SMPP 3.4, which gateways pass on (field note 24). */
const short = {
	acceptd: 'Accepted',
	deleted: 'Failed',
	delivrd: 'Delivered',
	enroute: 'Sent',
	rejectd: 'Rejected',
	undeliv: 'Undelivered',
	unknown: '?',
} as const;

const bySpelling = new Map<string, Status>([
	...statuses.map((status) => [status.toLowerCase(), status] as const),
	...Object.entries(short),
]);

/** The spelling by which a status is compared and stored; undocumented ones are capitalized like the documented ones. */
export function canonicalStatus(status: string): string {
	const lower = visibleText(status).toLowerCase();
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
