import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { createFieldReader } from '../shared/options/fields';
import {
	allowedCountryCodes,
	allowEmptyFields,
	doNotSendTo,
	dryRun,
	maxMessages,
	maxParts,
	output,
	parallelRequests,
	pricePerPart,
	skipDuplicates,
	timeout,
	whenOutcomeUnknown,
} from '../shared/options/limits';
import { message, senderId, sendToolDescription, toSeveral } from '../shared/options/properties';
import { OptionReader, toCollections } from '../shared/options/reader';
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
	dryRun,
	output,
	pricePerPart,
	scheduledAt,
	scheduledAtTimeZone,
	clientReference,
	skipIfAlreadySent,
	skipDuplicates,
	doNotSendTo,
	maxMessages,
	maxParts,
	allowEmptyFields,
	allowedCountryCodes,
	whenOutcomeUnknown,
	deliveryReceiptUrl,
	test,
	unicode,
	encrypt,
	encryptKey,
	parallelRequests,
	timeout,
	surface,
};

export const properties: INodeProperties[] = [
	sendToolDescription('Send an SMS to one or several recipients.'),
	{ ...toSeveral, placeholder: 'e.g. 09791234567, +6591234567' },
	message,
	senderId,
	dryRun.property,
	output.property,
	{ ...simplify, displayOptions: { hide: { output: ['summary'] } } },
	...toCollections(options),
];

/** Sends one message to each recipient of each item ("Send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(this, { hasOption: true });
	const reader = OptionReader.of(this, options, readField);
	return await sendItems({
		...{ context: this, readField, options: reader },
		openChannel: (client) => new SingleChannel(client),
	});
}
