import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { readHistory } from '../shared/client/readHistory';
import { pageSizes, type HistoryFilters } from '../shared/client/types';
import { isTool, tellNewest, toolDescription } from '../shared/n8n/tool';
import { addHints, openOnce, runPerItem } from '../shared/n8n/items';
import { numberOption, ofNode, switchOption } from '../shared/options/option';
import { OptionReader, toCollections } from '../shared/options/reader';
import { parallelRequests, timeout } from '../shared/options/limits';
import { createFieldReader } from '../shared/options/fields';
import { shapeRecord, simplify } from '../shared/options/simplify';
import { historyFilters, isOther, toOwnFilter, toServiceFilters, type Filters } from './filters';

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

export const historyOptions = { parallelRequests, timeout };
const all = { ...historyFields, ...historyFilters, ...historyOptions };

export const properties: INodeProperties[] = [
	toolDescription(
		'List sent messages with their status, filtered by date, sender ID, number, text, reference or status. Sends nothing and costs nothing. Every filter is an argument: "" leaves it out. To accepts only numbers in Myanmar: digits that start with 95. Returns the newest messages up to a limit.',
	),
	historyFields.returnAll.property,
	historyFields.limit.property,
	simplify,
	...toCollections(all),
];

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
		isWanted: (record) => isPicked?.(record) !== false && !isOther(record, ofService),
	});
	return { records: records as IDataObject[], total: isPicked ? records.length : total };
}

/** Lists the messages of each item, those of equal items once ("Endpoints"). */
export async function execute(this: IExecuteFunctions) {
	const readField = createFieldReader(this);
	const options = OptionReader.of(this, all, readField);
	const open = openOnce(async () => await MessagingServiceClient.open(this, options.ofRun()));
	const hints = new Set<string>();
	const asked = new Set<string>();
	const perItem = await runPerItem(this, {
		work: async (item, results) => {
			const given = options.read(item);
			const wanted = given.returnAll ? Infinity : given.limit;
			const isSimple = readField('simplify', item, {});
			const shape = (record: IDataObject) => shapeRecord(record, isSimple);
			const client = await open();
			const ofService = toServiceFilters(given, client.serviceTimeZone);
			const question = { wanted, ofService, given };
			const key = JSON.stringify([question, isSimple]);
			if (asked.has(key)) return;
			asked.add(key);
			const { records, total } = await list(client, question);
			const isShort = isTool(this) && given.returnAll;
			for (const record of isShort ? tellNewest(records, shape) : records.map(shape))
				results.add(item, record);
			if (!given.returnAll && total > records.length)
				hints.add(`${records.length} of ${total} messages. To get all, switch on Return All.`);
		},
	});
	const outputs = perItem.finish();
	addHints(this, ...hints);
	return outputs;
}
