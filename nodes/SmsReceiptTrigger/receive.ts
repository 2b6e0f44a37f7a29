import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { hideWaitingLinks } from '../shared/client/secrets';
import { Expiring } from '../shared/n8n/Expiring';
import {
	type DeliveryReceipt,
	readReceipts,
	ReceiptError,
	rejectCall,
	type Rejection,
} from '../shared/receipt/receipt';
import { canonicalStatus } from '../shared/client/status';
import { InputError } from '../shared/input/InputError';
import { findRejection } from './access';
import { gatherReceipts, hasStarted, haveOthersStarted } from './gatherReceipts';
import { AcceptedReceipts } from './AcceptedReceipts';
import { readSettings, type TriggerSettings } from './triggerOptions';

type Request = ReturnType<IWebhookFunctions['getRequestObject']>;

const ok: IWebhookResponseData = { webhookResponse: 'OK' };
const notAccepted: Rejection = {
	status: 503,
	text: 'The receipt could not be accepted. Please send it again.',
};

/** A thousand receipts are about 300 kB. */
const mostBytes = 1_000_000;
const tooLarge: Rejection = { status: 413, text: 'The call is too large for delivery receipts.' };

/** When each trigger last logged a rejected call: strangers must not fill the log. */
const logged = new Expiring<true>(60_000, 1000);

/** The only trace of a call that n8n keeps: no execution starts. */
function logRejection(context: IWebhookFunctions, { status, text }: Rejection): void {
	const key = scopeOf(context).join('/');
	if (logged.get(key)) return;
	logged.set(key, true);
	const { name } = context.getNode();
	const { ip = 'unknown' } = context.getRequestObject();
	context.logger.warn(
		`${name} (workflow ${context.getWorkflow().id}) rejected a call from ${ip} with ${status}: ${text} Further ones are not logged for a minute.`,
	);
}

/** Shared by all triggers of this process. */
const accepted = new AcceptedReceipts();

function toRejection(error: unknown): Rejection {
	if (error instanceof ReceiptError) return { status: 400, text: error.message };
	if (error instanceof InputError)
		return { status: 403, text: 'This receiver accepts nothing until its settings are corrected.' };
	return { ...notAccepted, status: 500 };
}

/** Whether the body is small enough to parse. n8n does not read bodies of unknown types, so they are read here. */
async function isSmallEnough(request: Request): Promise<boolean> {
	const { headers } = request;
	if (Number(headers['content-length'] ?? 0) > mostBytes) return false;
	const isForm = /^multipart\//i.test(headers['content-type'] ?? '');
	if (isForm && headers['content-length'] === undefined) return false;
	if (request.rawBody === undefined && !isForm) await request.readRawBody();
	return (request.rawBody?.length ?? 0) <= mostBytes;
}

function readWantedReceipts(
	context: IWebhookFunctions,
	{ statuses }: TriggerSettings,
): DeliveryReceipt[] {
	// An empty list means all statuses.
	const isWanted = (status: string) =>
		statuses.length === 0 || statuses.includes(canonicalStatus(status));
	return readReceipts(context).filter(({ status }) => isWanted(status));
}

async function start(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
	settings: TriggerSettings,
): Promise<IWebhookResponseData> {
	const gathered = await gatherReceipts(context, receipts, settings.batchSize);
	if (!('toStart' in gathered)) return gathered.isStarted ? ok : rejectCall(context, notAccepted);
	return {
		...ok,
		workflowData: [gathered.toStart.map((receipt) => ({ json: hideWaitingLinks({ ...receipt }) }))],
	};
}

async function startOnce(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
	settings: TriggerSettings,
): Promise<IWebhookResponseData> {
	const isStarted = hasStarted(context.getResponseObject());
	const { toStart, others } = accepted.claim(scopeOf(context), receipts, isStarted);
	if (!(await haveOthersStarted(others))) return rejectCall(context, notAccepted);
	return toStart.length === 0 ? ok : await start(context, toStart, settings);
}

function scopeOf(context: IWebhookFunctions): string[] {
	return [String(context.getWorkflow().id), context.getNode().id];
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request = context.getRequestObject();
	const { secret } = context.getQueryData() as IDataObject;
	const settings = readSettings(context);
	const rejection = findRejection(settings, { address: request.ip ?? '', secret });
	if (rejection !== undefined) {
		logRejection(context, rejection);
		return rejectCall(context, rejection);
	}
	if (!(await isSmallEnough(request))) return rejectCall(context, tooLarge);
	const wanted = readWantedReceipts(context, settings);
	// Tests in the editor send the same receipt repeatedly.
	const isRepeatable = settings.passOnRepeats || context.getMode() === 'manual';
	// Unwanted receipts get OK as well; otherwise the service would send them again.
	if (wanted.length === 0) return ok;
	return await (isRepeatable ? start : startOnce)(context, wanted, settings);
}

export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(this);
	} catch (error) {
		return rejectCall(this, toRejection(error));
	}
}
