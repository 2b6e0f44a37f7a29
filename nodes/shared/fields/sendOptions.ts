import type { INodePropertyOptions } from 'n8n-workflow';

import { requireTimeZone, serviceTimeZone } from '../validation/scheduledAt';
import { readReference, requireText, requireWebUrl } from '../validation/text';
import { choiceOption, option, optionalText, safeguard, switchOption } from './option';

/** Options of a send request. */

/** Zones that users of the service are likely to mean; any other IANA name can come from an expression. */
export const timeZones: INodePropertyOptions[] = [
	'Asia/Bangkok',
	'Asia/Dhaka',
	'Asia/Ho_Chi_Minh',
	'Asia/Hong_Kong',
	'Asia/Jakarta',
	'Asia/Kolkata',
	'Asia/Kuala_Lumpur',
	'Asia/Shanghai',
	'Asia/Singapore',
	'Asia/Tokyo',
	'Asia/Yangon',
	'UTC',
].map((zone) => ({ name: zone, value: zone }));

export const clientReference = optionalText(
	{
		displayName: 'Client Reference',
		name: 'clientReference',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-1234',
		description:
			'Your own reference of the message, at most 50 characters. It comes back in history and in delivery receipts. Leave empty to let the node make one, by which it finds the message again when a response gets lost.',
	},
	readReference,
);

export const deliveryReceiptUrl = optionalText(
	{
		displayName: 'Delivery Receipt URL',
		name: 'deliveryReceiptUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/…',
		description:
			'Address that gets the delivery receipts of this message only: for example the Production URL of an SMS Delivery Receipt Trigger. Leave empty to use the default of your account.',
	},
	(value) => requireWebUrl(value, 'deliveryReceiptUrl', 'Delivery Receipt URL'),
);

export const encrypt = switchOption({
	displayName: 'Encrypt',
	name: 'encrypt',
	type: 'boolean',
	default: false,
	description:
		'Whether the service stores the text encrypted. The recipient gets it in plain. The output holds the encrypted text and the key.',
	hint: 'The service returns the key only once, in the output of this node: keep it. Executions that n8n saves hold it too.',
});

export const encryptKey = option<string | undefined>(
	{
		displayName: 'Encryption Key',
		name: 'encryptKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'Key for the encryption. Without this option the service makes one and returns it once, in the output of this node: keep it, since nobody can read the stored text without it.',
	},
	undefined,
	(value) => requireText(value, 'encryptKey', 'Encryption Key'),
);

export const scheduledAt = option<unknown>(
	{
		displayName: 'Scheduled At',
		name: 'scheduledAt',
		type: 'dateTime',
		default: '',
		description:
			'Send the message later, at this time. A time without its own time zone is read in Scheduled At Time Zone (Asia/Yangon when that option is not added).',
		hint: 'This cannot be undone. Without a time zone, the time is read as Asia/Yangon, unless you add Scheduled At Time Zone.',
	},
	undefined,
	(value) => value,
);

export const scheduledAtTimeZone = option<string>(
	{
		displayName: 'Scheduled At Time Zone',
		name: 'scheduledAtTimeZone',
		type: 'options',
		options: timeZones,
		default: 'Asia/Yangon',
		description:
			'Time zone of the time in Scheduled At. The node converts it to the zone in which the service reads schedules (Service Time Zone in the credential). A time with an offset of its own keeps its moment.',
	},
	serviceTimeZone,
	requireTimeZone,
);

export const surface = choiceOption<'rest' | 'http'>(
	{
		displayName: 'Send By',
		name: 'surface',
		type: 'options',
		options: [
			{ name: 'JSON Request', value: 'rest', description: 'The usual way' },
			{
				name: 'Query Parameters',
				value: 'http',
				description: 'Everything travels in the address. Only for accounts that need it.',
			},
		],
		default: 'rest',
		description: 'How the message is handed to the service',
	},
	'rest',
);

export const test = switchOption({
	displayName: 'Test',
	name: 'test',
	type: 'boolean',
	default: false,
	description:
		'Whether to send a test message. Ask the service what that means for your account: whether it reaches the phone, and whether it is charged.',
	hint: 'While this is on, the message is marked as a test and may never reach the phone. Switch it off before real use.',
});

export const unicode = switchOption({
	displayName: 'Unicode',
	name: 'unicode',
	type: 'boolean',
	default: false,
	description:
		'Whether to force sending as a Unicode message. Switch it on when letters arrive as question marks. One part then holds 70 characters.',
});

export const replaceTypography = switchOption({
	displayName: 'Replace Typographic Characters',
	name: 'replaceTypography',
	type: 'boolean',
	default: false,
	description:
		'Whether to send curly quotes, dashes, special spaces and ellipses as plain ones, where the text is charged as fewer parts by that. One of them makes a whole text Unicode, with 70 characters in one part instead of 160.',
});

export const skipIfAlreadySent = safeguard(
	switchOption({
		displayName: 'Skip If Already Sent',
		name: 'skipIfAlreadySent',
		type: 'boolean',
		default: false,
		description:
			'Whether to ask message history first, and to send nothing when a message with the same Client Reference to the same number is already there. Makes a workflow safe to run again; costs one more request for each message.',
	}),
);
