import type { INodeProperties } from 'n8n-workflow';

import { timeZones } from './sendOptions';

/** Options of those who send to many; each node lists those that it takes by name, in alphabetical order. */

export const allowedCountryCodes: INodeProperties = {
	displayName: 'Allowed Country Codes',
	name: 'allowedCountryCodes',
	type: 'string',
	default: '95',
	placeholder: 'e.g. 95, 65',
	description:
		'Countries whose numbers get messages, with commas between them. An item with a number of another one is refused, and nothing of it is sent. Left empty, that is 95 alone: numbers that start with 09, 959 or +959. Without this option, all countries are allowed.',
};

export const doNotSendTo: INodeProperties = {
	displayName: 'Do Not Send To',
	name: 'doNotSendTo',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. 09791234567, +6591234567',
	description:
		'Numbers that get nothing, in any spelling: with commas, on lines of their own, or as a list from an expression. They come out with "skipped": "optedOut". The list is read once, from the first item. An entry that is no number is refused, and nothing is sent.',
};

export const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to send nothing, and to give out what would happen instead: for each recipient its country, encoding and parts, and whether and why it would be refused or skipped. The totals are below the output.',
};

export const maxRecipients: INodeProperties = {
	displayName: 'Most Recipients per Item',
	name: 'maxRecipients',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 0 },
	default: 0,
	description:
		'Refuse an item with more recipients than this, and send nothing of it. 0 means no limit. Use it where To comes from a form, a webhook or an AI model.',
};

export const pricePerPart: INodeProperties = {
	displayName: 'Price per Part',
	name: 'pricePerPart',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	displayOptions: { show: { dryRun: [true] } },
	description:
		'What one part costs, in the currency of your account. The dry run then says what the messages would cost, and asks the balance whether it is enough.',
};

export const refuseEmptyFields: INodeProperties = {
	displayName: 'Refuse Empty Fields',
	name: 'refuseEmptyFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to refuse an item for which one of the {{ }} in To, Message or Sender ID is empty, such as "Hello , your order". 0 and false are not empty.',
};

export const replaceTypography: INodeProperties = {
	displayName: 'Replace Typographic Characters',
	name: 'replaceTypography',
	type: 'boolean',
	default: false,
	description:
		'Whether to send curly quotes, dashes, special spaces and ellipses as plain ones, where the text is charged as fewer parts by that. One of them makes a whole text Unicode, with 70 characters in one part instead of 160.',
};

const weekdays = [
	{ name: 'Monday', value: 'monday' },
	{ name: 'Tuesday', value: 'tuesday' },
	{ name: 'Wednesday', value: 'wednesday' },
	{ name: 'Thursday', value: 'thursday' },
	{ name: 'Friday', value: 'friday' },
	{ name: 'Saturday', value: 'saturday' },
	{ name: 'Sunday', value: 'sunday' },
];

export const sendWindow: INodeProperties = {
	displayName: 'Send Window',
	name: 'sendWindow',
	type: 'fixedCollection',
	placeholder: 'Add window',
	default: { window: {} },
	options: [
		{
			displayName: 'Window',
			name: 'window',
			values: [
				{
					displayName: 'Days',
					name: 'days',
					type: 'multiOptions',
					options: weekdays,
					default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
					description: 'Days on which the window opens',
				},
				{
					displayName: 'From',
					name: 'from',
					type: 'string',
					default: '09:00',
					placeholder: 'e.g. 09:00',
					description: 'Time of day at which it opens',
				},
				{
					displayName: 'Until',
					name: 'until',
					type: 'string',
					default: '18:00',
					placeholder: 'e.g. 18:00',
					description:
						'Time of day at which it closes. One before From is on the next day: 20:00 to 06:00 is a night.',
				},
				{
					displayName: 'Time Zone',
					name: 'timeZone',
					type: 'options',
					options: timeZones,
					default: 'Asia/Yangon',
					description: 'Time zone of From and Until',
				},
			],
		},
	],
};

export const skipDuplicates: INodeProperties = {
	displayName: 'Skip Duplicates',
	name: 'skipDuplicates',
	type: 'boolean',
	default: false,
	description:
		'Whether each number gets one message of this run at most: 09…, 959… and +959… are one number, and another text does not make it another. The first one stays; the others come out with "skipped": "duplicate".',
};
