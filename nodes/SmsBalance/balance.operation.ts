import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { addHints, openOnce, runPerItem } from '../shared/n8n/items';
import { toolDescription } from '../shared/n8n/tool';
import { timeout } from '../shared/options/limits';
import { OptionReader, toCollections } from '../shared/options/reader';

export const balanceOptions = { timeout };

export const properties: INodeProperties[] = [
	toolDescription(
		'Read the account balance of the messaging service. Sends nothing and costs nothing. The response is balance and currency.',
	),
	...toCollections(balanceOptions),
];

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const options = OptionReader.of(this, balanceOptions);
	const open = openOnce(async () => await MessagingServiceClient.open(this, options.ofRun()));
	const hint = 'Put this node before the list, or on a branch of its own: what follows runs once.';
	if (this.getInputData().length > 1) addHints(this, hint);
	const results = await runPerItem(this, {
		// Nothing depends on the item: all share one result.
		work: async (item, results) => {
			if (item === 0) results.add(item, await (await open()).getBalance());
		},
	});
	return results.finish();
}
