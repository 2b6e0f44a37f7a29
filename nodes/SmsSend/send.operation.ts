import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { SingleChannel } from '../shared/sending/deliverOne';
import { toCollections } from '../shared/options/collections';
import {
	allowedCountryCodes,
	doNotSendTo,
	dryRun,
	maxMessages,
	maxParts,
	sendWindow,
	skipDuplicates,
	whenOutcomeUnknown,
} from '../shared/options/safeguards';
import { message, senderId, sendToolDescription, toSeveral } from '../shared/options/properties';
import { OptionReader } from '../shared/options/readOptions';
import { createFieldReader } from '../shared/options/readParameters';
import { parallelRequests, timeout } from '../shared/options/requestOptions';
import {
	clientReference,
	deliveryReceiptUrl,
	encrypt,
	encryptKey,
	replaceTypography,
	scheduledAt,
	scheduledAtTimeZone,
	skipIfAlreadySent,
	surface,
	test,
	unicode,
} from '../shared/options/sendOptions';
import { simplifyProperties } from '../shared/options/simplify';
import { readDraft } from '../shared/sending/readDraft';
import { sendItems } from '../shared/sending/sendItems';

export const options = {
	allowedCountryCodes,
	clientReference,
	deliveryReceiptUrl,
	doNotSendTo,
	dryRun,
	encrypt,
	encryptKey,
	maxMessages,
	maxParts,
	parallelRequests,
	replaceTypography,
	scheduledAt,
	scheduledAtTimeZone,
	sendWindow,
	skipDuplicates,
	skipIfAlreadySent,
	surface,
	test,
	timeout,
	unicode,
	whenOutcomeUnknown,
};

export const properties: INodeProperties[] = [
	sendToolDescription('Send an SMS to one or several recipients.'),
	{ ...toSeveral, placeholder: 'e.g. 09791234567, +6591234567' },
	message,
	senderId,
	...simplifyProperties,
	...toCollections(options),
];

/** Sends one message to each recipient of each item ("Send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(this);
	const reader = OptionReader.of(this, options, readField);
	return await sendItems(this, {
		readField,
		options: reader,
		isSingle: true,
		readDraft: (item, surroundings) => readDraft(readField, reader, item, surroundings),
		openChannel: (client) => new SingleChannel(client),
	});
}
