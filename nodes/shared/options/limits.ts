import type { INodeProperties } from 'n8n-workflow';

import { attempt, describeValue, EmptyError, InputError, nameFirst } from '../input/InputError';
import { listRecipients } from '../input/notation';
import { normalizePhoneNumber, readCountryCodes, toRecipientKey } from '../input/number';
import {
	beside,
	choiceOption,
	decimalOption,
	limitOption,
	numberOption,
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
		default: '',
		placeholder: 'e.g. 95, 65',
		description:
			'Your own country first, such as 84, 95. A number without + or country code belongs to the first, and items with numbers in countries that are not listed are rejected.',
	},
	undefined,
	readCountryCodes,
);

const mostNamed = 10;
/** `Mr. Tun 09…`: in To, it could be a date or an ID of another column. */
const nameInFront = /^\p{L}[\p{L}\p{M}.'’ -]*[\s.:]+(?=[+(]?\p{Nd})/u;

/** A row without fields is what n8n gives of an empty table. */
const listOfRows =
	"{{ $('Opt-outs').all().filter((row) => Object.keys(row.json).length).map((row) => row.json.phone) }}";

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

/**
 * The opted-out numbers, as `toRecipientKey` returns them. An empty text or list means that nobody opted out; a list
 * of nothing but blanks is a wrong column. Foreign numbers may lack the +, since services list them without it.
 * @throws InputError that names the entries that are not phone numbers
 */
export function readOptOuts(value: unknown, codes?: readonly string[]): ReadonlySet<string> {
	return readKeys(listOptOuts(value), codes);
}

function listOptOuts(value: unknown): string[] {
	const { name: field, displayName: label } = optedOut;
	const hint = `Return a list of numbers. An empty list means that nobody opted out: ${listOfRows}.`;
	if (value === undefined || value === null) throw new EmptyError(field, label, hint);
	const entries = listRecipients(value);
	const isEmpty = Array.isArray(value) ? value.flat().length === 0 : value === '';
	if (entries.length === 0 && !isEmpty)
		throw new InputError(field, `${label} contains no number, only empty entries`, hint);
	return entries;
}

/** @param codes of the item: an entry is also the number that it would be in To */
function readKeys(entries: string[], codes: readonly string[] = []): ReadonlySet<string> {
	const { name: field, displayName: label } = optedOut;
	const keys = new Set<string>();
	const wrong: string[] = [];
	for (const given of entries) {
		const entry = given.replace(nameInFront, '');
		// Also as a number of Myanmar: rather one message too few.
		const own = attempt(() => normalizePhoneNumber(entry, field, codes));
		const isEnough = 'value' in own && codes.length === 0;
		const other = isEnough ? own : attempt(() => normalizePhoneNumber(entry, field, 'any'));
		for (const read of [own, other]) if ('value' in read) keys.add(toRecipientKey(read.value));
		if (!('value' in own) && !('value' in other)) wrong.push(describeValue(given));
	}
	if (wrong.length === 0) return keys;
	const message = `${label} contains entries that are not phone numbers: ${nameFirst(wrong, mostNamed)}`;
	const advice = 'Correct or remove them. Use numbers such as 09791234567 or +6591234567.';
	throw new InputError(field, message, advice);
}

/** The opted-out numbers, in which a number without a country code is one of the item's own country. */
interface OptOuts {
	size: number;
	/** @param key as `toRecipientKey` returns it */
	has(key: string, codes?: readonly string[]): boolean;
}

function toOptOuts(value: unknown): OptOuts {
	const entries = listOptOuts(value);
	const known = new Map<string, ReadonlySet<string>>();
	const has = (key: string, codes: readonly string[] = []) => {
		const keys = known.get(codes.join()) ?? readKeys(entries, codes);
		known.set(codes.join(), keys);
		return keys.has(key);
	};
	return { size: entries.length, has };
}

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
		choiceOption<'messages' | 'summary'>(
			{
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
			},
			'messages',
		),
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

// Options of every node that calls the service. They apply to the requests of all items together.

const defaultTimeout = 30_000;
const defaultParallelRequests = 5;

export const timeout = ofRun(
	numberOption(
		{
			displayName: 'Request Timeout (Milliseconds)',
			name: 'timeout',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 600_000, numberPrecision: 0 },
			default: defaultTimeout,
			description: 'How long to wait for a response from the service',
		},
		defaultTimeout,
	),
);

export const parallelRequests = ofRun(
	numberOption(
		{
			displayName: 'Parallel Requests',
			name: 'parallelRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 100, numberPrecision: 0 },
			default: defaultParallelRequests,
			description:
				'Max requests in flight. Lower this if the service responds that there are too many requests.',
		},
		defaultParallelRequests,
	),
);
