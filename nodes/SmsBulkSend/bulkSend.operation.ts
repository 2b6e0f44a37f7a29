import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import {
	isDryRun,
	leaveOutSkipped,
	prepareReading,
	type Reading,
} from '../shared/campaign/readCampaign';
import { deliverKept, Skips } from '../shared/campaign/Skips';
import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { Ledger } from '../shared/delivery/ledger';
import type { SentMessage } from '../shared/delivery/pairing';
import { openOnce } from '../shared/execution/openOnce';
import { optionalWholeNumber, readRequestSettings } from '../shared/fields/readParameters';
import { describeParts, type Charge } from '../shared/fields/partsHint';
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
import {
	allowedCountryCodes,
	doNotSendTo,
	dryRun,
	maxRecipients,
	pricePerPart,
	refuseEmptyFields,
	replaceTypography,
	sendWindow,
	skipDuplicates,
} from '../shared/fields/campaignOptions';
import { requireFilledFields } from '../shared/fields/emptyFields';
import { createMessageLimit } from '../shared/fields/messageLimit';
import { createShape, simplifyProperties } from '../shared/fields/simplify';
import { readRecipients } from '../shared/fields/recipients';
import { isTool } from '../shared/execution/agentTool';
import { finishRun, runPerItem } from '../shared/execution/runPerItem';
import { isOn, readMessage, readWhenUnclear } from '../shared/fields/readSendRequest';
import { countOccurrences } from '../shared/validation/recipient';
import { requireOpen } from '../shared/validation/sendWindow';
import { requireSenderId } from '../shared/validation/text';
import { BulkSender, type BulkSettings } from './BulkSender';
import { rehearseBulk } from './dryRun';

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
			allowedCountryCodes,
			doNotSendTo,
			dryRun,
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
			maxRecipients,
			parallelRequests,
			{
				displayName: 'Pause Between Requests (Milliseconds)',
				name: 'pauseBetweenRequests',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 60000, numberPrecision: 0 },
				default: 0,
				description: 'How long to wait before the next request is begun',
			},
			pricePerPart,
			{
				displayName: 'Recipients per Request',
				name: 'recipientsPerRequest',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: mostRecipientsPerRequest, numberPrecision: 0 },
				default: defaultRecipientsPerRequest,
				description: 'How many recipients are packed into one request',
			},
			refuseEmptyFields,
			replaceTypography,
			sendWindow,
			skipDuplicates,
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

function readSettings(options: IDataObject): BulkSettings {
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
	charge: Charge;
}

/** What the whole run waits for before it sends: Most Messages and Send Window; undefined when both are off. */
function createGate(
	{ context, readField, readCampaign }: Reading,
	begunAt: number,
): (() => Promise<void>) | undefined {
	const limit = createMessageLimit(
		context,
		readField,
		async (recipients) => await leaveOutSkipped(readCampaign, recipients),
	);
	if (!limit && !readCampaign) return undefined;
	return openOnce(async () => {
		const { sendWindow: window } = (await readCampaign?.()) ?? {};
		if (window) requireOpen(window, begunAt);
		await limit?.();
	});
}

/** Reads and checks the messages of one item: one for each of its recipients. */
function readJob({ context, readField, readOptions }: Reading, item: number): Job {
	const options = readOptions(item);
	const numbers = readRecipients(readField('to', item), options);
	requireFilledFields(context, options, item);
	const { message: text, charge } = readMessage(readField, options, item);
	const from = requireSenderId(readField('from', item));
	return { messages: numbers.map((number) => ({ to: number, message: text, from })), charge };
}

/** Sends the messages of all items in few requests ("Bulk send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const reading = prepareReading(this);
	if (await isDryRun(reading.readCampaign)) {
		const open = async () => ({
			client: await openClient(reading),
			settings: readSettings(reading.readOptions(0)),
		});
		const readItem = (item: number) => readJob(reading, item);
		return await rehearseBulk(reading, { open, readItem, gate: createGate(reading, Date.now()) });
	}
	return await Ledger.use(this, async (ledger) => await sendAll(reading, ledger));
}

async function openClient({ context, readOptions }: Reading): Promise<MessagingServiceClient> {
	return await MessagingServiceClient.open(context, readRequestSettings(context, readOptions(0)));
}

async function sendAll(reading: Reading, ledger: Ledger): Promise<INodeExecutionData[][]> {
	const { context, readField, readOptions, readCampaign } = reading;
	// The tries of Retry On Fail go on with a run that began in time; a retry by hand begins it anew.
	const isGoingOn = !ledger.isRetry && !isTool(context);
	const gate = createGate(reading, isGoingOn ? ledger.startedAt : Date.now());
	const open = openOnce(async () => {
		const client = await openClient(reading);
		return new BulkSender(client, ledger, readSettings(readOptions(0)));
	});
	const readSkips =
		readCampaign &&
		openOnce(async () => {
			const { skips } = await readCampaign();
			return skips && new Skips(skips, ledger.begun());
		});
	const ifOpen = async (then: (sender: BulkSender) => Promise<void> | void) =>
		await open().then(
			async (sender) => await then(sender),
			() => undefined,
		);
	// Kept, since thousands of items that each wait for what is there already take their time.
	let opened: BulkSender | undefined;
	const charges: Charge[] = [];
	/** What was read ahead and is not begun yet. */
	const read: Array<Job | undefined> = [];
	const shape = createShape(context, readField);

	const results = await runPerItem(context, {
		describe: () => ledger.describe(),
		hasRoom: () => (opened ? opened.hasRoom() : ifOpen((sender) => sender.hasRoom())),
		whenAllBegun: async () => await ifOpen((sender) => sender.sendRest()),
		whenStopped: () => opened?.dropRest(),
		readAhead: {
			read: (item) => (read[item] = readJob(reading, item)),
			isSentBefore: () => ledger.hasSent(),
		},
		work: async (item, report) => {
			if (!read[item]) report.isFor(readField('to', item));
			const skips = readSkips && (await readSkips());
			const { messages, charge } = read[item] ?? readJob(reading, item);
			read[item] = undefined;
			const reasons = skips?.take(
				messages.map((sent) => sent.to),
				item,
			);
			if (gate) await gate();
			opened ??= await open();
			const sender = opened;
			const deliverAll = (kept: SentMessage[]) => {
				for (let n = 0; n < kept.length; n += 1) charges.push(charge);
				const occurrences = countOccurrences(kept.map((sent) => sent.to));
				return kept.map(
					async (sent, index) => await sender.deliver(sent, item, occurrences[index]),
				);
			};
			const shapeOfItem = (record: IDataObject) => shape(record, item);
			await deliverKept(messages, reasons, deliverAll, { ...report, shape: shapeOfItem });
		},
	});
	context.addExecutionHints(...describeParts(charges));
	return await finishRun(results, async () => ledger);
}
