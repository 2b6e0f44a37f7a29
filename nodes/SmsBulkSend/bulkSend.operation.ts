import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { Ledger } from '../shared/delivery/ledger';
import type { SentMessage } from '../shared/delivery/pairing';
import { openOnce } from '../shared/execution/openOnce';
import {
	createFieldReader,
	optionalWholeNumber,
	readRequestSettings,
	type ReadField,
} from '../shared/fields/readParameters';
import { describeParts } from '../shared/fields/partsHint';
import {
	maxMessages,
	maxParts,
	message,
	parallelRequests,
	senderId,
	timeout,
	to,
	sendToolDescription,
	whenUnclear,
} from '../shared/fields/properties';
import { createMessageLimit } from '../shared/fields/messageLimit';
import { createShape, simplifyProperties, type Shape } from '../shared/fields/simplify';
import { finishRun, runPerItem, type ItemReport } from '../shared/execution/runPerItem';
import { isOn, limitParts, readWhenUnclear } from '../shared/fields/readSendRequest';
import {
	countOccurrences,
	normalizePhoneNumber,
	parseRecipients,
} from '../shared/validation/recipient';
import { requireSenderId, requireText } from '../shared/validation/text';
import { BulkSender, type BulkSettings } from './BulkSender';

const defaultRecipientsPerRequest = 100;
const mostRecipientsPerRequest = 1000;
const defaultLookBackHours = 24;
/** A month. */
const mostLookBackHours = 744;
const hourMs = 3_600_000;

export const properties: INodeProperties[] = [
	sendToolDescription('Send the same SMS to many recipients in few requests.'),
	{
		displayName:
			'Every input item is one message. The node packs them into few requests, so there is no need for a loop.',
		name: 'everyItem',
		type: 'notice',
		default: '',
	},
	{
		...to,
		placeholder: 'e.g. 09791234567',
		description:
			'Mobile number of the recipient, as 09…, 959… or +959…, or an international number with + and country code. For several recipients use commas, new lines or a list.',
	},
	message,
	senderId,
	...simplifyProperties,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Look Back (Hours)',
				name: 'lookBackHours',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: mostLookBackHours, numberPrecision: 0 },
				default: defaultLookBackHours,
				description: 'How far back Skip If Already Sent looks into message history',
			},
			maxParts,
			maxMessages,
			parallelRequests,
			{
				displayName: 'Pause Between Requests (Milliseconds)',
				name: 'pauseBetweenRequests',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 60000, numberPrecision: 0 },
				default: 0,
				description: 'How long to wait before the next request is begun',
			},
			{
				displayName: 'Recipients per Request',
				name: 'recipientsPerRequest',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: mostRecipientsPerRequest, numberPrecision: 0 },
				default: defaultRecipientsPerRequest,
				description: 'How many recipients are packed into one request',
			},
			{
				displayName: 'Skip If Already Sent',
				name: 'skipIfAlreadySent',
				type: 'boolean',
				default: false,
				description:
					'Whether to read message history first, and to leave out what it holds already with the same number, text and sender ID. Makes a campaign safe to start again. Three alike items and one such message mean two sends.',
			},
			timeout,
			whenUnclear,
		],
	},
];

function readSettings(context: IExecuteFunctions): BulkSettings {
	const options = context.getNodeParameter('options', 0, {}) as IDataObject;
	const read = (name: string, label: string, min: number, max: number) =>
		optionalWholeNumber(options[name], name, label, min, max);
	return {
		recipientsPerRequest:
			read('recipientsPerRequest', 'Recipients per Request', 1, mostRecipientsPerRequest) ??
			defaultRecipientsPerRequest,
		pauseBetweenRequests:
			read('pauseBetweenRequests', 'Pause Between Requests (Milliseconds)', 0, 60_000) ?? 0,
		isSentOnce: readWhenUnclear(options.whenUnclear) === 'report',
		isSkipping: isOn(options.skipIfAlreadySent),
		lookBackMs:
			hourMs *
			(read('lookBackHours', 'Look Back (Hours)', 1, mostLookBackHours) ?? defaultLookBackHours),
	};
}

interface Job {
	messages: SentMessage[];
	/** How many parts the text is charged as, for each recipient. */
	parts: number;
}

/** Reads and checks the messages of one item: one for each of its recipients. */
function createJobReader(readField: ReadField): (item: number) => Job {
	return (item) => {
		const numbers = parseRecipients(readField('to', item));
		const text = requireText(readField('message', item), 'message', 'Message');
		const from = requireSenderId(readField('from', item));
		const { maxParts: limit } = readField('options', item, {}) as IDataObject;
		return {
			messages: numbers.map((number) => ({
				to: normalizePhoneNumber(number),
				message: text,
				from,
			})),
			parts: limitParts(text, false, limit),
		};
	};
}

async function deliverAll(
	sender: BulkSender,
	{ messages }: Job,
	item: number,
	report: ItemReport,
	shape: Shape,
): Promise<void> {
	const occurrences = countOccurrences(messages.map((sent) => sent.to));
	const outcomes = await Promise.allSettled(
		messages.map(async (sent, index) => await sender.deliver(sent, item, occurrences[index])),
	);
	for (const outcome of outcomes) {
		if (outcome.status === 'rejected') report.fail(outcome.reason);
		else report.add(shape(outcome.value as IDataObject, item));
	}
}

/** Sends the messages of all items in few requests ("Bulk send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await Ledger.use(this, async (ledger) => await sendAll(this, ledger));
}

async function sendAll(
	context: IExecuteFunctions,
	ledger: Ledger,
): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(context);
	const readJob = createJobReader(readField);
	const limit = createMessageLimit(context, readField);
	const open = openOnce(async () => {
		const client = await MessagingServiceClient.open(context, readRequestSettings(context));
		return new BulkSender(client, ledger, readSettings(context));
	});
	const ifOpen = async (then: (sender: BulkSender) => Promise<void> | void) =>
		await open().then(
			async (sender) => await then(sender),
			() => undefined,
		);
	// Kept, since thousands of items that each wait for what is there already take their time.
	let opened: BulkSender | undefined;
	const parts: number[] = [];
	/** What was read ahead and is not begun yet. */
	const read: Array<Job | undefined> = [];
	const shape = createShape(context, readField);

	const results = await runPerItem(context, {
		describe: () => ledger.describe(),
		hasRoom: () => (opened ? opened.hasRoom() : ifOpen((sender) => sender.hasRoom())),
		whenAllBegun: async () => await ifOpen((sender) => sender.sendRest()),
		whenStopped: () => opened?.dropRest(),
		readAhead: {
			read: (item) => (read[item] = readJob(item)),
			isSentBefore: () => ledger.hasSent(),
		},
		work: async (item, report) => {
			report.isFor(readField('to', item));
			const job = read[item] ?? readJob(item);
			read[item] = undefined;
			if (limit) await limit();
			opened ??= await open();
			for (let n = 0; n < job.messages.length; n += 1) parts.push(job.parts);
			await deliverAll(opened, job, item, report, shape);
		},
	});
	context.addExecutionHints(...describeParts(parts));
	return await finishRun(results, async () => ledger);
}
