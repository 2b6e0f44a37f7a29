import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { hideWaitingLinks } from '../shared/client/secrets';
import { isOfCaused } from '../shared/n8n/causedByReceipt';
import { toNodeError } from '../shared/n8n/errors';
import { Expiring } from '../shared/n8n/Expiring';
import { readReceipts, rejectCall, rejectFailed, untangleQuery } from '../shared/receipt/receipt';
import type { DeliveryReceipt, ErrorResponse } from '../shared/receipt/receipt';
import { canonicalStatus } from '../shared/client/status';
import { InputError } from '../shared/input/InputError';
import { findError } from './access';
import { AcceptedReceipts, hasStarted } from './AcceptedReceipts';
import { readSettings, type TriggerSettings } from './triggerOptions';

const ok: IWebhookResponseData = { webhookResponse: 'OK' };
const notAccepted: ErrorResponse = { status: 503, text: 'Please send the receipt again.' };

/** A thousand receipts are about 300 kB. */
const mostBytes = 1_000_000;
const tooLarge: ErrorResponse = { status: 413, text: 'The call is too large for receipts.' };

/** Triggers that rejected a call in the last minute: strangers must fill neither the log nor the list of executions. */
const reported = new Expiring<true>(60_000, 1000);

/** Logs a rejected call, unless the last minute had one. @returns whether it was logged */
function logRejection(context: IWebhookFunctions, { status, text }: ErrorResponse): boolean {
	const key = scopeOf(context).join('/');
	if (reported.get(key)) return false;
	reported.set(key, true);
	const { name } = context.getNode();
	const { ip = 'unknown' } = context.getRequestObject();
	context.logger.warn(
		`${name} (workflow ${context.getWorkflow().id}) rejected a call from ${ip} with ${status}: ${text} Further ones are not logged for a minute.`,
	);
	return true;
}

const accepted = new AcceptedReceipts();

/** A wrong setting: the response and the log name it, and so does a failed execution, which n8n starts for what is thrown. */
function reportWrongSetting(context: IWebhookFunctions, error: InputError): IWebhookResponseData {
	const rejection = { status: 500, text: `${error.message}. ${error.hint}` };
	const isLogged = logRejection(context, rejection);
	const rejected = rejectCall(context, rejection);
	if (!isLogged) return rejected;
	throw toNodeError(context.getNode(), error, { itemIndex: 0, items: 1 });
}

/** Whether the body is small enough to parse. n8n does not read bodies of unknown types, so they are read here. */
async function isSmallEnough(context: IWebhookFunctions): Promise<boolean> {
	const request = context.getRequestObject();
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
	const isChosen = (status: string) =>
		statuses.length === 0 || statuses.includes(canonicalStatus(status));
	return readReceipts(context).filter((one) => isChosen(one.status) && !isOfCaused(one));
}

function start(receipts: DeliveryReceipt[]): IWebhookResponseData {
	return { ...ok, workflowData: [receipts.map((one) => ({ json: hideWaitingLinks({ ...one }) }))] };
}

async function startOnce(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
): Promise<IWebhookResponseData> {
	const isStarted = hasStarted(context.getResponseObject());
	const { toStart, others } = accepted.claim(scopeOf(context), receipts, isStarted);
	const haveStarted = await Promise.all(others);
	if (haveStarted.includes(false)) return rejectCall(context, notAccepted);
	return toStart.length === 0 ? ok : start(toStart);
}

function scopeOf(context: IWebhookFunctions): string[] {
	return [String(context.getWorkflow().id), context.getNode().id];
}

async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { ip = '' } = context.getRequestObject();
	const { secret } = untangleQuery(context.getQueryData() as object);
	const settings = readSettings(context);
	const rejection = findError(settings, { address: ip, secret });
	if (rejection !== undefined) {
		logRejection(context, rejection);
		return rejectCall(context, rejection);
	}
	if (!(await isSmallEnough(context))) return rejectCall(context, tooLarge);
	const wanted = readWantedReceipts(context, settings);
	// Tests in the editor send the same receipt repeatedly.
	const isRepeatable = settings.passOnRepeats || context.getMode() === 'manual';
	// Unwanted receipts get OK as well; otherwise the service would send them again.
	if (wanted.length === 0) return ok;
	return isRepeatable ? start(wanted) : await startOnce(context, wanted);
}

export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		return await receive(this);
	} catch (error) {
		if (error instanceof InputError) return reportWrongSetting(this, error);
		return rejectFailed(this, error);
	}
}
