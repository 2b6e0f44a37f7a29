import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

import type { MessageRecord } from '../shared/client/types';
import { attempt } from '../shared/input/InputError';
import { hideWaitingLinks } from '../shared/client/secrets';
import { shapeRecord } from '../shared/options/simplify';
import {
	type ErrorResponse,
	readReceipts,
	ReceiptError,
	rejectCall,
	untangleQuery,
} from '../shared/receipt/receipt';
import { isSameMessage } from '../shared/input/comparison';
import { isProven, recallAwaited, type Awaited } from './awaited';
import { toOutcome, toOutput, toRecord } from './outcome';

/** The response to every genuine receipt. Without an outcome, the wait continues. */
const accepted: IWebhookResponseData = { webhookResponse: 'OK' };

const notOurs: ErrorResponse = { status: 401, text: 'This URL does not accept receipts.' };
const notAccepted: ErrorResponse = {
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

/** Only a genuine receipt of the awaited message resumes the execution. */
function receive(context: IWebhookFunctions): IWebhookResponseData {
	const awaited = recallAwaited(context);
	const isOurs = awaited && isProven(awaited, untangleQuery(context.getQueryData() as object));
	if (!isOurs) return rejectCall(context, notOurs);
	// Before the wait, the node replaced its input with its output at the time limit.
	const timedOut = context.evaluateExpression('{{ $json }}', 0) as unknown as IDataObject;
	const hasEnded = Date.parse(String(timedOut.waitedUntil)) <= Date.now();
	return hasEnded ? accepted : acceptReceipts(context, awaited, toRecord(timedOut));
}

/** An error thrown here would resume the execution. */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const received = attempt(() => receive(this));
	if ('value' in received) return received.value;
	const { error } = received;
	const isWrong = error instanceof ReceiptError;
	return rejectCall(this, isWrong ? { status: 400, text: error.message } : notAccepted);
}
