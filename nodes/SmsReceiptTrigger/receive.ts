import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
	isWanted,
	parseReceipts,
	ReceiptError,
	type DeliveryReceipt,
} from '../shared/receipt/receipt';
import { InputError } from '../shared/validation/InputError';
import { findRefusal, type Refusal } from './access';
import { keepConfirmed } from './confirm';
import { gatherReceipts } from './gatherReceipts';
import { hasStarted, haveOthersStarted } from './started';
import { toStatuses } from './statusOptions';
import { TakenReceipts } from './TakenReceipts';
import { isToConfirm, readBatchSize, type TriggerOptions } from './triggerOptions';

type Request = ReturnType<IWebhookFunctions['getRequestObject']>;

const ok: IWebhookResponseData = { webhookResponse: 'OK' };
const notConfirmedYet: Refusal = {
	status: 503,
	text: 'The receipt could not be confirmed yet. Please send it again.',
};
const notTaken = 'The receipt could not be taken. Please send it again.';

/** A thousand receipts have about 300 kB. */
const mostBytes = 1_000_000;
const tooLarge: Refusal = { status: 413, text: 'The call is too large for delivery receipts.' };

/** Of all triggers of this process. */
const taken = new TakenReceipts();

function toRefusal(error: unknown): Refusal {
	if (error instanceof ReceiptError) return { status: 400, text: error.message };
	if (error instanceof InputError)
		return { status: 403, text: 'Receipts are not taken until the options here are put right.' };
	return { status: 500, text: notTaken };
}

function refuse(context: IWebhookFunctions, { status, text }: Refusal): IWebhookResponseData {
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

/** Whether the body may be parsed. n8n leaves a body alone, and unread, whose type it does not know. */
async function isSmallEnough(request: Request): Promise<boolean> {
	const { headers } = request;
	if (Number(headers['content-length'] ?? 0) > mostBytes) return false;
	const isForm = /^multipart\//i.test(headers['content-type'] ?? '');
	if (request.rawBody === undefined && !isForm) await request.readRawBody();
	return (request.rawBody?.length ?? 0) <= mostBytes;
}

function readWantedReceipts(context: IWebhookFunctions): DeliveryReceipt[] {
	const { headers, rawBody } = context.getRequestObject();
	const statuses = toStatuses(context.getNodeParameter('statuses', []));
	return parseReceipts({
		query: context.getQueryData(),
		body: context.getBodyData(),
		rawBody,
		contentType: headers['content-type'],
	}).filter((receipt) => isWanted(receipt, statuses));
}

async function start(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
	options: TriggerOptions,
): Promise<IWebhookResponseData> {
	const gathered = await gatherReceipts(context, receipts, readBatchSize(options));
	if (!('toStart' in gathered))
		return gathered.isStarted ? ok : refuse(context, { status: 503, text: notTaken });
	return { ...ok, workflowData: [gathered.toStart.map((receipt) => ({ json: { ...receipt } }))] };
}

/** Starts an execution with the receipts that were not taken before. */
async function startOnce(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
	options: TriggerOptions,
): Promise<IWebhookResponseData> {
	const isStarted = hasStarted(context.getResponseObject());
	const { toStart, others } = taken.claim(scopeOf(context), receipts, isStarted);
	if (!(await haveOthersStarted(others))) return refuse(context, { status: 503, text: notTaken });
	return toStart.length === 0 ? ok : await start(context, toStart, options);
}

function scopeOf(context: IWebhookFunctions): string[] {
	return [String(context.getWorkflow().id), context.getNode().id];
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const { secret } = context.getQueryData() as IDataObject;
	const options: TriggerOptions = context.getNodeParameter('options', {}) as IDataObject;
	const refusal = findRefusal(options, { address: request.ip ?? '', secret });
	if (refusal !== undefined) return refuse(context, refusal);
	if (!(await isSmallEnough(request))) return refuse(context, tooLarge);
	const wanted = readWantedReceipts(context);
	// Whoever tries the workflow out in the editor sends the same receipt again and again.
	const isRepeatable = options.passOnRepeats === true || context.getMode() === 'manual';
	const fresh = isRepeatable ? wanted : taken.leaveOutTaken(scopeOf(context), wanted);
	const receipts = isToConfirm(options) ? await keepConfirmed(context, fresh) : fresh;
	if (receipts === undefined) return refuse(context, notConfirmedYet);
	// A receipt that is not wanted is answered like any other, or the service would call again.
	if (receipts.length === 0) return ok;
	return await (isRepeatable ? start : startOnce)(context, receipts, options);
}

export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(this);
	} catch (error) {
		return refuse(this, toRefusal(error));
	}
}
