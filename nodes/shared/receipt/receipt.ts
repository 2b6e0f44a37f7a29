import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { isObject, parseJson } from '../client/json';
import { attempt } from '../input/InputError';
import { canonicalStatus, describeStatus } from '../client/status';
import { comparableId } from '../input/comparison';
import { toRecipientKey } from '../input/number';
import { serviceTimeToUtc } from '../input/time';

/** A delivery receipt (specification, "Events") and what its status means. */
export type DeliveryReceipt = ReturnType<typeof toReceipt>;

export interface ReceiptRequest {
	query: unknown;
	body: unknown;
	rawBody?: Buffer | string;
	contentType?: string;
}

/** The call is not a delivery receipt. The message is for the caller and quotes nothing from the call. */
export class ReceiptError extends Error {}

/** The fields of a receipt; all others are ignored. */
const receiptFields = ['messageId', 'to', 'clientReference', 'status', 'updatedAt', 'finishedAt'];
const longestField = 1000;
const mostReceipts = 1000;

/** Detects JSON or form fields by content, since n8n parses only known content types. */
function parseText(text: string): unknown {
	const trimmed = text.replace(/^\uFEFF/, '').trim();
	if (/^[[{]/.test(trimmed)) return parseJson(trimmed);
	// A repeated field becomes a list, as in forms that n8n parses.
	const form = new URLSearchParams(trimmed);
	const valuesOf = receiptFields.map((field) => [field, form.getAll(field)] as const);
	return Object.fromEntries(valuesOf.map(([field, all]) => [field, all.length > 1 ? all : all[0]]));
}

/**
 * Parses the raw body: n8n's own parser rounds big numbers, and takes JSON for one field where the header names a form,
 * as PHP sends it unless told otherwise.
 */
function readBody({ body, rawBody, contentType = '' }: ReceiptRequest): unknown {
	if (/^multipart\/form-data\b/i.test(contentType)) return isObject(body) ? body.data : undefined;
	// n8n has decoded JSON in another encoding.
	if (/charset=(?!"?utf-?8)/i.test(contentType)) return body;
	const raw = rawBody?.toString() ?? (typeof body === 'string' ? body : undefined);
	const isParsed = isObject(body) && Object.keys(body).length > 0;
	const isForm = isParsed && !/^\uFEFF?\s*[[{]/.test(raw ?? '');
	return raw === undefined || isForm ? body : (parseText(raw) ?? body);
}

/** Each receipt in the body; one empty entry if the receipt is in the query. */
function listEntries(body: unknown): unknown[] {
	if (!Array.isArray(body) || body.length === 0) return [isObject(body) ? body : {}];
	if (body.length > mostReceipts) throw new ReceiptError('The call contains too many receipts.');
	return body;
}

function readField(source: unknown, key: string): string | null {
	const value = isObject(source) && Object.hasOwn(source, key) ? source[key] : null;
	if (value === undefined || value === null) return null;
	const isNumber = typeof value === 'number' && Number.isFinite(value);
	if (typeof value !== 'string' && !isNumber)
		throw new ReceiptError(`The field ${key} is not a single text.`);
	// A + that was not encoded arrives as a space: in front of a number, it stands for none.
	const text = key === 'to' ? String(value).trim() : String(value);
	if (text.length > longestField) throw new ReceiptError(`The field ${key} is too long.`);
	// Postgres cannot store NUL or lone surrogates. A client reference may contain tabs and line breaks.
	const forbidden = key === 'clientReference' ? /[\0\p{Cs}]/u : /[\p{Cc}\p{Cs}]/u;
	if (forbidden.test(text))
		throw new ReceiptError(`The field ${key} contains characters that are not allowed.`);
	return text;
}

function requireField(value: string | null, key: string): string {
	if (value === null || value.trim() === '')
		throw new ReceiptError(`The field ${key} of a delivery receipt is missing.`);
	return value;
}

/** Different parts never give the same text. Includes the recipient, if it is known: several may share one ID. */
function toReceiptId(message: { messageId: string; to: string | null }, status: string): string {
	const { delivered } = describeStatus(status);
	const outcome = delivered ? 'delivered' : 'notDelivered';
	const meaning = delivered === null ? canonicalStatus(status) : outcome;
	return [comparableId(message), toRecipientKey(message.to), meaning]
		.filter((part) => part !== '')
		.map((part) => part.replace(/[%:]/g, encodeURIComponent))
		.join(':');
}

function toReceipt(entry: unknown, query: unknown) {
	if (!isObject(entry))
		throw new ReceiptError('The call has a list with an entry that is not a receipt.');
	const read = (key: string) => readField(entry, key) ?? readField(query, key);
	const messageId = requireField(read('messageId'), 'messageId');
	const to = read('to');
	const status = requireField(read('status'), 'status');
	const updatedAt = read('updatedAt');
	const finishedAt = read('finishedAt');
	return {
		messageId,
		to,
		/** `to` as digits with the country code, in whatever notation it came; other texts as they came. */
		recipient: toRecipientKey(to) || null,
		clientReference: read('clientReference'),
		status,
		/** As they came: `YYYY-MM-DD HH:MM:SS` in GMT+6:30. */
		updatedAt,
		finishedAt,
		...describeStatus(status),
		/** ISO 8601; null for what is not a time. */
		updatedAtUtc: serviceTimeToUtc(updatedAt),
		finishedAtUtc: serviceTimeToUtc(finishedAt),
		/** The same for every repeat, by the letters and digits of the ID and what the status means. */
		receiptId: toReceiptId({ messageId, to }, status),
	};
}

/** Where a service has joined its fields to a URL that has a query, by a second `?` or an escaped `&`. */
const second = new RegExp(`\\?(?=(?:${receiptFields.join('|')})=)`);

/**
 * The query as it was meant: `?secret=1?messageId=2` and `?secret=1&amp;messageId=2` have both fields. A client reference
 * can hold a `?`, too: what the service sends in a field of its own stays as it is.
 */
export function untangleQuery(query: object): Record<string, unknown> {
	const fields: Record<string, unknown> = {};
	const joined: Array<[string, string]> = [];
	for (const [key, value] of Object.entries(query)) {
		const name = key.replace(/^amp;/, '');
		const isOurs = typeof value === 'string' && !receiptFields.includes(name);
		const [first, ...more] = isOurs ? value.split(second) : [value as unknown];
		fields[name] = first;
		for (const pair of more as string[])
			joined.push([pair.slice(0, pair.indexOf('=')), pair.replace(/^\w+=/, '')]);
	}
	return { ...Object.fromEntries(joined), ...fields };
}

/**
 * The service sends the fields in the query, a form or JSON (field note 10). Fields missing from the body are read from
 * the query.
 * @param onRejected called for each entry of a list that is not a receipt, if others are
 * @throws ReceiptError if the call contains no delivery receipt
 */
export function parseReceipts(
	request: ReceiptRequest,
	onRejected: (error: Error) => void = () => undefined,
): DeliveryReceipt[] {
	const entries = listEntries(readBody(request));
	const results = entries.map((entry) => attempt(() => toReceipt(entry, request.query)));
	const receipts = results.flatMap((result) => ('value' in result ? [result.value] : []));
	const errors = results.flatMap((result) => ('error' in result ? [result.error as Error] : []));
	if (receipts.length === 0) throw errors[0];
	errors.forEach(onRejected);
	return receipts;
}

export function readReceipts(context: IWebhookFunctions): DeliveryReceipt[] {
	const { headers, rawBody } = context.getRequestObject();
	const [query, body] = [untangleQuery(context.getQueryData() as object), context.getBodyData()];
	const call = { query, body, rawBody, contentType: headers['content-type'] };
	return parseReceipts(call, ({ message }) =>
		context.logger.warn(`${context.getNode().name} left out an entry of a call: ${message}`),
	);
}

export interface ErrorResponse {
	status: number;
	text: string;
}

/** Responds with an error, and starts no workflow. */
export function rejectCall(
	context: IWebhookFunctions,
	{ status, text }: ErrorResponse,
): IWebhookResponseData {
	context.getResponseObject().status(status).type('text/plain').send(text);
	return { noWebhookResponse: true };
}

/** The service sends again what was not accepted. */
export function rejectFailed(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	if (error instanceof ReceiptError)
		return rejectCall(context, { status: 400, text: error.message });
	const text = 'The receipt could not be accepted. Please send it again.';
	return rejectCall(context, { status: 500, text });
}
