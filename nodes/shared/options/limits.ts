import { readCountryCodes } from '../input/number';
import {
	beside,
	choiceOption,
	decimalOption,
	limitOption,
	numberWithDefault,
	ofNode,
	ofRun,
	option,
	switchOption,
} from './option';
import { optedOut, type OptOuts, toOptOuts } from './optOuts';

/** As other SMS services limit a message: a longer one is a document, or the text of a wrong field. */
const usualMaxParts = 10;

/** A field that is empty by mistake leaves a gap in a text, so an empty one is rejected unless this is on. */
export const allowEmptyFields = switchOption({
	displayName: 'Allow Empty Fields',
	name: 'allowEmptyFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to send an item even if a {{ }} in one of its fields is empty, as in "Hello , your order"',
});

export const allowedCountryCodes = option<string[] | undefined>(
	{
		displayName: 'Allowed Country Codes',
		name: 'allowedCountryCodes',
		type: 'string',
		default: '',
		placeholder: 'e.g. 95, 65',
		description:
			'Your own country first, such as 84, 95. A number without + or country code belongs to the first, and items with numbers in countries that are not listed are rejected.',
	},
	undefined,
	readCountryCodes,
);

export const doNotSendTo = ofRun<OptOuts>({
	property: optedOut,
	whenAbsent: new Set(),
	read: toOptOuts,
});

export const dryRun = ofNode(
	ofRun(
		switchOption({
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: false,
			description:
				'Whether to preview the run without sending. Shows what would be sent, to whom, in how many parts, and at what cost.',
			hint: 'Each row shows wouldSend, reason, parts, cost and warnings.',
		}),
	),
);

/** A summary has all that people who see no n8n need to know of a run. */
export const output = ofNode(
	ofRun(
		choiceOption<'messages' | 'summary'>({
			displayName: 'Output',
			name: 'output',
			type: 'options',
			options: [
				{ name: 'Item per Message', value: 'messages' },
				{
					name: 'Summary',
					value: 'summary',
					description: 'One item with counts, text for an email and HTML for a page',
				},
			],
			default: 'messages',
			displayOptions: { hide: { '@tool': [true] } },
			description: 'What the node returns',
		}),
	),
);

export const pricePerPart = beside(
	dryRun,
	ofRun(
		decimalOption({
			displayName: 'Price per Part',
			name: 'pricePerPart',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'Price of one part, to show the cost of the run and compare it with your balance',
		}),
	),
);

export const maxMessages = ofRun(
	limitOption({
		displayName: 'Max Messages',
		name: 'maxMessages',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1_000_000, numberPrecision: 0 },
		default: 100,
		description:
			'Send nothing if the run has more messages than this. Duplicates and opt-outs that are skipped do not count. Enter 0 or remove this option for no limit.',
	}),
);

export const maxParts = limitOption(
	{
		displayName: 'Max Parts',
		name: 'maxParts',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 255, numberPrecision: 0 },
		default: usualMaxParts,
		description: `Reject a text that would be charged as more parts than this; 0 for no limit. Without this option, the limit is ${usualMaxParts}.`,
	},
	usualMaxParts,
);

export const skipDuplicates = ofRun(
	switchOption(
		{
			displayName: 'Skip Duplicates',
			name: 'skipDuplicates',
			type: 'boolean',
			default: false,
			description:
				'Whether to send a message once if several items have the same number, text and sender ID (in SMS Send, also time and Client Reference). Without this option, duplicates are skipped.',
		},
		true,
	),
);

export const whenOutcomeUnknown = choiceOption<'sendAgain' | 'report'>({
	displayName: 'When the Outcome Is Unknown',
	name: 'whenOutcomeUnknown',
	type: 'options',
	options: [
		{
			name: 'Report',
			value: 'report',
			description: 'Never send the message again. The item fails with "Outcome unknown".',
		},
		{
			name: 'Send Again',
			value: 'sendAgain',
			description:
				'Send it again if it is not in message history after one minute, or two after a time-out. A late service may then deliver it twice.',
		},
	],
	default: 'sendAgain',
	description:
		'What to do when the response was lost and message history does not show the message. Without this option, it is sent again, unless it is scheduled.',
});

// Options of every node that calls the service. They apply to the requests of all items together.

export const timeout = ofRun(
	numberWithDefault({
		displayName: 'Request Timeout (Milliseconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 600_000, numberPrecision: 0 },
		default: 30_000,
		description: 'How long to wait for a response from the service',
	}),
);

export const parallelRequests = ofRun(
	numberWithDefault({
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
		default: 5,
		description:
			'Max requests in flight. Lower this if the service responds that there are too many requests.',
	}),
);

/** What each message of a node that sends may be, in the order in which people need it. */
export const ofMessages = { maxParts, allowEmptyFields, allowedCountryCodes, whenOutcomeUnknown };

// What SMS Send and SMS Bulk Send have alike, in the order in which people need it.

export const ofPreview = { dryRun, output, pricePerPart };
export const ofRecipients = { skipDuplicates, doNotSendTo, maxMessages, ...ofMessages };
export const ofCalls = { parallelRequests, timeout };
