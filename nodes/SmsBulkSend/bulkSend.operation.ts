import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

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
import { beside, numberOption, ofRun, switchOption } from '../shared/options/option';
import { message, senderId, sendToolDescription, toSeveral } from '../shared/options/properties';
import { OptionReader } from '../shared/options/readOptions';
import { createFieldReader } from '../shared/options/readParameters';
import { parallelRequests, timeout } from '../shared/options/requestOptions';
import { replaceTypography } from '../shared/options/sendOptions';
import { simplifyProperties } from '../shared/options/simplify';
import { readText } from '../shared/sending/readDraft';
import { sendItems } from '../shared/sending/sendItems';
import { BulkChannel } from './BulkChannel';

const defaultLookBackHours = 24;
const defaultRecipientsPerRequest = 100;

const skipIfAlreadySent = switchOption({
	displayName: 'Skip If Already Sent',
	name: 'skipIfAlreadySent',
	type: 'boolean',
	default: true,
	description:
		'Whether to skip messages that message history shows with the same number, text and sender ID',
});

export const options = {
	allowedCountryCodes,
	doNotSendTo,
	dryRun,
	lookBackHours: beside(
		skipIfAlreadySent,
		ofRun(
			numberOption(
				{
					displayName: 'Look Back (Hours)',
					name: 'lookBackHours',
					type: 'number',
					// 31 days.
					typeOptions: { minValue: 1, maxValue: 744, numberPrecision: 0 },
					default: defaultLookBackHours,
					description: 'How far back Skip If Already Sent searches message history',
				},
				defaultLookBackHours,
			),
		),
	),
	maxMessages,
	maxParts,
	parallelRequests,
	pauseBetweenRequests: ofRun(
		numberOption(
			{
				displayName: 'Pause (Milliseconds)',
				name: 'pauseBetweenRequests',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 60_000, numberPrecision: 0 },
				default: 0,
				description: 'Delay between requests',
			},
			0,
		),
	),
	recipientsPerRequest: ofRun(
		numberOption(
			{
				displayName: 'Recipients per Request',
				name: 'recipientsPerRequest',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
				default: defaultRecipientsPerRequest,
				description: 'Max number of recipients in one request',
			},
			defaultRecipientsPerRequest,
		),
	),
	replaceTypography,
	sendWindow,
	skipDuplicates,
	skipIfAlreadySent,
	timeout,
	whenOutcomeUnknown,
};

export const properties: INodeProperties[] = [
	sendToolDescription('Send the same SMS to many recipients in few requests.'),
	{
		displayName:
			"Each row becomes one message. You don't need a loop. Drag the phone column into To.",
		name: 'everyItem',
		type: 'notice',
		default: '',
	},
	{ ...toSeveral, placeholder: 'e.g. {{ $json.phone }}' },
	message,
	senderId,
	...simplifyProperties,
	...toCollections(options),
];

/** Sends the messages of all items in few requests ("Bulk send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(this);
	const reader = OptionReader.of(this, options, readField);
	return await sendItems(this, {
		readField,
		options: reader,
		isSingle: false,
		readDraft: (item, surroundings) => readText(readField, reader, item, surroundings),
		openChannel: (client) => new BulkChannel(client, reader.ofRun()),
	});
}
