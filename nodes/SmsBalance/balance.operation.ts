import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { openOnce } from '../shared/execution/openOnce';
import { isEmpty, readRequestSettings } from '../shared/fields/readParameters';
import { timeout, toolDescription } from '../shared/fields/properties';
import { runAndFinish } from '../shared/execution/runPerItem';
import { InputError } from '../shared/validation/InputError';

export const properties: INodeProperties[] = [
	toolDescription(
		'Read the account balance of the messaging service. Sends nothing and costs nothing. The answer is balance and currency.',
	),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Minimum Balance',
				name: 'minimumBalance',
				type: 'number',
				default: 0,
				description:
					'Adds the field "sufficient" to the output: true when the balance is at least this much. Branch on it with an If node before a campaign.',
			},
			timeout,
		],
	},
];

function readMinimum(context: IExecuteFunctions, item: number): number | undefined {
	const { minimumBalance: value } = context.getNodeParameter('options', item, {}) as IDataObject;
	if (isEmpty(value)) return undefined;
	const minimum = typeof value === 'string' ? Number(value.trim() || NaN) : value;
	if (typeof minimum === 'number' && Number.isFinite(minimum)) return minimum;
	throw new InputError(
		'minimumBalance',
		'Minimum Balance must be a number',
		'Use a number such as 5000.',
	);
}

/** Reads the balance once for each item ("Balance"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const client = openOnce(
		async () => await MessagingServiceClient.open(this, readRequestSettings(this)),
	);
	return await runAndFinish(this, {
		work: async (item, report) => {
			const minimum = readMinimum(this, item);
			const balance = await (await client()).getBalance();
			const isSufficient = minimum !== undefined && Number(balance.balance) >= minimum;
			report.add({ ...balance, ...(minimum !== undefined && { sufficient: isSufficient }) });
		},
	});
}
