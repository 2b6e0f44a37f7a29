import type { INodeProperties } from 'n8n-workflow';

import { canonicalStatus, statusChoices } from '../shared/client/status';
import { isFoundByVisible } from '../shared/client/secrets';
import type { HistoryFilters, MessageRecord } from '../shared/client/types';
import {
	comparableId,
	comparableReference,
	compareNumbers,
	compareSenders,
} from '../shared/input/comparison';
import { readEntry, toRecipientKey } from '../shared/input/number';
import { InputError, refuse } from '../shared/input/InputError';
import { readReference, requireSenderId, requireWords } from '../shared/input/text';
import { dayMs, readDay } from '../shared/input/time';
import { filterOption, type ValuesOf } from '../shared/options/option';
import { readStatuses } from '../shared/options/statuses';

function text(name: string, displayName: string, example: string): INodeProperties {
	return { displayName, name, type: 'string', default: '', placeholder: `e.g. ${example}` };
}

function dateFilter(name: string, displayName: string, day: string) {
	const description = `${day} day to include, in the Service Time Zone of the credential. The time of day is ignored.`;
	return filterOption({ displayName, name, type: 'dateTime', default: '', description }, (value) =>
		readDay(value, name, displayName),
	);
}

const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: [{ name: 'Not Delivered (Any)', value: 'notDelivered' }, ...statusChoices],
	default: [],
	description:
		'Only messages with one of these statuses. The node reads all messages that match the other filters, and keeps these.',
};

/** The digits of a number in Myanmar: the service can filter by no other (field note 11). @throws InputError */
function toHistoryNumber(value: unknown): string {
	const digits = toRecipientKey(readEntry(value, 'to'));
	const hint =
		'Use a number such as 959791234567: the service can filter history only by numbers in Myanmar.';
	return /^95\d{3,13}$/.test(digits)
		? digits
		: refuse('to', 'is not a number that starts with 95', hint, value);
}

const serviceFilters = {
	filterByCreatedDateFrom: dateFilter('filterByCreatedDateFrom', 'Created From', 'First'),
	filterByCreatedDateTo: dateFilter('filterByCreatedDateTo', 'Created To', 'Last'),
	from: filterOption(
		{
			...text('from', 'Sender ID', 'MyShop'),
			description: 'Only messages from this sender ID (case-sensitive)',
		},
		requireSenderId,
	),
	message: filterOption(
		{
			...text('message', 'Message', 'Your order'),
			description: 'Only messages with this text',
		},
		(value) => requireWords(value, 'message'),
	),
	to: filterOption(
		{
			...text('to', 'To', '959791234567'),
			description: 'Only messages to this number, which must be in Myanmar (09…, 95… or +95…)',
		},
		toHistoryNumber,
	),
};

const ownFilters = {
	clientReference: filterOption(
		{
			...text('clientReference', 'Client Reference', 'order-1043-shipped'),
			description:
				'Only messages with this reference. The node reads all messages that match the other filters: add a date or a number if there are many.',
		},
		readReference,
	),
	messageId: filterOption(
		{
			...text('messageId', 'Message ID', '4f6a6d7e-1c1a-4a39-9a57-0d3b3d3a1c11'),
			description:
				'Only the message with this ID, as SMS Send and receipts return it. The node reads all messages that match the other filters: add a date or a number if there are many.',
		},
		(value) => requireWords(value, 'messageId'),
	),
	status: filterOption(status, (value) => readStatuses(status, value)),
};

export const historyFilters = { ...serviceFilters, ...ownFilters };
export type Filters = ValuesOf<typeof historyFilters>;

export function toServiceFilters(filters: Filters, timeZone: string): HistoryFilters {
	const first = filters.filterByCreatedDateFrom?.(timeZone);
	const last = filters.filterByCreatedDateTo?.(timeZone);
	if (first && last && first > last) {
		throw new InputError(
			'filterByCreatedDateFrom',
			`Created From (${first}) is later than Created To (${last})`,
			'Swap the two dates.',
		);
	}
	const days = { filterByCreatedDateFrom: first, filterByCreatedDateTo: last };
	const given = Object.entries({ ...filters, ...days }).filter(
		([name, value]) => name in serviceFilters && value !== undefined,
	);
	return Object.fromEntries(given);
}

function daysBetween(first: unknown, last: unknown): number {
	const [from, to] = [first, last].map((text) => Date.parse(String(text).slice(0, 10)));
	return (to - from) / dayMs;
}

/**
 * Whether a record is certainly not what a filter of the service asks for, if the service ignores it. A number that is
 * masked, cut or missing, a missing sender ID, and a day in another time zone cannot tell.
 */
const judges: Record<keyof HistoryFilters, (record: MessageRecord, wanted: string) => boolean> = {
	filterByCreatedDateFrom: ({ createdAt }, first) => daysBetween(createdAt, first) > 1,
	filterByCreatedDateTo: ({ createdAt }, last) => daysBetween(last, createdAt) > 1,
	from: ({ from }, wanted) => compareSenders(wanted, from) === 'other',
	// How a service finds words is its own affair, but nobody may guess a hidden link by them.
	message: ({ message }, words) => !isFoundByVisible(message, words),
	to: ({ to }, wanted) => compareNumbers(wanted, to) === 'other',
};

export function isOther(record: MessageRecord, filters: HistoryFilters): boolean {
	const given = Object.entries(filters) as Array<[keyof HistoryFilters, string]>;
	return given.some(([name, wanted]) => judges[name](record, wanted));
}

/** `undefined` if the service's own filters suffice. */
export function toOwnFilter({
	status: statuses,
	clientReference: reference,
	messageId,
}: Filters): ((record: MessageRecord) => boolean) | undefined {
	if ([statuses, reference, messageId].every((one) => one === undefined)) return undefined;
	const wanted = comparableReference(reference);
	return (record) =>
		statuses?.includes(canonicalStatus(String(record.status))) !== false &&
		(reference === undefined || comparableReference(record.clientReference) === wanted) &&
		(messageId === undefined || comparableId(record) === comparableId({ messageId }));
}
