import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { MessageRecord } from '../shared/client/types';
import { hideWaitingLinks } from '../shared/client/secrets';
import { shapeRecord } from '../shared/fields/simplify';
import { readReceipts, ReceiptError, rejectCall, type Rejection } from '../shared/receipt/receipt';
import { isSameMessage } from '../shared/validation/messageKey';
import { findPurpose, recallAwaited, type Awaited } from './awaited';
import { readLatest, toOutcome, toOutcomeAtEnd, toOutput, toRecord } from './outcome';
import { asleep, awake } from './watchHistory';

const lookTimeoutMs = 10_000;

/** The response to every genuine receipt. Without an outcome, the wait continues. */
const accepted: IWebhookResponseData = { webhookResponse: 'OK' };

const notOurs: Rejection = { status: 401, text: 'This URL does not accept receipts.' };
const notAccepted: Rejection = {
	status: 500,
	text: 'The receipt could not be accepted. Please send it again.',
};

function toItems({ simplify }: Awaited, output: IDataObject): INodeExecutionData[][] {
	return [[{ json: hideWaitingLinks(shapeRecord(output, simplify)) }]];
}

/** A call can contain several receipts of the message in any order: a delivered one wins. */
function acceptReceipts(
	context: IWebhookFunctions,
	awaited: Awaited,
	record: MessageRecord,
): IWebhookResponseData {
	const ends = readReceipts(context)
		.filter((receipt) => isSameMessage(receipt, record))
		.map((receipt) => ({ receipt, outcome: toOutcome(receipt.status, awaited.waitFor) }));
	const end =
		ends.find(({ outcome }) => outcome === 'delivered') ?? ends.find(({ outcome }) => outcome);
	if (!end?.outcome) return accepted;
	return {
		...accepted,
		workflowData: toItems(awaited, toOutput(record, end.outcome, end.receipt)),
	};
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
	// Without an outcome at the last lookup, n8n's own time limit ends the wait.
	if (!outcome || outcome === 'timedOut') return { webhookResponse: asleep };
	return { webhookResponse: awake, workflowData: toItems(awaited, toOutput(latest, outcome)) };
}

/** Only a genuine receipt of the awaited message, or history, resumes the execution. */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const awaited = recallAwaited(context);
	const purpose = awaited && findPurpose(awaited, context.getQueryData() as IDataObject);
	if (!purpose) return rejectCall(context, notOurs);
	// Before the wait, the node replaced its input with its output at the time limit.
	const timedOut = context.evaluateExpression('{{ $json }}', 0) as unknown as IDataObject;
	const hasEnded = Date.parse(String(timedOut.waitedUntil)) <= Date.now();
	if (hasEnded) return purpose === 'receipt' ? accepted : { webhookResponse: asleep };
	const record = toRecord(timedOut);
	return purpose === 'receipt'
		? acceptReceipts(context, awaited, record)
		: await look(context, awaited, record, purpose === 'lastLook');
}

export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receive(this).catch((error: unknown) =>
		rejectCall(
			this,
			error instanceof ReceiptError ? { status: 400, text: error.message } : notAccepted,
		),
	);
}
