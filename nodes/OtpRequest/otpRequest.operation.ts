import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { OtpRequest } from '../shared/client/types';
import { Ledger } from '../shared/delivery/ledger';
import { finishRun } from '../shared/ItemResults';
import { openOnce } from '../shared/openOnce';
import { isEmpty, optionalWholeNumber, readRequestSettings } from '../shared/parameters';
import { senderId, timeout, toolDescription } from '../shared/properties';
import { runPerItem } from '../shared/runPerItem';
import { otpLimits } from '../shared/validation/numbers';
import { normalizeOtpRecipient } from '../shared/validation/recipient';
import { requireSenderId, requireTemplate, requireText } from '../shared/validation/text';

export const properties: INodeProperties[] = [
	toolDescription(
		'Send a one-time code by SMS or e-mail to verify a person. Every code costs money and reaches a person: request one, and another one only when the person asks for it. To takes a mobile number (09…, 959… or +959…) or an e-mail address, Brand is the name in the text, From the sender ID. The answer holds the requestId that OTP Verify needs, and never the code: ask the person for it. An answer with "error" says what to change.',
	),
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 09791234567 or name@example.com',
		description: 'Mobile number or e-mail address of the person who is to get the code',
	},
	{
		displayName: 'Brand',
		name: 'brand',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. MyShop',
		description: 'Name of your company or app, as it appears in the text of the code',
	},
	senderId,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Code Length',
				name: 'pinLength',
				type: 'number',
				typeOptions: { minValue: 4, maxValue: 8, numberPrecision: 0 },
				default: 6,
				description:
					'How many characters the code has, from 4 to 8. Without this option, the service decides.',
			},
			{
				displayName: 'Max Invalid Attempts',
				name: 'maxInvalidAttempts',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 10, numberPrecision: 0 },
				default: 5,
				description:
					'How many wrong codes may be tried, from 1 to 10. After that the code is invalid, and a new one has to be requested. Without this option, the service decides.',
			},
			{
				displayName: 'Template',
				name: 'template',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				placeholder: 'e.g. {code} is your {brand} code',
				description:
					'Your own text of the message. It must hold {code}, and may hold {brand}. For e-mail, simple HTML tags can be used.',
			},
			timeout,
			{
				displayName: 'Valid For (Seconds)',
				name: 'ttl',
				type: 'number',
				typeOptions: { minValue: 60, maxValue: 3600, numberPrecision: 0 },
				default: 300,
				description:
					'How long the code can be used, from 60 to 3600 seconds. Without this option, the service decides.',
			},
		],
	},
];

function readRequest(context: IExecuteFunctions, item: number): OtpRequest {
	const options = context.getNodeParameter('options', item, {}) as IDataObject;
	const readLimited = (name: keyof typeof otpLimits, label: string) => {
		const { min, max } = otpLimits[name];
		const value = optionalWholeNumber(options[name], name, label, min, max);
		return value === undefined ? {} : { [name]: value };
	};
	return {
		to: normalizeOtpRecipient(context.getNodeParameter('to', item)),
		brand: requireText(context.getNodeParameter('brand', item), 'brand', 'Brand'),
		from: requireSenderId(context.getNodeParameter('from', item)),
		...readLimited('ttl', 'Valid For'),
		...readLimited('pinLength', 'Code Length'),
		...readLimited('maxInvalidAttempts', 'Max Invalid Attempts'),
		...(!isEmpty(options.template) && { template: requireTemplate(options.template) }),
	};
}

/**
 * Requests a code for each item ("Request OTP"). A request that was answered is not made again in another try of
 * the node, since the person would get a second code; one whose answer got lost may be made again.
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const open = openOnce(async () => ({
		client: await MessagingServiceClient.open(this, readRequestSettings(this)),
		ledger: Ledger.open(this),
	}));
	const results = await runPerItem(this, {
		work: async (item, report) => {
			const request = readRequest(this, item);
			const { client, ledger } = await open();
			const entry = ledger.entry(item, request.to, 0);
			if (!entry.record) entry.accept(await client.requestOtp(request));
			report.add(entry.record as IDataObject);
		},
	});
	return await finishRun(results, async () => (await open()).ledger);
}
