import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { openOnce, runAndFinish } from '../shared/execution/items';
import { toCollections } from '../shared/fields/collections';
import { decimalOption } from '../shared/fields/option';
import { toolDescription } from '../shared/fields/properties';
import { OptionReader } from '../shared/fields/readOptions';
import { timeout } from '../shared/fields/requestOptions';

export const balanceOptions = {
	minimumBalance: decimalOption(
		{
			displayName: 'Minimum Balance',
			name: 'minimumBalance',
			type: 'number',
			default: 0,
			description:
				'Adds "sufficient" to the output: true if the balance is at least this much. Use an If node to branch on it.',
		},
		undefined,
	),
	timeout,
};

export const properties: INodeProperties[] = [
	toolDescription(
		'Read the account balance of the messaging service. Sends nothing and costs nothing. The response is balance and currency.',
	),
	...toCollections(balanceOptions),
];

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const options = OptionReader.of(this, balanceOptions);
	const open = openOnce(async () => {
		const { timeout } = options.ofRun();
		return await MessagingServiceClient.open(this, { parallelRequests: 1, timeout });
	});
	return await runAndFinish(this, {
		work: async (item, report) => {
			const { minimumBalance: minimum } = options.read(item);
			const balance = await (await open()).getBalance();
			const isSufficient = minimum !== undefined && Number(balance.balance) >= minimum;
			report.add({ ...balance, ...(minimum !== undefined && { sufficient: isSufficient }) });
		},
	});
}
