import type { INodePropertyOptions } from 'n8n-workflow';

import { requireTimeZone, serviceTimeZone } from '../input/time';
import { readReference, requireText, requireWebUrl } from '../input/text';
import { beside, choiceOption, option, optionalText, sentAs, switchOption } from './option';

/** Zones that users of the service are likely to need. An expression can return any other IANA name. */
const timeZones: INodePropertyOptions[] = [
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

export const clientReference = sentAs(
	'clientReference',
	optionalText(
		{
			displayName: 'Client Reference',
			name: 'clientReference',
			type: 'string',
			default: '',
			placeholder: 'e.g. order-1043-shipped',
			description:
				'Your own reference, at most 50 characters, for history, receipts and Skip If Already Sent. Leave empty to let the node create one.',
		},
		readReference,
	),
);

export const deliveryReceiptUrl = sentAs(
	'deliveryReceiptUrl',
	optionalText(
		{
			displayName: 'Delivery Receipt URL',
			name: 'deliveryReceiptUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://n8n.example.com/webhook/…',
			description:
				'Where the receipts of this message go, such as the Production URL of an SMS Delivery Receipt Trigger. Leave empty for the default of your account.',
			hint: 'If the trigger has a secret, the URL must end with ?secret= and the secret.',
		},
		(value) => requireWebUrl(value, 'deliveryReceiptUrl'),
	),
);

export const encrypt = sentAs(
	'encrypt',
	switchOption({
		displayName: 'Encrypt',
		name: 'encrypt',
		type: 'boolean',
		default: true,
		description:
			'Whether the service stores the text encrypted, while the recipient sees plain text',
		hint: 'The service returns the key only once, in the output of this node: keep it. Executions that n8n saves contain it too.',
	}),
);

export const encryptKey = beside(
	encrypt,
	sentAs(
		'encryptKey',
		option<string | undefined>(
			{
				displayName: 'Encryption Key',
				name: 'encryptKey',
				type: 'string',
				typeOptions: { password: true },
				default: '',
				description:
					'Your own encryption key. Without it, the service creates one and returns it only once, in the output.',
			},
			undefined,
			(value) => requireText(value, 'encryptKey'),
		),
	),
);

export const scheduledAt = option<unknown>(
	{
		displayName: 'Scheduled At',
		name: 'scheduledAt',
		type: 'dateTime',
		default: '',
		description:
			'Send the message at this time. A time without an offset is read in Scheduled At Time Zone, by default Asia/Yangon.',
		hint: 'A scheduled message cannot be canceled. Without an offset or Scheduled At Time Zone, the time is in Asia/Yangon.',
	},
	undefined,
	(value) => value,
);

export const scheduledAtTimeZone = beside(
	scheduledAt,
	option<string>(
		{
			displayName: 'Scheduled At Time Zone',
			name: 'scheduledAtTimeZone',
			type: 'options',
			options: timeZones,
			default: 'Asia/Yangon',
			description: 'Time zone of Scheduled At. A time with its own offset ignores it.',
		},
		serviceTimeZone,
		requireTimeZone,
	),
);

export const skipIfAlreadySent = switchOption({
	displayName: 'Skip If Already Sent',
	name: 'skipIfAlreadySent',
	type: 'boolean',
	default: true,
	description:
		'Whether to skip a message if history already shows one with the same Client Reference and number. One that was not delivered is sent once more.',
	hint: 'Requires Client Reference, a new one for each notice, such as rent-12-2026-12 for December.',
});

export const surface = choiceOption<'rest' | 'http'>({
	displayName: 'Request Format',
	name: 'surface',
	type: 'options',
	options: [
		{ name: 'JSON Request', value: 'rest', description: 'The default' },
		{
			name: 'Query Parameters',
			value: 'http',
			description: 'Everything is part of the URL. Only for accounts that require it.',
		},
	],
	default: 'rest',
	description: 'How the message is submitted to the service',
});

export const test = sentAs(
	'test',
	switchOption({
		displayName: 'Test',
		name: 'test',
		type: 'boolean',
		default: true,
		description: 'Whether to mark the message as a test, which the service may charge',
		hint: 'A test message may never reach the phone. Switch this off before real use.',
	}),
);

export const unicode = sentAs(
	'unicode',
	switchOption({
		displayName: 'Unicode',
		name: 'unicode',
		type: 'boolean',
		default: true,
		description:
			'Whether to force Unicode, for letters that arrive as squares or question marks. One part then holds 70 characters.',
	}),
);
