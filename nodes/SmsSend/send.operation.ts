import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ofCalls, ofPreview, ofRecipients } from '../shared/options/limits';
import { message, senderId, sendToolDescription, toSeveral } from '../shared/options/properties';
import { toCollections } from '../shared/options/reader';
import {
	clientReference,
	deliveryReceiptUrl,
	encrypt,
	encryptKey,
	scheduledAt,
	scheduledAtTimeZone,
	skipIfAlreadySent,
	surface,
	test,
	unicode,
} from '../shared/options/sendOptions';
import { simplify } from '../shared/options/simplify';
import { SingleChannel } from '../shared/sending/sendOne';
import { sendItems } from '../shared/sending/sendItems';

/** In the order in which people need them. */
export const options = {
	...ofPreview,
	scheduledAt,
	scheduledAtTimeZone,
	clientReference,
	skipIfAlreadySent,
	...ofRecipients,
	deliveryReceiptUrl,
	test,
	unicode,
	encrypt,
	encryptKey,
	...ofCalls,
	surface,
};

export const properties: INodeProperties[] = [
	sendToolDescription('Send an SMS to one or several recipients.'),
	{ ...toSeveral, placeholder: 'e.g. 09791234567, +6591234567' },
	message,
	senderId,
	options.dryRun.property,
	options.output.property,
	{ ...simplify, displayOptions: { hide: { output: ['summary'] } } },
	...toCollections(options),
];

/** Sends one message to each recipient of each item ("Send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await sendItems(this, options, (client) => new SingleChannel(client));
}
