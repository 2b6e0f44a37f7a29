import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { ServiceCredentials } from '../shared/client/token';
import { credentialType } from '../shared/client/transport';
import type { MessageRecord } from '../shared/client/types';
import { Ledger } from '../shared/delivery/ledger';
import { SingleDelivery } from '../shared/delivery/SingleDelivery';
import { createFieldReader, readRequestSettings } from '../shared/fields/readParameters';
import { describeParts } from '../shared/fields/partsHint';
import {
	maxParts,
	message,
	senderId,
	to,
	sendToolDescription,
	timeout,
	whenUnclear,
} from '../shared/fields/properties';
import { allowedCountryCodes } from '../shared/fields/campaignOptions';
import {
	clientReference,
	encrypt,
	encryptKey,
	scheduledAt,
	scheduledAtTimeZone,
	surface,
	test,
	unicode,
} from '../shared/fields/sendOptions';
import { createShape, simplifyProperties } from '../shared/fields/simplify';
import { runAndFinish } from '../shared/execution/runPerItem';
import { toSingleMessage } from '../shared/fields/readSendRequest';
import { isTool } from '../shared/execution/agentTool';
import { InputError } from '../shared/validation/InputError';
import { rememberAwaited, type Awaited } from './awaited';
import { toOutcome, toOutcomeAtEnd, toOutput } from './outcome';
import { lookUntilFinal, readLatest } from './readLatest';
import { readWait, type Wait } from './readWait';
import { toAddresses, type Purpose } from './resumeAddress';
import { watchHistory } from './watchHistory';

/** An AI agent waits for the answer of its tool, so it is not kept for hours. */
const longestToolWaitMs = 2 * 60_000;

export const properties: INodeProperties[] = [
	sendToolDescription(
		'Send an SMS to one recipient and look for up to two minutes whether it is delivered.',
		'',
		'The answer is the record with "outcome": delivered, notDelivered or timedOut (still open). Do not send again after timedOut.',
	),
	{
		displayName:
			'The workflow sleeps here until the service reports what became of the message. The service must be able to reach this n8n from the internet. With several items, put this node into a Loop Over Items with a batch size of 1.',
		name: 'howItWaits',
		type: 'notice',
		default: '',
	},
	to,
	message,
	senderId,
	{
		displayName: 'Wait For',
		name: 'waitFor',
		type: 'options',
		options: [
			{
				name: 'Any Final Status',
				value: 'anyFinal',
				description: 'Go on when the message was delivered, and also when it cannot be delivered',
			},
			{
				name: 'Delivered',
				value: 'delivered',
				description: 'Go on when the message was delivered, otherwise at the end of the time limit',
			},
		],
		default: 'anyFinal',
		description: 'Which report ends the wait',
	},
	{
		displayName: 'Time Limit (Minutes)',
		name: 'timeLimit',
		type: 'number',
		typeOptions: { minValue: 0.1 },
		default: 60,
		description:
			'After this many minutes the workflow goes on in any case. n8n looks once a minute, so a short limit can take up to a minute longer.',
	},
	...simplifyProperties,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		// The receipts of this message have to come to the waiting workflow, and nowhere else.
		options: [
			allowedCountryCodes,
			clientReference,
			encrypt,
			encryptKey,
			maxParts,
			scheduledAt,
			scheduledAtTimeZone,
			surface,
			test,
			timeout,
			unicode,
			whenUnclear,
		],
	},
];

function requireOneItem(context: IExecuteFunctions): void {
	const { length } = context.getInputData();
	if (length <= 1) return;
	throw new InputError(
		'to',
		`This node waits for one message at a time, and got ${length} items`,
		'Nothing was sent. Put the node into a Loop Over Items node with a batch size of 1.',
	);
}

async function readAddresses(
	context: IExecuteFunctions,
	{ nonce }: Awaited,
): Promise<Record<Purpose, string>> {
	const { apiSecret } = await context.getCredentials<ServiceCredentials>(credentialType);
	const place = { executionId: context.getExecutionId(), nodeId: context.getNode().id, nonce };
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	return toAddresses(resumeUrl, apiSecret, place);
}

/** Sends the message, once, also when the node is tried again. */
async function deliver(
	context: IExecuteFunctions,
	client: MessagingServiceClient,
	{ number, settings }: Wait,
	receiptAddress: string,
): Promise<MessageRecord> {
	const isAwaited = !isTool(context);
	return await Ledger.use(context, async (ledger) => {
		const entry = ledger.entry(0, number, 0, settings.fields);
		const sent = toSingleMessage(settings, number, entry);
		// A tool looks into history, so its receipts go where those of the account go.
		if (isAwaited) sent.request.deliveryReceiptUrl = receiptAddress;
		return await new SingleDelivery(client, ledger).deliver(sent);
	});
}

/** Puts the execution to sleep. The time limit hands on the input as it is then, and receipts are compared with it. */
async function sleepUntilReceipt(
	context: IExecuteFunctions,
	output: IDataObject,
	limitMs: number,
): Promise<void> {
	const [first] = context.getInputData();
	context.getInputData()[0] = { ...first, json: output };
	await context.putExecutionToWait(new Date(Date.now() + limitMs));
}

/** Sends one message and waits for its delivery ("Events"). */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createFieldReader(this);
	const shape = createShape(this, readField);
	return await runAndFinish(this, {
		work: async (item, report) => {
			requireOneItem(this);
			report.isFor(readField('to', item));
			const options = readField('options', item, {}) as IDataObject;
			const { timeout } = readRequestSettings(this, options);
			const client = await MessagingServiceClient.open(this, { parallelRequests: 1, timeout });
			const { serviceTimeZone } = client;
			const wait = readWait(readField, item, { serviceTimeZone, isTool: isTool(this) });
			const { number, waitFor, limitMs } = wait;
			const simplify = readField('simplify', item, {});
			const awaited = rememberAwaited(this, { to: number, waitFor, simplify });
			const addresses = await readAddresses(this, awaited);
			const record = await deliver(this, client, wait, addresses.receipt);
			this.addExecutionHints(...describeParts([wait.settings.charge]));

			const sought = { ...awaited, record };
			if (isTool(this)) {
				const toolLimitMs = Math.min(limitMs, longestToolWaitMs);
				const latest = await lookUntilFinal(client, sought, waitFor, toolLimitMs);
				return report.add(shape(toOutput(latest, toOutcomeAtEnd(latest.status)), item));
			}
			// The report can have come before the execution sleeps, and would have found nobody.
			const early = await readLatest(client, sought);
			client.pool.stopIfCancelled();
			const outcome = toOutcome(early.status, waitFor);
			if (outcome) return report.add(shape(toOutput(early, outcome), item));

			const timedOut = shape(toOutput(record, 'timedOut'), item);
			await sleepUntilReceipt(this, timedOut, limitMs);
			watchHistory(this, { limitMs, isRetry: this.getMode() === 'retry', addresses });
			report.add(timedOut);
		},
	});
}
