import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { Ledger } from '../shared/delivery/ledger';
import { SingleDelivery, type SingleMessage } from '../shared/delivery/SingleDelivery';
import { openOnce } from '../shared/execution/openOnce';
import {
	createFieldReader,
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
import { createMessageLimit } from '../shared/fields/messageLimit';
import { createShape, simplifyProperties } from '../shared/fields/simplify';
import { finishRun, runPerItem } from '../shared/execution/runPerItem';
import {
	readSendRequest,
	toSingleMessage,
	type SendSettings,
	type Surroundings,
} from '../shared/fields/readSendRequest';
import { isTool } from '../shared/execution/agentTool';
import {
	countOccurrences,
	normalizePhoneNumber,
	parseRecipients,
} from '../shared/validation/recipient';

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
			clientReference,
			deliveryReceiptUrl,
			encrypt,
			encryptKey,
			maxParts,
			maxMessages,
			parallelRequests,
			scheduledAt,
			scheduledAtTimeZone,
			surface,
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
function readRecipients(
	readField: ReadField,
	item: number,
	surroundings: Surroundings,
): Recipient[] {
	const numbers = parseRecipients(readField('to', item)).map((number) =>
		normalizePhoneNumber(number),
	);
	const options = readField('options', item, {}) as IDataObject;
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
	return await Ledger.use(this, async (ledger) => await sendAll(this, ledger));
}

async function sendAll(
	context: IExecuteFunctions,
	ledger: Ledger,
): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(context);
	const open = openOnce(async () => {
		const client = await MessagingServiceClient.open(context, readRequestSettings(context));
		return { client, delivery: new SingleDelivery(client, ledger) };
	});
	const parts: number[] = [];
	const shape = createShape(context, readField);

	const limit = createMessageLimit(context, readField);

	const results = await runPerItem(context, {
		describe: () => ledger.describe(),
		hasRoom: async () =>
			await open().then(
				async ({ delivery }) => await delivery.hasRoom(),
				() => undefined,
			),
		work: async (item, report) => {
			report.isFor(readField('to', item));
			const { client, delivery } = await open();
			const recipients = readRecipients(readField, item, {
				serviceTimeZone: client.serviceTimeZone,
				isTool: isTool(context),
			});
			if (limit) await limit();
			const outcomes = await Promise.allSettled(
				toMessages(ledger, item, recipients).map(async (sent) => await delivery.deliver(sent)),
			);
			for (const [index, outcome] of outcomes.entries()) {
				if (outcome.status === 'rejected') report.fail(outcome.reason);
				else report.add(shape(outcome.value as IDataObject, item));
				parts.push(recipients[index].parts);
			}
		},
	});
	context.addExecutionHints(...describeParts(parts));
	return await finishRun(results, async () => ledger);
}
