import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { MessageRecord } from '../shared/client/types';
import { isTool } from '../shared/n8n/tool';
import { fallAsleep, openWait, proofField, requireWayBack } from '../shared/n8n/waiting';
import type { Waiting } from '../shared/n8n/waiting';
import { ofMessages, timeout } from '../shared/options/limits';
import { message, senderId, sendToolDescription, to } from '../shared/options/properties';
import { toCollections } from '../shared/options/reader';
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
import { shapeRecord, simplify } from '../shared/options/simplify';
import { readDraft, readRecipient } from '../shared/sending/draft';
import { type Opened, sendAndWait, sendOne } from '../shared/sending/sendOne';
import { compareNumbers } from '../shared/input/comparison';
import { refuse } from '../shared/input/InputError';
import { minuteMs, readDuration } from '../shared/input/time';
import { lookTiming, lookUntilFinal, toOutcome, toOutput, toTimedOut } from './outcome';
import type { Awaited } from './outcome';

/** No Delivery Receipt URL: the receipts must reach the waiting workflow. */
export const options = {
	scheduledAt,
	scheduledAtTimeZone,
	clientReference,
	...ofMessages,
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

type Own = Opened<typeof options>;

/** Validates the fields of the wait before anything is sent. @throws InputError */
function readAwaited({ readField, to, values }: Own): Awaited {
	const number = readRecipient(to, values);
	const waitFor = readField('waitFor', 0) === 'delivered' ? 'delivered' : 'anyFinal';
	const hint = 'Enter minutes, such as 60 for one hour, at most 525600.';
	const limitMs =
		readDuration(readField('timeLimit', 0), minuteMs) ??
		refuse('timeLimit', 'must be a number of minutes greater than 0', hint);
	return { to: number, waitFor, limitMs, simplify: readField('simplify', 0, {}) };
}

/** Uses n8n's token: a signature over the whole address would break when the service adds its fields. */
function createAddress(context: IExecuteFunctions, proof: string): string {
	const address = new URL(String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0)));
	address.pathname = `${address.pathname.replace(/\/$/, '')}/${context.getNode().id}`;
	address.searchParams.set(proofField, proof);
	return address.href;
}

async function send(opened: Own, { to, proof }: Waiting<Awaited>): Promise<MessageRecord> {
	const { context } = opened;
	const deliveryReceiptUrl = createAddress(context, proof);
	// A tool reads history, so its receipts go to the account's default address.
	const own = isTool(context) ? {} : { deliveryReceiptUrl };
	const record = await sendOne(opened, to, () => readDraft(opened, 0), own, true);
	// A service may mask the number, and a workflow must be able to tell whose outcome it got.
	return compareNumbers(record.to, to) === 'equal' ? record : { ...record, to };
}

/** The output: at once where history shows the outcome, otherwise what n8n passes on at the time limit. */
async function waitForDelivery(opened: Own): Promise<IDataObject> {
	const { client, context } = opened;
	const isAsTool = isTool(context);
	if (!isAsTool) requireWayBack(context);
	const begunAt = Date.now();
	const awaited = openWait(context, () => readAwaited(opened));
	const { waitFor, limitMs } = awaited;
	const record = await send(opened, awaited);
	const { beforeWaitMs, asToolMs } = lookTiming;
	// Receipts before the wait are rejected.
	const longestMs = isAsTool ? asToolMs - (Date.now() - begunAt) : beforeWaitMs;
	const lookMs = Math.min(limitMs, longestMs);
	const latest = await lookUntilFinal(client, record, awaited, lookMs);
	client.pool.stopIfCancelled();
	const isOver = isAsTool || limitMs <= lookMs;
	// At the time limit, any final status counts.
	const outcome = toOutcome(latest.status, isOver ? 'anyFinal' : waitFor);
	const shape = (output: IDataObject) => shapeRecord(output, awaited.simplify);
	if (outcome) return shape(toOutput(latest, outcome));
	if (isOver) return shape(toTimedOut(latest, Date.now()));
	awaited.record = latest;
	const until = Date.now() + limitMs - lookMs;
	return await fallAsleep(context, awaited, shape(toTimedOut(latest, until)), until);
}

export async function execute(this: IExecuteFunctions) {
	return await sendAndWait(this, options, waitForDelivery);
}
