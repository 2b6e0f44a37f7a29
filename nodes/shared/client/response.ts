import type { ServiceCredentials } from './credential';
import type { Endpoint } from './endpoints';
import { ServiceError, type ServiceErrorFacts } from './failure';
import { isHtml, isObject, parseJson } from './json';
import { hideToken, holdsSecret, holdsWaitingLink, listSecrets } from './secrets';
import type { MessageRecord } from './types';

/** A response as it came. */
interface HttpResponse {
	/** Method and path of the request, for errors: without its query, which can hold the token. */
	request: string;
	status: number;
	headers?: Record<string, unknown>;
	/** `undefined` if the body is too long. */
	text?: string;
}

/** A response as the specification describes it. */
export type ServiceResponse = ReturnType<typeof readResponse>;

type Fields = Record<string, unknown>;

/** @param ofCall further values that errors must not show */
export function readResponse(
	{ request, status, headers = {}, text = '' }: HttpResponse,
	{ field }: Endpoint,
	credentials: ServiceCredentials,
	ofCall?: string[],
) {
	const body = hideToken(parseJson(text), credentials);
	const actual = isSuccess(status) ? (findStatus(body) ?? status) : status;
	const serviceTime = Date.parse(String(headers.date)) || undefined;
	return {
		request,
		/** The HTTP status, or that of an error body inside a 2xx ("Errors"). */
		status: actual,
		/** Parsed JSON, without the token, and without a wrapper; `undefined` if the body is not JSON. */
		body: field && isSuccess(actual) ? unwrap(body, field) : body,
		isPage: isHtml(text),
		retryAfterMs: parseRetryAfter(headers['retry-after'], serviceTime ?? Date.now()),
		/** The service's clock in milliseconds since 1970. */
		serviceTime,
		isSecret: (words: string) =>
			holdsWaitingLink(words) || holdsSecret(words, listSecrets(credentials, ofCall)),
	};
}

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** The HTTP status (300 to 599) in an error body. */
export function statusWithin({ status, statusCode }: Fields): number | undefined {
	return [status, statusCode].map(Number).find((number) => number >= 300 && number < 600);
}

function findStatus(body: unknown): number | undefined {
	if (!isObject(body)) return undefined;
	return ('message' in body ? statusWithin(body) : undefined) ?? findStatus(body.data);
}

/** Ceiling for waits that the service asks for, so that a workflow does not hang for an hour. */
const longestWaitMs = 60_000;

/** `Retry-After` (seconds or an HTTP date) in milliseconds, at most `longestWaitMs`; `undefined` if not valid. */
export function parseRetryAfter(value: unknown, now: number): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	const wait = /^[\d.]+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestWaitMs) : undefined;
}

function isMessage(value: unknown): boolean {
	return isObject(value) && ('messageId' in value || 'status' in value);
}

/** Message records as a list, or as one record; a list where `messages` is expected must show what it is. */
function listMessages({ messages, data }: Fields): unknown[] | undefined {
	if (isMessage(messages)) return [messages];
	if (Array.isArray(messages)) return messages;
	return Array.isArray(data) && data.every(isMessage) ? data : undefined;
}

/** The body with the specified field at its top: services may wrap it in `data`, beside `success` (field note 23). */
function unwrap(given: unknown, field: string): unknown {
	// A list of errors is one, too: it stays as it came.
	const isBare = Array.isArray(given) && field === 'messages' && given.every(isMessage);
	const body = isBare ? { data: given } : given;
	if (!isObject(body)) return body;
	const inner = isObject(body.data) && field in body.data ? body.data : body;
	const messages = field === 'messages' ? listMessages(inner) : undefined;
	// A refusal stays as it came, unless a message was accepted.
	const isAccepted = messages?.filter(isObject).some(isAcceptance);
	if (isRefusal(body) && !isAccepted) return body;
	return messages ? { ...inner, data: undefined, messages } : inner;
}

const no = /^(0|false|rejected)$/i;

export function says(value: unknown, words: RegExp): boolean {
	const isWord = ['string', 'number', 'boolean'].includes(typeof value);
	return isWord && words.test(String(value).trim());
}

/** Whether `status` is a rejection (field note 3). Every other status belongs to an accepted message. */
export function isRejection({ status }: Fields): boolean {
	return says(status, no);
}

/** Whether what is around the specified fields says that the service did nothing. */
function isRefusal({ success }: Fields): boolean {
	return says(success, no);
}

