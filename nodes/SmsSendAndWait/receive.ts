import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { MessageRecord } from '../shared/client/types';
import { attempt } from '../shared/input/InputError';
import { hideWaitingLinks } from '../shared/client/secrets';
import { isOver, isProven, recallWait } from '../shared/n8n/waiting';
import { shapeRecord } from '../shared/options/simplify';
import { readReceipts, rejectCall, rejectFailed, untangleQuery } from '../shared/receipt/receipt';
import type { ErrorResponse } from '../shared/receipt/receipt';
import { isSameMessage } from '../shared/input/comparison';
import { type Awaited, toOutcome, toOutput } from './outcome';

/** The response to every genuine receipt. Without an outcome, the wait continues. */
const accepted: IWebhookResponseData = { webhookResponse: 'OK' };

const notOurs: ErrorResponse = { status: 401, text: 'This URL does not accept receipts.' };

/** A call can contain several receipts of the message in any order: a delivered one wins. */
function acceptReceipts(
	context: IWebhookFunctions,
	{ waitFor, simplify }: Awaited,
	record: MessageRecord,
): IWebhookResponseData {
	const ends = readReceipts(context)
		.filter((receipt) => isSameMessage(receipt, record))
		.map((receipt) => ({ receipt, outcome: toOutcome(receipt.status, waitFor) }));
	const end =
		ends.find(({ outcome }) => outcome === 'delivered') ?? ends.find(({ outcome }) => outcome);
	if (!end?.outcome) return accepted;
	const output = shapeRecord(toOutput(record, end.outcome, end.receipt), simplify);
	return { ...accepted, workflowData: [[{ json: hideWaitingLinks(output) }]] };
}

/** Only a genuine receipt of the awaited message resumes the execution. */
function receive(context: IWebhookFunctions): IWebhookResponseData {
	const awaited = recallWait<Awaited>(context);
	const isOurs = awaited && isProven(awaited, untangleQuery(context.getQueryData() as object));
	if (!isOurs) return rejectCall(context, notOurs);
	const { record } = awaited;
	return isOver(awaited) || !record ? accepted : acceptReceipts(context, awaited, record);
}

/** An error thrown here would resume the execution. */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const received = attempt(() => receive(this));
	return 'value' in received ? received.value : rejectFailed(this, received.error);
}
