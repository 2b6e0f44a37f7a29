import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { Ledger } from '../shared/delivery/ledger';
import { SingleDelivery, type Outgoing } from '../shared/delivery/SingleDelivery';
import { finishRun } from '../shared/ItemResults';
import { openOnce } from '../shared/openOnce';
import { createFieldReader, readRequestSettings, type ReadField } from '../shared/parameters';
import { describeParts } from '../shared/partsHint';
import {
	message,
	parallelRequests,
	sendNotices,
	sendOptions,
	senderId,
	to,
	sendToolDescription,
} from '../shared/properties';
import { runPerItem } from '../shared/runPerItem';
import { readSendRequest, type SendSettings, type Surroundings } from '../shared/sendRequest';
import { isTool } from '../shared/toolCall';
import { normalizePhoneNumber, parseRecipients } from '../shared/validation/recipient';

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
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...sendOptions.slice(0, 5),
			parallelRequests,
			...sendOptions.slice(5, 7),
			{
				displayName: 'Skip If Already Sent',
				name: 'skipIfAlreadySent',
				type: 'boolean',
				default: false,
				description:
					'Whether to ask message history first, and to send nothing when a message with the same Client Reference to the same number is already there. Makes a workflow safe to run again; costs one more request for each message.',
			},
			...sendOptions.slice(7),
		],
	},
	...sendNotices,
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

function toOutgoing(ledger: Ledger, item: number, recipients: Recipient[]): Outgoing[] {
	const seen = new Map<string, number>();
	return recipients.map(({ to: number, fields, surface, clientReference, isSkipping }) => {
		const occurrence = seen.get(number) ?? 0;
		seen.set(number, occurrence + 1);
		const entry = ledger.entry(item, number, occurrence);
		return {
			request: { ...fields, to: number, clientReference: clientReference ?? entry.reference },
			surface,
			entry,
			isUsersReference: clientReference !== undefined,
			isSkipping,
		};
	});
}

/** Sends one message to each recipient of each item ("Send request"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(this);
	const open = openOnce(async () => {
		const client = await MessagingServiceClient.open(this, readRequestSettings(this));
		const ledger = Ledger.open(this);
		return { client, ledger, delivery: new SingleDelivery(client, ledger) };
	});
	const parts: number[] = [];

	const results = await runPerItem(this, {
		hasRoom: async () =>
			await open().then(
				async ({ delivery }) => await delivery.hasRoom(),
				() => undefined,
			),
		work: async (item, report) => {
			const { client, delivery, ledger } = await open();
			const recipients = readRecipients(readField, item, {
				serviceTimeZone: client.serviceTimeZone,
				isTool: isTool(this),
			});
			const outcomes = await Promise.allSettled(
				toOutgoing(ledger, item, recipients).map(async (outgoing) => {
					const { record, wasThere } = await delivery.deliverOrSkip(outgoing);
					return (wasThere ? { ...record, alreadySent: true } : record) as IDataObject;
				}),
			);
			for (const [index, outcome] of outcomes.entries()) {
				if (outcome.status === 'rejected') report.fail(outcome.reason);
				else report.add(outcome.value);
				parts.push(recipients[index].parts);
			}
		},
	});
	this.addExecutionHints(...describeParts(parts));
	return await finishRun(results, async () => (await open()).ledger);
}