function isIdentifier(value: unknown): boolean {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

/** Whether a record has a message ID and a status. Without both, the outcome is unknown. */
export function isAcceptance({ messageId, status }: MessageRecord): boolean {
	return isIdentifier(messageId) && typeof status === 'string' && status !== '';
}

/** Whether a field of errors names one: some successes have an empty error, or an empty list of them. */
export function isNamed(value: unknown): boolean {
	const isNothing = [undefined, null, '', false].includes(value as undefined);
	return !isNothing && !(Array.isArray(value) && value.length === 0);
}

/** Whether a code request was accepted: the ID, which the service spells in two ways (field note 5), and no rejection. */
export function isIssued(body: unknown): body is Fields {
	if (!isObject(body) || !isIdentifier(body.requestId ?? body.request_id)) return false;
	return !isNamed(body.error) && !isNamed(body.errors) && findRejection(body) === undefined;
}

/** The rejection of a whole request: the body, or the first of its records. */
function findRejection(body: unknown): Fields | undefined {
	if (!isObject(body)) return undefined;
	const [first]: unknown[] = Array.isArray(body.messages) ? body.messages : [];
	return isRefusal(body) ? body : [body, first].filter(isObject).find(isRejection);
}

/** Error bodies: `{message}` ("Errors"), or a list of `{field, message}`. */
function findWords(body: unknown): string {
	if (typeof body === 'string') return body;
	if (Array.isArray(body)) {
		const entries = body.filter(isObject).filter(({ message }) => typeof message === 'string');
		return entries
			.map(({ field, message }) => (field ? `${field}: ${message}` : message))
			.join(' ');
	}
	if (!isObject(body)) return '';
	return findWords(body.message) || findWords(body.error);
}

/** The service's own words in one line; `undefined` if there are none or they hold a secret. */
export function readWords(
	body: unknown,
	isSecret: ServiceResponse['isSecret'],
): string | undefined {
	const found = typeof body === 'string' ? '' : findWords(body);
	// More than is shown is searched for secrets, so that one at the cut is found whole.
	const words = found
		.slice(0, 5_000)
		.toWellFormed()
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim();
	return words === '' || isSecret(words) ? undefined : words.slice(0, 500);
}

/** The failure that a response reports, or is: a success without the specified fields. */
export function toFailure(response: ServiceResponse, facts: ServiceErrorFacts = {}): ServiceError {
	const { request, status, body, isPage, retryAfterMs } = response;
	const rejection = isSuccess(status) ? findRejection(body) : undefined;
	if (rejection) return toRejection(rejection, response);
	const words = readWords(body, response.isSecret);
	const failure = { status, ...(isPage && ({ form: 'page', code: 'website' } as const)) };
	return ServiceError.of(failure, { request, retryAfterMs, words, ...facts });
}

export function toRejection(record: MessageRecord, response: ServiceResponse): ServiceError {
	const { status, request, isSecret } = response;
	// A record with an ID shows the text of the message. Some services add a detail to a rejected record.
	const isShown = isIdentifier(record.messageId);
	const reason = isShown ? `its status is ${record.status}` : findWords(record);
	const detail = findWords(record.data);
	const words = readWords({ message: detail ? `${reason} (${detail})` : reason }, isSecret);
	return ServiceError.of({ status, form: 'rejection' }, { request, words });
}

/** `undefined` if the response has no list of records. */
export function findRecords({ body }: ServiceResponse): MessageRecord[] | undefined {
	if (!isObject(body) || !Array.isArray(body.messages)) return undefined;
	return (body.messages as unknown[]).filter(isObject).map(withDocumentedTypes);
}

/** The records of a send response. @throws ServiceError if there are none */
export function readRecords(response: ServiceResponse): MessageRecord[] {
	const records = findRecords(response) ?? [];
	if (records.length === 0) throw toFailure(response);
	return records;
}

const texts = ['messageId', 'message', 'to', 'clientReference', 'from', 'network', 'type'];
const numbers = ['messageCount', 'balance', 'limit', 'records', 'start'];
const flags = ['test', 'encryptMessage'];

function toDocumentedType(field: string, value: unknown): unknown {
	const text = String(value);
	if (texts.includes(field) && typeof value === 'number') return text;
	// Digits that a number cannot hold stay text.
	if (numbers.includes(field) && /^-?\d{1,15}(\.\d+)?$/.test(text)) return Number(value);
	if (flags.includes(field) && /^([01]|true|false)$/i.test(text)) return /1|true/i.test(text);
	return value;
}

/** The fields with their documented types: a service may write a number as text, or a text as a number. */
export function withDocumentedTypes<T extends object>(fields: T): T {
	const entries = Object.entries(fields).map(([field, value]) => [
		field,
		toDocumentedType(field, value),
	]);
	return Object.fromEntries(entries) as T;
}
