import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { describeMoved, type Moved } from '../shared/campaign/describeMoved';
import { createMessageLimit } from '../shared/campaign/messageLimit';
import { isDryRun, openSkips, prepareReading, type Reading } from '../shared/campaign/readCampaign';
import { deliverKept, type Skips } from '../shared/campaign/Skips';
import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { Ledger } from '../shared/delivery/ledger';
import { SingleDelivery, type SingleMessage } from '../shared/delivery/SingleDelivery';
import { ifItOpens, openOnce, type OpenOnce } from '../shared/execution/openOnce';
import { readRequestSettings } from '../shared/fields/readParameters';
import { describeParts, type Charge } from '../shared/fields/partsHint';
import {
	maxMessages,
	maxParts,
	message,
	parallelRequests,
	senderId,
	to,
	sendToolDescription,
	timeout,
	whenUnclear,
} from '../shared/fields/properties';
import {
	clientReference,
	deliveryReceiptUrl,
	encrypt,
	encryptKey,
	scheduledAt,
	scheduledAtTimeZone,
	skipIfAlreadySent,
	surface,
	test,
	unicode,
} from '../shared/fields/sendOptions';
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
import { readRecipients } from '../shared/fields/recipients';
import { createShape, simplifyProperties, type Shape } from '../shared/fields/simplify';
import { finishRun, runPerItem, type ItemReport } from '../shared/execution/runPerItem';
import {
	readSendRequest,
	toSingleMessage,
	type SendSettings,
	type Surroundings,
} from '../shared/fields/readSendRequest';
import { isTool } from '../shared/execution/agentTool';
import { countOccurrences } from '../shared/validation/recipient';
import { rehearseSends } from './dryRun';

export const properties: INodeProperties[] = [
	sendToolDescription('Send an SMS to one or several recipients.'),
	{
		...to,
		placeholder: 'e.g. 09791234567, +6591234567',
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
			clientReference,
			deliveryReceiptUrl,
			doNotSendTo,
			dryRun,
			encrypt,
			encryptKey,
			maxParts,
			maxMessages,
			maxRecipients,
			parallelRequests,
			pricePerPart,
			refuseEmptyFields,
			replaceTypography,
			scheduledAt,
			scheduledAtTimeZone,
			surface,
			sendWindow,
			skipDuplicates,
			skipIfAlreadySent,
			test,
			timeout,
			unicode,
			whenUnclear,
		],
	},
];

interface Recipient extends SendSettings {
	to: string;
}

/** Every message of an item, checked; nothing is sent for an item with one wrong number. */
function readItem(
	{ context, readField, readOptions }: Reading,
	item: number,
	surroundings: Surroundings,
): Recipient[] {
	const options = readOptions(item);
	const numbers = readRecipients(readField('to', item), options);
	requireFilledFields(context, options, item);
	const settings = readSendRequest(readField, options, item, surroundings);
	return numbers.map((number) => ({ ...settings, to: number }));
}

function toMessages(ledger: Ledger, item: number, recipients: Recipient[]): SingleMessage[] {
	const occurrences = countOccurrences(recipients.map(({ to: number }) => number));
	return recipients.map(({ to: number, ...settings }, index) =>
		toSingleMessage(
			settings,
			number,
			ledger.entry(item, number, occurrences[index], settings.fields),
		),
	);
}

/** Sends one message to each recipient of each item ("Send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const reading = prepareReading(this);
	if (await isDryRun(reading.readCampaign)) {
		const open = async () => await openService(reading);
		const read = (item: number, service: Service) => readItem(reading, item, service.surroundings);
		return await rehearseSends(reading, {
			open,
			readItem: read,
			limit: createMessageLimit(reading),
		});
	}
	return await Ledger.use(this, async (ledger) => await sendAll(reading, ledger));
}

interface Service {
	client: MessagingServiceClient;
	surroundings: Surroundings;
}

async function openService({ context, readOptions, readCampaign }: Reading): Promise<Service> {
	const settings = readRequestSettings(context, readOptions(0));
	const client = await MessagingServiceClient.open(context, settings);
	const { sendWindow: window } = (await readCampaign?.()) ?? {};
	const { serviceTimeZone } = client;
	return { client, surroundings: { serviceTimeZone, isTool: isTool(context), sendWindow: window } };
}

/** What the items of a run share. */
interface Run {
	reading: Reading;
	ledger: Ledger;
	open: OpenOnce<{ delivery: SingleDelivery; surroundings: Surroundings; skips?: Skips }>;
	limit: (() => Promise<void>) | undefined;
	shape: Shape;
	charges: Charge[];
	moved: Moved[];
}

function prepareRun(reading: Reading, ledger: Ledger): Run {
	const { context, readField, readCampaign } = reading;
	return {
		reading,
		ledger,
		open: openOnce(async () => {
			const { client, surroundings } = await openService(reading);
			const skips = openSkips((await readCampaign?.()) ?? {}, ledger);
			return { delivery: new SingleDelivery(client, ledger), surroundings, skips };
		}),
		limit: createMessageLimit(reading),
		shape: createShape(context, readField),
		charges: [],
		moved: [],
	};
}

/** Sends the messages of an item, and reports what became of them. */
async function sendItem(run: Run, item: number, report: ItemReport): Promise<void> {
	const { reading, ledger, open, limit, shape, charges, moved } = run;
	report.isFor(reading.readField('to', item));
	const { delivery, surroundings, skips } = await open();
	const recipients = readItem(reading, item, surroundings);
	const numbers = recipients.map(({ to: number }) => number);
	const reasons = skips?.take(numbers, item);
	if (limit) await limit();
	const deliver = async (sent: SingleMessage, { movedTo }: Recipient) => {
		const record = await delivery.deliver(sent);
		const timeZone = surroundings.sendWindow?.timeZone;
		if (movedTo !== undefined && timeZone) moved.push({ moment: movedTo, timeZone });
		return record;
	};
	const deliverAll = (kept: Recipient[]) => {
		for (const { charge } of kept) charges.push(charge);
		const messages = toMessages(ledger, item, kept);
		return messages.map(async (sent, index) => await deliver(sent, kept[index]));
	};
	const shapeOfItem = (record: IDataObject) => shape(record, item);
	await deliverKept(recipients, reasons, deliverAll, { ...report, shape: shapeOfItem });
}

async function sendAll(reading: Reading, ledger: Ledger): Promise<INodeExecutionData[][]> {
	const { context } = reading;
	const run = prepareRun(reading, ledger);
	const { open, charges, moved } = run;
	const results = await runPerItem(context, {
		describe: () => ledger.describe(),
		hasRoom: async () => await ifItOpens(open, async ({ delivery }) => await delivery.hasRoom()),
		whenStopped: () => open.opened?.delivery.stop(),
		work: (item, report) => sendItem(run, item, report),
	});
	context.addExecutionHints(...describeParts(charges), ...describeMoved(moved));
	return await finishRun(results, async () => ledger);
}
