import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { createMessageLimit } from '../shared/campaign/messageLimit';
import { isDryRun, openSkips, prepareReading, type Reading } from '../shared/campaign/readCampaign';
import { deliverKept, type Skips } from '../shared/campaign/Skips';
import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { Ledger } from '../shared/delivery/ledger';
import type { SentMessage } from '../shared/delivery/pairing';
import { ifItOpens, openOnce, type OpenOnce } from '../shared/execution/openOnce';
import { readRequestSettings } from '../shared/fields/readParameters';
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
import { createShape, simplifyProperties, type Shape } from '../shared/fields/simplify';
import { readRecipients } from '../shared/fields/recipients';
import { isTool } from '../shared/execution/agentTool';
import { finishRun, runPerItem, type ItemReport } from '../shared/execution/runPerItem';
import { readMessage } from '../shared/fields/readSendRequest';
import { countOccurrences } from '../shared/validation/recipient';
import { requireOpen } from '../shared/validation/sendWindow';
import { requireSenderId } from '../shared/validation/text';
import { BulkSender } from './BulkSender';
import {
	lookBackHours,
	pauseBetweenRequests,
	readSettings,
	recipientsPerRequest,
} from './bulkSettings';
import { rehearseBulk } from './dryRun';

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
			lookBackHours,
			maxParts,
			maxMessages,
			maxRecipients,
			parallelRequests,
			pauseBetweenRequests,
			pricePerPart,
			recipientsPerRequest,
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

interface Job {
	messages: SentMessage[];
	charge: Charge;
}

/** What the whole run waits for before it sends: Most Messages and Send Window; undefined when both are off. */
function createGate(reading: Reading, begunAt: number): (() => Promise<void>) | undefined {
	const { readCampaign } = reading;
	const limit = createMessageLimit(reading);
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

/** What the items of a run share. */
interface Run {
	reading: Reading;
	openSender: OpenOnce<BulkSender>;
	gate: (() => Promise<void>) | undefined;
	/** Undefined where nobody is skipped. */
	readSkips: (() => Promise<Skips | undefined>) | undefined;
	shape: Shape;
	/** What was read ahead and is not begun yet, by item. */
	read: Array<Job | undefined>;
	charges: Charge[];
}

function prepareRun(reading: Reading, ledger: Ledger): Run {
	const { context, readField, readOptions, readCampaign } = reading;
	// The tries of Retry On Fail go on with a run that began in time; a retry by hand begins it anew.
	const isGoingOn = !ledger.isRetry && !isTool(context);
	return {
		reading,
		openSender: openOnce(
			async () => new BulkSender(await openClient(reading), ledger, readSettings(readOptions(0))),
		),
		gate: createGate(reading, isGoingOn ? ledger.startedAt : Date.now()),
		readSkips: readCampaign && openOnce(async () => openSkips(await readCampaign(), ledger)),
		shape: createShape(context, readField),
		read: [],
		charges: [],
	};
}

/** Hands the messages of an item on to be packed, and reports what became of them. */
async function sendItem(run: Run, item: number, report: ItemReport): Promise<void> {
	const { reading, openSender, gate, readSkips, shape, read, charges } = run;
	if (!read[item]) report.isFor(reading.readField('to', item));
	const skips = readSkips && (await readSkips());
	const { messages, charge } = read[item] ?? readJob(reading, item);
	read[item] = undefined;
	const numbers = messages.map((sent) => sent.to);
	const reasons = skips?.take(numbers, item);
	if (gate) await gate();
	// Thousands of items that each wait for what is there already take their time.
	const sender = openSender.opened ?? (await openSender());
	const deliverAll = (kept: SentMessage[]) => {
		for (let n = 0; n < kept.length; n += 1) charges.push(charge);
		const occurrences = countOccurrences(kept.map((sent) => sent.to));
		return kept.map(async (sent, index) => await sender.deliver(sent, item, occurrences[index]));
	};
	const shapeOfItem = (record: IDataObject) => shape(record, item);
	await deliverKept(messages, reasons, deliverAll, { ...report, shape: shapeOfItem });
}

async function sendAll(reading: Reading, ledger: Ledger): Promise<INodeExecutionData[][]> {
	const { context } = reading;
	const run = prepareRun(reading, ledger);
	const { openSender, read, charges } = run;
	const results = await runPerItem(context, {
		describe: () => ledger.describe(),
		hasRoom: () =>
			openSender.opened
				? openSender.opened.hasRoom()
				: ifItOpens(openSender, (sender) => sender.hasRoom()),
		whenAllBegun: async () => await ifItOpens(openSender, (sender) => sender.sendRest()),
		whenStopped: () => openSender.opened?.dropRest(),
		readAhead: {
			read: (item) => (read[item] = readJob(reading, item)),
			isSentBefore: () => ledger.hasSent(),
		},
		work: (item, report) => sendItem(run, item, report),
	});
	context.addExecutionHints(...describeParts(charges));
	return await finishRun(results, async () => ledger);
}
