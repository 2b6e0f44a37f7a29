import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { ServiceCredentials } from '../shared/client/token';
import { credentialType } from '../shared/client/transport';
import type { MessageRecord } from '../shared/client/types';
import { shapeRecord } from '../shared/fields/simplify';
import { parseReceipts, ReceiptError } from '../shared/receipt/receipt';
import { recallAwaited, type Awaited } from './awaited';
import { toOutcome, toOutcomeAtEnd, toOutput } from './outcome';
import { readLatest } from './readLatest';
import { proofField, readPurpose, type Purpose } from './resumeAddress';
import { asleep, awake } from './watchHistory';

/** For one request to the service, in milliseconds. */
const lookTimeoutMs = 10_000;

/** Answered for every genuine receipt; without an outcome in it the execution sleeps on. */
const taken: IWebhookResponseData = { webhookResponse: 'OK' };

function refuse(context: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

async function readPurposeOf(
	context: IWebhookFunctions,
	awaited: Awaited,
): Promise<Purpose | undefined> {
	const { apiSecret } = await context.getCredentials<ServiceCredentials>(credentialType);
	const { [proofField]: proof } = context.getQueryData() as IDataObject;
	const { nonce } = awaited;
	const place = { executionId: context.getExecutionId(), nodeId: context.getNode().id, nonce };
	return readPurpose(apiSecret, place, proof);
}

function toItems({ simplify }: Awaited, output: IDataObject): INodeExecutionData[][] {
	return [[{ json: shapeRecord(output, simplify) }]];
}

/** A call can report several things of the message, in any order: that it was delivered counts most. */
function takeReceipts(
	context: IWebhookFunctions,
	awaited: Awaited,
	record: MessageRecord,
): IWebhookResponseData {
	const { headers, rawBody } = context.getRequestObject();
	const receipts = parseReceipts({
		query: context.getQueryData(),
		body: context.getBodyData(),
		rawBody,
		contentType: headers['content-type'],
	});
	const ends = receipts
		.filter(({ messageId }) => messageId === String(record.messageId))
		.map((receipt) => ({ receipt, outcome: toOutcome(receipt.status, awaited.waitFor) }));
	const end =
		ends.find(({ outcome }) => outcome === 'delivered') ?? ends.find(({ outcome }) => outcome);
	if (!end?.outcome) return taken;
	return { ...taken, workflowData: toItems(awaited, toOutput(record, end.outcome, end.receipt)) };
}

async function look(
	context: IWebhookFunctions,
	awaited: Awaited,
	record: MessageRecord,
	isLast: boolean,
): Promise<IWebhookResponseData> {
	const options = { parallelRequests: 1, timeout: lookTimeoutMs };
	const client = await MessagingServiceClient.open(context, options);
	const latest = await readLatest(client, { record, to: awaited.to });
	const outcome = isLast
		? toOutcomeAtEnd(latest.status)
		: toOutcome(latest.status, awaited.waitFor);
	// With the outcome open at the end, n8n's own time limit goes on.
	if (!outcome || outcome === 'timedOut') return { webhookResponse: asleep };
	return { webhookResponse: awake, workflowData: toItems(awaited, toOutput(latest, outcome)) };
}

/**
 * Takes the receipts of the message that the execution waits for, and the calls of our own watch. Only a genuine
 * receipt of that message, or history itself, wakes the execution.
 */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const awaited = recallAwaited(context);
	const purpose = awaited && (await readPurposeOf(context, awaited));
	if (!purpose) return refuse(context, 401, 'Not the address of a receipt.');
	// The node has put the record of its message into its input before it fell asleep.
	const record = context.evaluateExpression('{{ $json }}', 0) as unknown as MessageRecord;
	return purpose === 'receipt'
		? takeReceipts(context, awaited, record)
		: await look(context, awaited, record, purpose === 'lastLook');
}

export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receive(this).catch((error: unknown) =>
		error instanceof ReceiptError
			? refuse(this, 400, error.message)
			: refuse(this, 500, 'The receipt could not be taken. Please send it again.'),
	);
}
