import { readCountryCodes } from '../validation/country';
import { readOptedOut } from '../validation/optedOut';
import { readSendWindow, type SendWindow } from '../validation/sendWindow';
import { choiceOption, decimalOption, limitOption, ofRun, option, switchOption } from './option';
import { timeZones } from './sendOptions';

/** Options of those who send to many. */

export const allowedCountryCodes = option<string[] | undefined>(
	{
		displayName: 'Allowed Country Codes',
		name: 'allowedCountryCodes',
		type: 'string',
		default: '95',
		placeholder: 'e.g. 95, 65',
		description:
			'Countries whose numbers get messages, with commas between them. An item with a number of another one is refused, and nothing of it is sent. Remove this option to allow all countries.',
	},
	undefined,
	readCountryCodes,
);

const nobody: ReadonlySet<string> = new Set();
const optedOut = option(
	{
		displayName: 'Do Not Send To',
		name: 'doNotSendTo',
		type: 'string',
		typeOptions: { rows: 3 },
		default: '',
		placeholder: 'e.g. 09791234567, +6591234567',
		description:
			'Numbers that get nothing, in any spelling: with commas, on lines of their own, or as a list from an expression. They come out with "skipped": "optedOut". Every entry must be a phone number; otherwise nothing is sent.',
	},
	nobody,
	readOptedOut,
);

/** An empty list is a value: nobody has opted out yet. */
export const doNotSendTo = ofRun({
	...optedOut,
	read: (value: unknown) =>
		Array.isArray(value) && value.length === 0 ? nobody : optedOut.read(value),
});

export const dryRun = ofRun(
	switchOption({
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to send nothing, and to give out what would happen instead: for each recipient its country, encoding and parts, and whether and why it would be refused or skipped. The totals are below the output.',
	}),
);

export const maxRecipients = limitOption({
	displayName: 'Most Recipients per Item',
	name: 'maxRecipients',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1_000_000, numberPrecision: 0 },
	default: 0,
	description:
		'Refuse an item with more recipients than this, and send nothing of it. 0 means no limit. Use it where To comes from a form, a webhook or an AI model.',
});

export const pricePerPart = ofRun(
	decimalOption(
		{
			displayName: 'Price per Part',
			name: 'pricePerPart',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			displayOptions: { show: { dryRun: [true] } },
			description:
				'What one part costs, in the currency of your account. The dry run then says what the messages would cost, and asks the balance whether it is enough.',
		},
		0,
		0,
	),
);

export const refuseEmptyFields = switchOption({
	displayName: 'Refuse Empty Fields',
	name: 'refuseEmptyFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to refuse an item for which one of the {{ }} in To, Message or Sender ID is empty, such as "Hello , your order". 0 and false are not empty.',
});

export const replaceTypography = switchOption({
	displayName: 'Replace Typographic Characters',
	name: 'replaceTypography',
	type: 'boolean',
	default: false,
	description:
		'Whether to send curly quotes, dashes, special spaces and ellipses as plain ones, where the text is charged as fewer parts by that. One of them makes a whole text Unicode, with 70 characters in one part instead of 160.',
});

const weekdays = [
	{ name: 'Monday', value: 'monday' },
	{ name: 'Tuesday', value: 'tuesday' },
	{ name: 'Wednesday', value: 'wednesday' },
	{ name: 'Thursday', value: 'thursday' },
	{ name: 'Friday', value: 'friday' },
	{ name: 'Saturday', value: 'saturday' },
	{ name: 'Sunday', value: 'sunday' },
];

export const sendWindow = ofRun(
	option<SendWindow | undefined>(
		{
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
		},
		undefined,
		readSendWindow,
	),
);

export const skipDuplicates = ofRun(
	switchOption({
		displayName: 'Skip Duplicates',
		name: 'skipDuplicates',
		type: 'boolean',
		default: false,
		description:
			'Whether each number gets one message of this run at most: 09…, 959… and +959… are one number, and another text does not make it another. The first one stays; the others come out with "skipped": "duplicate".',
	}),
);

export const maxParts = limitOption({
	displayName: 'Max Parts',
	name: 'maxParts',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 255, numberPrecision: 0 },
	default: 0,
	description:
		'Refuse a text that would be charged as more parts than this. 0 means that any length is sent.',
});

export const maxMessages = ofRun(
	limitOption({
		displayName: 'Most Messages',
		name: 'maxMessages',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1_000_000, numberPrecision: 0 },
		default: 0,
		description:
			'Send nothing at all when this run would send more messages than this; duplicates and opt-outs that are skipped do not count. 0 means no limit. Use it where the recipients come from a form, a webhook or an AI model.',
	}),
);

export const whenUnclear = choiceOption<'sendAgain' | 'report'>(
	{
		displayName: 'When the Outcome Is Unclear',
		name: 'whenUnclear',
		type: 'options',
		options: [
			{
				name: 'Report',
				value: 'report',
				description: 'Never send it a second time: the item fails with "outcome unknown"',
			},
			{
				name: 'Send Again',
				value: 'sendAgain',
				description:
					'Send it again once history has not shown it for a minute, or two after a time-out. Nothing is lost, and a second message is possible when the service is later than that.',
			},
		],
		default: 'sendAgain',
		description:
			'What to do when the service did not say whether it accepted a message, and message history does not show it. Scheduled messages are always reported.',
	},
	'sendAgain',
);
