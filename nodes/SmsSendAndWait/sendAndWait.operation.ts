import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { MessageRecord } from '../shared/client/types';
import { isTool } from '../shared/n8n/tool';
import { runAndFinish } from '../shared/n8n/items';
import { fallAsleep, requireOneItem, requireWayBack } from '../shared/n8n/waiting';
import { createTextReader } from '../shared/sending/readTexts';
import {
	allowedCountryCodes,
	allowEmptyFields,
	maxParts,
	whenOutcomeUnknown,
} from '../shared/options/limits';
import { message, senderId, sendToolDescription, to } from '../shared/options/properties';
import type { ValuesOf } from '../shared/options/option';
import { OptionReader, toCollections } from '../shared/options/reader';
import { takeDefault, type ReadField } from '../shared/options/readParameters';
import { timeout } from '../shared/options/requestOptions';
import {
	clientReference,
	encrypt,
	encryptKey,
	scheduledAt,
	scheduledAtTimeZone,
	surface,
	test,
	unicode,
} from '../shared/options/sendOptions';
import { createShapeReader, simplify } from '../shared/options/simplify';
import { deliverOne } from '../shared/sending/deliverOne';
import { describeUnsent } from '../shared/sending/report';
import { type Draft, readDraft } from '../shared/sending/draft';
import { readRecipient, type RecipientValues } from '../shared/sending/recipients';
import { attempt, InputError } from '../shared/input/InputError';
import { type Awaited, rememberAwaited, toAddress } from './awaited';
import {
	lookTiming,
	lookUntilFinal,
	showRecipient,
	toOutcome,
	toOutcomeAtEnd,
	toOutput,
	toTimedOut,
	type AwaitedStatus,
} from './outcome';

/** One year; n8n itself sets no limit. */
const longestMinutes = 525_600;

/** In the order in which people need them. No Delivery Receipt URL: the receipts must reach the waiting workflow. */
export const options = {
	scheduledAt,
	scheduledAtTimeZone,
	clientReference,
	maxParts,
	allowEmptyFields,
	allowedCountryCodes,
	whenOutcomeUnknown,
	test,
	unicode,
	encrypt,
	encryptKey,
	timeout,
	surface,
};

export const properties: INodeProperties[] = [
	sendToolDescription(
		'Send an SMS to one recipient and wait up to 45 seconds for its delivery.',
		'',
		'The response is the record with "outcome": delivered, notDelivered or timedOut (not final). After timedOut, do not send again: the same call within 10 minutes sends nothing, and returns the status of the message.',
	),
	{
		displayName:
			'The node reads message history for 30 seconds. Then the workflow waits for a delivery receipt, which the service sends to the public URL of your n8n instance. For several items, put this node into a sub-workflow (<a href="https://github.com/n8n-nodes-messaging-service/n8n-nodes-messaging-service/blob/main/docs/sms-send-and-wait.md#several-messages" target="_blank">how</a>).',
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
				description: 'Continue on any final status, delivered or not',
			},
			{
				name: 'Delivered',
				value: 'delivered',
				description: 'Continue when the message was delivered, or at the time limit',
			},
		],
		default: 'anyFinal',
		description: 'Which status ends the wait',
	},
	{
		displayName: 'Time Limit (Minutes)',
		name: 'timeLimit',
		type: 'number',
		typeOptions: { minValue: 0.1 },
		default: 60,
		description:
			'How long to wait for the status. The workflow continues 90 seconds later, since n8n needs that time to end a wait.',
	},
	simplify,
	...toCollections(options),
];

function readTimeLimit(value: unknown): number {
	const minutes = typeof value === 'string' ? Number(value.trim() || NaN) : value;
	const isUsable = typeof minutes === 'number' && minutes > 0 && minutes <= longestMinutes;
	if (isUsable) return minutes * 60_000;
	throw new InputError(
		'timeLimit',
		'Time Limit must be a number of minutes greater than 0',
		'Enter minutes, such as 60 for one hour, at most 525600.',
	);
}

