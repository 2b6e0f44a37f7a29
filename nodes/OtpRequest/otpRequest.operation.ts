import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { ServiceError } from '../shared/client/ServiceError';
import type { OtpRequest } from '../shared/client/types';
import { openOnce } from '../shared/execution/openOnce';
import { allowedCountryCodes } from '../shared/fields/campaignOptions';
import { isEmpty, readNumber, readRequestSettings } from '../shared/fields/readParameters';
import { senderId, timeout, toolDescription } from '../shared/fields/properties';
import { RunMemory } from '../shared/execution/runMemory';
import { finishRun, runPerItem } from '../shared/execution/runPerItem';
import { requireSenderId, requireTemplate, requireText } from '../shared/validation/text';
import { countCode, defaultLimits, mostOf, recipientWindowMs, type Limits } from './countCode';
import { escapeHtml, isEmail, readOtpRecipient, toCountedRecipient } from './otpRecipient';

/** Specification, "Limits". `ttl` is in seconds. */
export const otpLimits = {
	ttl: { min: 60, max: 3600 },
	pinLength: { min: 4, max: 8 },
	maxInvalidAttempts: { min: 1, max: 10 },
} as const;

export const properties: INodeProperties[] = [
	toolDescription(
		'Send a one-time code by SMS or e-mail to verify a person. Every code costs money and reaches a person: request one, and another one only when the person asks for it. To takes a mobile number (09…, 959… or +959…) or an e-mail address, Brand is the name in the text, From the sender ID. The answer holds the requestId that OTP Verify needs, and never the code: ask the person for it. An answer with "error" says what to change, or how long to wait before the next code.',
	),
	{
		displayName: 'To',
		name: 'to',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 09791234567 or name@example.com',
		description:
			'Mobile number or e-mail address of the person who is to get the code. Within 10 minutes one person gets 5 codes at most, 30 seconds apart, unless the options say otherwise.',
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
				...allowedCountryCodes,
				description:
					'Countries whose numbers get codes by SMS, with commas between them. Without this option, that is 95 alone: numbers that start with 09, 959 or +959. E-mail addresses are not affected.',
			},
			{
				displayName: 'Channel',
				name: 'channel',
				type: 'options',
				options: [
					{
						name: 'Automatic',
						value: 'automatic',
						description: 'By e-mail when To is an e-mail address, otherwise by SMS',
					},
					{ name: 'E-Mail', value: 'email', description: 'To must be an e-mail address' },
					{ name: 'SMS', value: 'sms', description: 'To must be a mobile number' },
				],
				default: 'automatic',
				description:
					'How the code is sent. Choose one, so that a form for numbers takes no e-mail address, and the other way round.',
			},
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
				displayName: 'Most Codes in All per Hour',
				name: 'maxPerHour',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: mostOf.maxPerHour, numberPrecision: 0 },
				default: 0,
				description:
					'How many codes this node may send within an hour, to all recipients together. 0 means that there is no limit. Counted in this n8n process: a restart forgets, and each worker counts for itself.',
			},
			{
				displayName: 'Most Codes per Recipient',
				name: 'maxPerRecipient',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: mostOf.maxPerRecipient, numberPrecision: 0 },
				default: 5,
				description:
					'How many codes one number or address may get from this node within 10 minutes. 0 means that there is no limit. Without this option it is 5. Counted in this n8n process: a restart forgets, and each worker counts for itself.',
			},
			{
				displayName: 'Pause Between Codes (Seconds)',
				name: 'pauseSeconds',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: mostOf.pauseSeconds, numberPrecision: 0 },
				default: 30,
				description:
					'How long the same number or address has to wait for another code from this node. Without this option it is 30.',
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

function readLimits(options: IDataObject): Limits {
	const read = (name: keyof Limits, label: string) =>
		readNumber(options, name, label, { min: 0, max: mostOf[name] }) ?? defaultLimits[name];
	return {
		maxPerRecipient: read('maxPerRecipient', 'Most Codes per Recipient'),
		pauseSeconds: read('pauseSeconds', 'Pause Between Codes (Seconds)'),
		maxPerHour: read('maxPerHour', 'Most Codes in All per Hour'),
	};
}

function readRequest(
	context: IExecuteFunctions,
	item: number,
	given: unknown,
	options: IDataObject,
): OtpRequest {
	const read = (name: keyof typeof otpLimits, label: string) =>
		readNumber(options, name, label, otpLimits[name]);
	const to = readOtpRecipient(given, options);
	const brand = requireText(context.getNodeParameter('brand', item), 'brand', 'Brand');
	return {
		to,
		brand: isEmail(to) ? escapeHtml(brand) : brand,
		from: requireSenderId(context.getNodeParameter('from', item)),
		ttl: read('ttl', 'Valid For'),
		pinLength: read('pinLength', 'Code Length'),
		maxInvalidAttempts: read('maxInvalidAttempts', 'Max Invalid Attempts'),
		template: isEmpty(options.template) ? undefined : requireTemplate(options.template),
	};
}

/** What became of the request of an item: the answer, or nothing that is known. */
interface Requested {
	to: string;
	countedAt: number;
	answer?: IDataObject;
}

/**
 * Requests a code, unless the same one was answered in another try of the node: the person would get a second code.
 * One that can have expired by now is requested anew. One whose answer got lost is requested again, and is not counted
 * again.
 */
async function requestOnce(
	{ client, memory }: { client: MessagingServiceClient; memory: RunMemory<Requested> },
	item: number,
	request: OtpRequest,
	count: () => () => void,
): Promise<IDataObject> {
	const { to } = request;
	const earlier = memory.find(item);
	const known = earlier?.to === to ? earlier : undefined;
	const now = Date.now();
	const age = now - (known?.countedAt ?? 0);
	const lifeMs = request.ttl ? request.ttl * 1000 : recipientWindowMs;
	if (known?.answer && age < lifeMs) return known.answer;
	const isCounted = known !== undefined && !known.answer && age < recipientWindowMs;
	const takeBack = isCounted ? undefined : count();
	if (!isCounted) memory.keep(item, { to, countedAt: now });
	const answer = await client.requestOtp(request).catch((error: unknown) => {
		if (takeBack && !(error instanceof ServiceError && error.mayHaveActed)) {
			takeBack();
			memory.forget(item);
		}
		throw error;
	});
	memory.keep(item, { to, countedAt: now, answer });
	return answer;
}

/** Requests a code for each item ("Request OTP query parameters"), within the limits. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const open = openOnce(async () => ({
		client: await MessagingServiceClient.open(this, readRequestSettings(this)),
		memory: RunMemory.open<Requested>(this, 'requests'),
	}));
	const node = [String(this.getWorkflow().id ?? ''), this.getNode().id];
	const results = await runPerItem(this, {
		work: async (item, report) => {
			const given = this.getNodeParameter('to', item);
			report.isFor(given);
			const options = this.getNodeParameter('options', item, {}) as IDataObject;
			const request = readRequest(this, item, given, options);
			const limits = readLimits(options);
			const opened = await open();
			const { client } = opened;
			const keys = {
				node: client.seal(...node),
				recipient: client.seal(...node, toCountedRecipient(request.to)),
			};
			report.add(await requestOnce(opened, item, request, () => countCode(keys, limits)));
		},
	});
	return await finishRun(results, async () => (await open()).memory);
}
