import type { INodeProperties } from 'n8n-workflow';

import { readCountryCodes } from '../input/number';
import { listOfRows, readOptOuts } from './optOuts';
import {
	beside,
	choiceOption,
	decimalOption,
	limitOption,
	ofNode,
	ofRun,
	option,
	switchOption,
} from './option';

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
		default: '95',
		placeholder: 'e.g. 95, 65',
		description:
			'Countries to send to, separated by commas; items with numbers in other countries are rejected',
	},
	undefined,
	readCountryCodes,
);

const optedOut: INodeProperties = {
	displayName: 'Do Not Send To',
	name: 'doNotSendTo',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: `e.g. ${listOfRows}`,
	description:
		'Opted-out numbers to skip, separated by commas or new lines, or a list from an expression',
};

export const doNotSendTo = ofRun<ReadonlySet<string>>({
	property: optedOut,
	whenAbsent: new Set(),
	read: readOptOuts,
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
	switchOption({
		displayName: 'Skip Duplicates',
		name: 'skipDuplicates',
		type: 'boolean',
		default: true,
		description:
			'Whether to send a text to a number only once in this run. Another text to the same number is another message.',
	}),
);

export const whenOutcomeUnknown = choiceOption<'sendAgain' | 'report'>(
	{
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
	},
	'sendAgain',
);