/** Validates the fields of the wait before anything is sent. @throws InputError */
export function readWait(
	readField: ReadField,
	item: number,
	{ to, ...values }: RecipientValues & { to: unknown },
): { number: string; waitFor: AwaitedStatus; limitMs: number } {
	const number = readRecipient(to, values);
	const waitFor = readField('waitFor', item) === 'delivered' ? 'delivered' : 'anyFinal';
	return { number, waitFor, limitMs: readTimeLimit(readField('timeLimit', item)) };
}

interface ToAwait {
	awaited: Awaited;
	draft: { value: Draft } | { error: unknown };
	values: ValuesOf<typeof options>;
}

interface Wait {
	awaited: Awaited;
	record: MessageRecord;
	limitMs: number;
	begunAt: number;
	shape: (output: IDataObject) => IDataObject;
}

/** Sends the message, with an address for its receipts. */
async function send(context: IExecuteFunctions, client: MessagingServiceClient, sent: ToAwait) {
	const { awaited, draft, values } = sent;
	const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const address = toAddress(resumeUrl, context.getNode().id, awaited);
	// A tool reads history, so its receipts go to the account's default address.
	const own = isTool(context) ? {} : { deliveryReceiptUrl: address };
	const { to } = awaited;
	const record = await deliverOne(context, client, { to, draft, values }, own, true);
	return showRecipient(record, to);
}

/** The output: at once where history shows the outcome, otherwise what n8n passes on at the time limit. */
async function waitForOutcome(
	context: IExecuteFunctions,
	client: MessagingServiceClient,
	{ awaited, record, limitMs, begunAt, shape }: Wait,
): Promise<IDataObject> {
	const { beforeWaitMs, asToolMs } = lookTiming;
	// Receipts before the wait are rejected.
	const longestMs = isTool(context) ? asToolMs - (Date.now() - begunAt) : beforeWaitMs;
	const lookMs = Math.min(limitMs, longestMs);
	const { waitFor } = awaited;
	const latest = await lookUntilFinal(client, { ...awaited, record }, waitFor, lookMs);
	client.pool.stopIfCancelled();
	const isOver = isTool(context) || limitMs <= lookMs;
	const outcome = isOver ? toOutcomeAtEnd(latest.status) : toOutcome(latest.status, waitFor);
	if (outcome === 'timedOut') return shape(toTimedOut(latest, Date.now()));
	if (outcome) return shape(toOutput(latest, outcome));
	const until = Date.now() + limitMs - lookMs;
	const timedOut = shape(toTimedOut(latest, until));
	await fallAsleep(context, timedOut, until);
	return timedOut;
}

export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const readField = createTextReader(this);
	const readShape = createShapeReader(readField);
	const reader = OptionReader.of(this, options, readField);
	return await runAndFinish(this, {
		outcomeOf: () => describeUnsent(this, false),
		work: async (item, report) => {
			requireOneItem(this);
			if (!isTool(this)) requireWayBack(this);
			const begunAt = Date.now();
			const to: unknown = readField('to', item);
			report.isFor(to);
			const values = reader.read(item);
			const { timeout: ms } = values;
			const client = await MessagingServiceClient.open(this, { parallelRequests: 1, timeout: ms });
			const { serviceTimeZone } = client;
			const senderId = takeDefault(this, 'from', client.defaults);
			const surroundings = { serviceTimeZone, senderId, isTool: isTool(this) };
			const { number, waitFor, limitMs } = readWait(readField, item, { ...values, to });
			const shape = readShape(item);
			const draft = attempt(() => readDraft(readField, reader, item, surroundings));
			const simplify = readField('simplify', item, {});
			const awaited = rememberAwaited(this, { to: number, waitFor, simplify });
			const record = await send(this, client, { awaited, draft, values });
			const wait = { awaited, record, limitMs, begunAt, shape };
			report.add(await waitForOutcome(this, client, wait));
		},
	});
}
