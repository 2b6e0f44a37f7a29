import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import {
	pageSizes,
	type HistoryFilters,
	type MessageRecord,
	type PageSize,
} from '../shared/client/types';
import { isExpression } from '../shared/execution/emptyExpression';
import { openOnce } from '../shared/execution/openOnce';
import { isEmpty, readRequestSettings } from '../shared/fields/readParameters';
import { parallelRequests, timeout, toolDescription } from '../shared/fields/properties';
import { createShape, simplifyProperties } from '../shared/fields/simplify';
import { runAndFinish } from '../shared/execution/runPerItem';
import { statusChoices } from '../shared/receipt/status';
import { EmptyError, InputError } from '../shared/validation/InputError';
import { requireWholeNumber } from '../shared/validation/wholeNumber';
import { toHistoryNumber } from '../shared/validation/recipient';
import { requireDate } from '../shared/validation/scheduledAt';
import { optionalReference, requireSenderId, requireText } from '../shared/validation/text';
import { readHistory } from '../shared/client/readHistory';

const largestPage = 1000;

export const properties: INodeProperties[] = [
	toolDescription(
		'List messages that were sent before, with their status, filtered by date, sender ID, number, text, reference or status. Sends nothing and costs nothing. The filter To takes numbers of the home country only: digits that start with 95.',
	),
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
	...simplifyProperties,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: [
			{
				displayName: 'Client Reference',
				name: 'clientReference',
				type: 'string',
				default: '',
				placeholder: 'e.g. order-1234',
				description:
					'Only messages with this reference. The service has no such filter, so the node reads the messages and picks them out: add a date or a number where there are many.',
			},
			{
				displayName: 'Created From',
				name: 'filterByCreatedDateFrom',
				type: 'dateTime',
				default: '',
				description:
					'First day of the messages, in Myanmar time as the service writes it. The time of day is ignored.',
			},
			{
				displayName: 'Created To',
				name: 'filterByCreatedDateTo',
				type: 'dateTime',
				default: '',
				description:
					'Last day of the messages, in Myanmar time as the service writes it. The time of day is ignored.',
			},
			{
				displayName: 'Message',
				name: 'message',
				type: 'string',
				default: '',
				placeholder: 'e.g. Your order',
				description: 'Only messages with this text',
			},
			{
				displayName: 'Sender ID',
				name: 'from',
				type: 'string',
				default: '',
				placeholder: 'e.g. MyShop',
				description: 'Only messages from this sender ID. Upper and lower case matter.',
			},
			{
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				options: [...statusChoices],
				default: [],
				description:
					'Only messages that have one of these statuses now. The service has no such filter, so the node reads the messages and picks them out.',
			},
			{
				displayName: 'To',
				name: 'to',
				type: 'string',
				default: '',
				placeholder: 'e.g. 959791234567',
				description:
					'Only messages to this number of the home country. It must start with 95; 09… and +95… are converted.',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [parallelRequests, timeout],
	},
];

/** The service's filters ("History query parameters"); what was left empty is left out. */
function toFilters(given: IDataObject): HistoryFilters {
	const read = <T>(name: string, check: (value: unknown) => T): T | undefined =>
		isEmpty(given[name]) ? undefined : check(given[name]);
	const filters: HistoryFilters = {
		filterByCreatedDateFrom: read('filterByCreatedDateFrom', (value) =>
			requireDate(value, 'filterByCreatedDateFrom', 'Created From'),
		),
		filterByCreatedDateTo: read('filterByCreatedDateTo', (value) =>
			requireDate(value, 'filterByCreatedDateTo', 'Created To'),
		),
		from: read('from', requireSenderId),
		to: read('to', toHistoryNumber),
		message: read('message', (value) => requireText(value, 'message', 'Message')),
	};
	const { filterByCreatedDateFrom: first, filterByCreatedDateTo: last } = filters;
	if (first && last && first > last) {
		throw new InputError(
			'filterByCreatedDateFrom',
			`Created From (${first}) is later than Created To (${last})`,
			'Swap the two dates.',
		);
	}
	return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/**
 * Whose messages are meant is not left open by an expression that gives nothing: those of everybody would come out. A
 * model leaves out what it does not need.
 */
function requireWhose(context: IExecuteFunctions, given: IDataObject): void {
	for (const [name, label] of Object.entries({ to: 'To', clientReference: 'Client Reference' })) {
		if (String(given[name] ?? '').trim() !== '' || !isExpression(context, name)) continue;
		throw new EmptyError(name, label, `Fill in ${label}, or remove the filter.`);
	}
}

/** The filters that the service does not have; `undefined` when none of them is used. */
function toOwnFilter(given: IDataObject): ((record: MessageRecord) => boolean) | undefined {
	const statuses = [given.status].flat().filter((status) => !isEmpty(status));
	const reference = optionalReference(given.clientReference);
	if (statuses.length === 0 && reference === undefined) return undefined;
	return ({ status, clientReference }) =>
		(statuses.length === 0 || statuses.some((wanted) => String(wanted) === String(status))) &&
		(reference === undefined || clientReference === reference);
}

/** The smallest page of the service that holds what is wanted; the largest when it takes several pages. */
function choosePageSize(wanted: number): PageSize {
	return pageSizes.find((size) => size >= wanted) ?? largestPage;
}

/** Lists message records with filters over as many pages as it takes ("Message history envelope"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const open = openOnce(async () => {
		const settings = readRequestSettings(this);
		return { settings, client: await MessagingServiceClient.open(this, settings) };
	});
	const shape = createShape(this);
	return await runAndFinish(this, {
		work: async (item, report) => {
			const isAll = this.getNodeParameter('returnAll', item) as boolean;
			const limit = isAll ? Infinity : this.getNodeParameter('limit', item);
			const wanted = isAll
				? Infinity
				: requireWholeNumber(limit, 'limit', 'Limit', 1, Number.MAX_SAFE_INTEGER);
			const given = this.getNodeParameter('filters', item, {}) as IDataObject;
			requireWhose(this, given);
			const filters = toFilters(given);
			const isWanted = toOwnFilter(given);
			const pageSize = choosePageSize(isWanted ? Infinity : wanted);
			const { client, settings } = await open();
			const records = await readHistory({
				readPage: async (page) => await client.listMessages(filters, pageSize, page),
				parallelRequests: settings.parallelRequests,
				wanted,
				isWanted: isWanted ?? (() => true),
			});
			for (const record of records) report.add(shape(record as IDataObject, item));
		},
	});
}
