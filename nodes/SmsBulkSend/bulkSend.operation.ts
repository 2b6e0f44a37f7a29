import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { ofCalls, ofPreview, ofRecipients } from '../shared/options/limits';
import { beside, numberWithDefault, ofRun, switchOption } from '../shared/options/option';
import { message, senderId, sendToolDescription, toSeveral } from '../shared/options/properties';
import { toCollections } from '../shared/options/reader';
import { simplify } from '../shared/options/simplify';
import { sendItems } from '../shared/sending/sendItems';
import { BulkChannel } from './BulkChannel';

const skipIfAlreadySent = switchOption({
	displayName: 'Skip If Already Sent',
	name: 'skipIfAlreadySent',
	type: 'boolean',
	default: true,
	description:
		'Whether to skip messages that message history shows with the same number, text and sender ID. Those that were not delivered are sent once more.',
});

const lookBackHours = beside(
	skipIfAlreadySent,
	ofRun(
		numberWithDefault({
			displayName: 'Look Back (Hours)',
			name: 'lookBackHours',
			type: 'number',
			// 31 days.
			typeOptions: { minValue: 1, maxValue: 744, numberPrecision: 0 },
			// A daily list goes out each day, also if it begins a few hours earlier than the day before.
			default: 20,
			description: 'How far back Skip If Already Sent searches message history',
		}),
	),
);

const recipientsPerRequest = ofRun(
	numberWithDefault({
		displayName: 'Recipients per Request',
		name: 'recipientsPerRequest',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 1000, numberPrecision: 0 },
		default: 100,
		description: 'Max number of recipients in one request',
	}),
);

const pauseBetweenRequests = ofRun(
	numberWithDefault({
		displayName: 'Pause (Milliseconds)',
		name: 'pauseBetweenRequests',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 60_000, numberPrecision: 0 },
		default: 0,
		description: 'Delay between requests',
	}),
);

/** In the order in which people need them. */
export const options = {
	...ofPreview,
	skipIfAlreadySent,
	lookBackHours,
	...ofRecipients,
	recipientsPerRequest,
	pauseBetweenRequests,
	...ofCalls,
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
	options.dryRun.property,
	options.output.property,
	{ ...simplify, displayOptions: { hide: { output: ['summary'] } } },
	...toCollections(options),
];

/** Sends the messages of all items in few requests ("Bulk send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await sendItems(this, options, (client, values) => new BulkChannel(client, values));
}
