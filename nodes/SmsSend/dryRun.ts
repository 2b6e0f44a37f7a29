import type { INodeExecutionData } from 'n8n-workflow';

import type { Reading } from '../shared/campaign/readCampaign';
import { rehearse, type Rehearsed } from '../shared/campaign/dryRun';
import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { findSent } from '../shared/delivery/SingleDelivery';
import { openOnce } from '../shared/execution/openOnce';
import type { SendSettings } from '../shared/fields/readSendRequest';
import { listRecipients } from '../shared/validation/recipient';
import { serviceTimeToUtc } from '../shared/validation/scheduledAt';

type Recipient = SendSettings & { to: string };

interface Ways<S> {
	open(): Promise<S>;
	readItem(item: number, service: S): Recipient[];
	limit?(): Promise<void>;
}

/** Option Dry Run of SMS Send: what the same run would do without it. */
export async function rehearseSends<S extends { client: MessagingServiceClient }>(
	{ context, readField, readCampaign }: Reading,
	ways: Ways<S>,
): Promise<INodeExecutionData[][]> {
	const open = openOnce(async () => await ways.open());
	const earlier = new Set<string>();
	return await rehearse(context, {
		campaign: (await readCampaign?.()) ?? {},
		readItem: async (item) => {
			const service = await open();
			return ways
				.readItem(item, service)
				.map((recipient) => toRehearsed(recipient, service.client, earlier));
		},
		listTo: (item) => listRecipients(readField('to', item)),
		mayBegin: async () => await ways.limit?.(),
		openClient: async () => (await open()).client,
	});
}

/** @param earlier references and numbers of the messages before it, which stand for one that is alike */
function toRehearsed(
	{ to, fields, clientReference, charge, isSkipping }: Recipient,
	client: MessagingServiceClient,
	earlier: Set<string>,
): Rehearsed {
	const { message, from, scheduledAt: at, encrypt } = fields;
	const key = JSON.stringify([to, clientReference]);
	const isAlike = earlier.has(key);
	earlier.add(key);
	const wasSent = async () =>
		isAlike || (await findSent(client, { to, clientReference })) !== undefined;
	const scheduledAtUtc = at && serviceTimeToUtc(at, client.serviceTimeZone);
	return {
		to,
		charge,
		shown: {
			from,
			...(!encrypt && { message }),
			...(clientReference !== undefined && { clientReference }),
			...(at && { scheduledAt: at, scheduledAtUtc }),
		},
		...(isSkipping && { wasSent }),
	};
}
