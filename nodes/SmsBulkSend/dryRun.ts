import type { INodeExecutionData } from 'n8n-workflow';

import type { Reading } from '../shared/campaign/readCampaign';
import { rehearse } from '../shared/campaign/dryRun';
import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { SentMessage } from '../shared/delivery/pairing';
import { openOnce } from '../shared/execution/openOnce';
import type { Charge } from '../shared/fields/partsHint';
import { listRecipients } from '../shared/validation/recipient';
import { openLookBack } from './BulkDelivery';
import type { BulkSettings } from './bulkSettings';

interface Ways {
	open(): Promise<{ client: MessagingServiceClient; settings: BulkSettings }>;
	readItem(item: number): { messages: SentMessage[]; charge: Charge };
	gate?(): Promise<void>;
}

/** Option Dry Run of SMS Bulk Send: what the same run would do without it. */
export async function rehearseBulk(
	{ context, readField, readCampaign }: Reading,
	ways: Ways,
): Promise<INodeExecutionData[][]> {
	const open = openOnce(async () => {
		const { client, settings } = await ways.open();
		const { isSkipping, lookBackMs } = settings;
		return { client, wasSent: isSkipping ? openLookBack(client, lookBackMs) : undefined };
	});
	return await rehearse(context, {
		campaign: (await readCampaign?.()) ?? {},
		readItem: async (item) => {
			const { wasSent } = await open();
			const { messages, charge } = ways.readItem(item);
			return messages.map(({ to, message, from }) => ({
				...{ to, charge, shown: { from, message } },
				wasSent: wasSent && (async () => await wasSent({ to, message, from })),
			}));
		},
		listTo: (item) => listRecipients(readField('to', item)),
		mayBegin: async () => await ways.gate?.(),
		openClient: async () => (await open()).client,
	});
}
