import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { pagesOfAll, readHistory } from '../shared/client/readHistory';
import { pageSizes, type HistoryFilters, type MessageRecord } from '../shared/client/types';
import { isFoundByVisible } from '../shared/client/secrets';
import { isTool, tellNewest } from '../shared/n8n/tool';
import { openOnce, runAndFinish } from '../shared/n8n/items';
import { toCollections } from '../shared/options/collection';
import {
	filterOption,
	numberOption,
	ofNode,
	switchOption,
	type Option,
	type ValuesOf,
} from '../shared/options/option';
import { toolDescription } from '../shared/options/properties';
import { OptionReader } from '../shared/options/reader';
import { parallelRequests, timeout } from '../shared/options/requestOptions';
import { createFieldReader } from '../shared/options/readParameters';
import { createShapeReader, simplifyProperties } from '../shared/options/simplify';
import { readStatuses } from '../shared/options/statuses';
import { canonicalStatus, statusChoices } from '../shared/client/status';
import { declareError } from '../shared/input/InputError';
import { compareNumbers } from '../shared/input/comparison';
import { toHistoryNumber } from '../shared/input/recipient';
import { readDay } from '../shared/input/time';
import { readReference, requireSenderId, requireWords } from '../shared/input/text';

export const historyFields = {
	returnAll: ofNode(
		switchOption({
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		}),
	),
	limit: ofNode(
		numberOption(
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				typeOptions: { minValue: 1 },
				displayOptions: { show: { returnAll: [false] } },
				default: 50,
				description: 'Max number of results to return',
			},
			50,
			'To get all messages, switch on Return All.',
		),
	),
};

function text(name: string, displayName: string, example: string): INodeProperties {
	return { displayName, name, type: 'string', default: '', placeholder: `e.g. ${example}` };
}

type Day = ReturnType<typeof readDay>;

function dateFilter(name: string, displayName: string, day: string): Option<Day | undefined> {
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
		(value) => requireWords(value, 'message', 'Message'),
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
			...text('clientReference', 'Client Reference', 'order-1234'),
			description:
				'Only messages with this reference. The node reads all messages that match the other filters: add a date or a number if there are many.',
		},
		readReference,
	),
	status: filterOption(status, (value) => readStatuses(status, value)),
};

export const historyFilters = { ...serviceFilters, ...ownFilters };
export const historyOptions = { parallelRequests, timeout };
const all = { ...historyFields, ...historyFilters, ...historyOptions };

export const properties: INodeProperties[] = [
	toolDescription(
		'List sent messages with their status, filtered by date, sender ID, number, text, reference or status. Sends nothing and costs nothing. Every filter is an argument: "" leaves it out. To accepts only numbers in Myanmar: digits that start with 95. Returns the newest messages up to a limit.',
	),
	historyFields.returnAll.property,
	historyFields.limit.property,
	...simplifyProperties,
	...toCollections(all),
];

const swappedDates = declareError(
	'Created From (<first>) is later than Created To (<last>)',
	'Swap the two dates.',
);

type Filters = ValuesOf<typeof historyFilters>;

function toServiceFilters(filters: Filters, timeZone: string): HistoryFilters {
	const [first, last] = [
		filters.filterByCreatedDateFrom?.(timeZone),
		filters.filterByCreatedDateTo?.(timeZone),
	];
	if (first && last && first > last) throw swappedDates('filterByCreatedDateFrom', { first, last });
	const days = { filterByCreatedDateFrom: first, filterByCreatedDateTo: last };
	const given = Object.entries({ ...filters, ...days }).filter(
		([name, value]) => name in serviceFilters && value !== undefined,
	);
	return Object.fromEntries(given);
}

const dayMs = 24 * 3_600_000;

/** How many days one day (`YYYY-MM-DD…`) is after another; NaN for anything else. */
function daysBetween(first: unknown, last: unknown): number {
	const [from, to] = [first, last].map((text) => Date.parse(String(text).slice(0, 10)));
	return (to - from) / dayMs;
}

/**
 * Whether a record is certainly not what the filters ask for, from a service that ignores them. A number that is masked,
 * cut or missing, and a day in another time zone, cannot tell.
 */
function isOther(record: MessageRecord, filters: HistoryFilters): boolean {
	const { filterByCreatedDateFrom: first, filterByCreatedDateTo: last, from, to } = filters;
	const isOtherSender = record.from?.toLowerCase() !== from?.toLowerCase();
	return (
		(to !== undefined && compareNumbers(to, record.to) === 'other') ||
		(from !== undefined && record.from !== undefined && isOtherSender) ||
		(first !== undefined && daysBetween(record.createdAt, first) > 1) ||
		(last !== undefined && daysBetween(last, record.createdAt) > 1)
	);
}

/** `undefined` if the service's own filters suffice. */
function toOwnFilter({
	status: statuses,
	clientReference: reference,
}: Filters): ((record: MessageRecord) => boolean) | undefined {
	if (statuses === undefined && reference === undefined) return undefined;
	return ({ status, clientReference }) =>
		statuses?.includes(canonicalStatus(String(status))) !== false &&
		(reference === undefined || clientReference === reference);
}

/** What an item asks for. Items that ask for the same share one result. */
interface HistoryQuery {
	wanted: number;
	ofService: HistoryFilters;
	given: Filters & { parallelRequests: number };
}

async function list(
	client: MessagingServiceClient,
	{ wanted, ofService, given }: HistoryQuery,
): Promise<{ records: IDataObject[]; total: number }> {
	const isPicked = toOwnFilter(given);
	// The smallest page that fits the limit; the largest if several pages may be needed.
	const pageSize = pageSizes.find((size) => size >= wanted && !isPicked) ?? 1000;
	let total = 0;
	const records = await readHistory({
		readPage: async (page) => {
			const listing = await client.listMessages(ofService, pageSize, page);
			total = listing.records ?? 0;
			return listing;
		},
		pagesAtOnce: given.parallelRequests,
		wanted,
		isWanted: (record) =>
			isPicked?.(record) !== false &&
			!isOther(record, ofService) &&
			isFoundByVisible(record.message, given.message ?? ''),
		mostPages: pagesOfAll,
	});
	return { records: records as IDataObject[], total: isPicked ? records.length : total };
}

/** Lists the messages of each item, those of equal items once ("Endpoints"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(this);
	const options = OptionReader.of(this, all, readField);
	const open = openOnce(async () => await MessagingServiceClient.open(this, options.ofRun()));
	const readShape = createShapeReader(this, readField);
	const hints = new Set<string>();
	const asked = new Set<string>();
	const outputs = await runAndFinish(this, {
		work: async (item, report) => {
			const given = options.read(item);
			const wanted = given.returnAll ? Infinity : given.limit;
			const shape = readShape(item);
			const client = await open();
			const ofService = toServiceFilters(given, client.serviceTimeZone);
			const question = { wanted, ofService, given };
			const shaped = ['simplify', 'output', 'fields'].map((name) => readField(name, item, {}));
			const key = JSON.stringify([question, shaped]);
			if (asked.has(key)) return;
			asked.add(key);
			const { records, total } = await list(client, question);
			const isShort = isTool(this) && given.returnAll;
			for (const record of isShort ? tellNewest(records, shape) : records.map(shape))
				report.add(record);
			if (!given.returnAll && total > records.length)
				hints.add(`${records.length} of ${total} messages. To get all, switch on Return All.`);
		},
	});
	for (const message of hints) this.addExecutionHints({ message, location: 'outputPane' });
	return outputs;
}
