import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import type { ServiceCredentials } from '../shared/client/token';
import { credentialType } from '../shared/client/transport';
import type { MessageRecord } from '../shared/client/types';
import { fromHistory, fromHistoryAtEnd, sourceField } from '../shared/client/wakeExecution';
import { parseReceipts, ReceiptError, type DeliveryReceipt } from '../shared/receipt/receipt';
import { toOutcome, toOutcomeAtEnd, toOutput, type Outcome } from './outcome';
import { isProofRight, proofField, proveAddress } from './resumeAddress';

/** Answered for every genuine receipt; without an outcome in it the execution sleeps on. */
const taken: IWebhookResponseData = { webhookResponse: 'OK' };

function refuse(context: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

async function isGenuine(context: IWebhookFunctions, query: IDataObject): Promise<boolean> {
	const { apiSecret } = await context.getCredentials<ServiceCredentials>(credentialType);
	const proof = proveAddress(apiSecret, context.getExecutionId(), context.getNode().id);
	return isProofRight(proof, query[proofField]);
}

function readOutcome(
	context: IWebhookFunctions,
	receipt: DeliveryReceipt,
	source: unknown,
): Outcome | undefined {
	if (source === fromHistoryAtEnd) return toOutcomeAtEnd(receipt.status);
	const waitFor = context.getNodeParameter('waitFor') === 'delivered' ? 'delivered' : 'anyFinal';
	return toOutcome(receipt.status, waitFor);
}

/**
 * Takes the receipts of the message that the execution waits for. Only a genuine receipt of that message with a
 * status that ends the wait wakes it.
 */
async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const query = context.getQueryData() as IDataObject;
	if (!(await isGenuine(context, query)))
		return refuse(context, 401, 'Not the address of a receipt.');
	const { headers, rawBody } = context.getRequestObject();
	const receipts = parseReceipts({
		query,
		body: context.getBodyData(),
		rawBody,
		contentType: headers['content-type'],
	});
	// The node has put the record of its message into its input before it fell asleep.
	const record = context.evaluateExpression('{{ $json }}', 0) as unknown as MessageRecord;
	const receipt = receipts.find(({ messageId }) => messageId === record.messageId);
	const source = query[sourceField];
	const outcome = receipt && readOutcome(context, receipt, source);
	if (!receipt || !outcome) return taken;
	const isFromHistory = source === fromHistory || source === fromHistoryAtEnd;
	const { status, finishedAt } = receipt;
	const output = isFromHistory
		? toOutput({ ...record, status, finishedAt }, outcome)
		: toOutput(record, outcome, receipt);
	return { ...taken, workflowData: [[{ json: output }]] };
}

export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await receive(this).catch((error: unknown) =>
		error instanceof ReceiptError
			? refuse(this, 400, error.message)
			: refuse(this, 500, 'The receipt could not be taken. Please send it again.'),
	);
}
