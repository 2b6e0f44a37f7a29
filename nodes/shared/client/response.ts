import type { Endpoint } from './address';
import { ServiceError, type ServiceErrorFacts } from './failure';
import { withDocumentedTypes } from './documentedTypes';
import { isRecord } from './json';
import type { MessageRecord } from './types';

export type ResponsePart = Record<string, unknown>;

export interface ServiceResponse {
	request?: string;
	status: number;
	/** Parsed JSON; `undefined` if the body is not JSON. */
	body: unknown;
	/** Whether the body is HTML. */
	isPage?: boolean;
	retryAfter?: string;
	/** The methods that a 405 names, from the header Allow. */
	allow?: string;
	/** The service's clock in milliseconds since 1970, from the header Date. */
	serviceTime?: number;
	isSecret(text: string): boolean;
}

/** Of rejections inside a 2xx, only `status` was observed (field note 3). */
const no = /^(0|false|rejected)$/i;

const isWord = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

export function says(value: unknown, words: RegExp): boolean {
	return isWord(value) && words.test(String(value).trim());
}

/** Whether `status` is a rejection (field note 3). Every other status belongs to an accepted message. */
export function isRejection({ status }: ResponsePart): boolean {
	return says(status, no);
}

/** Whether what is around the specified fields says that the service did nothing. */
function isRefusal({ success, ok }: ResponsePart): boolean {
	return says(success, no) || says(ok, no);
}

export function isNothing(value: unknown): boolean {
	const isNone = value === undefined || value === null || value === '';
	return isNone || (Array.isArray(value) && value.length === 0);
}

/** Some successes have an empty error, or an empty list of them. */
export function namesError({ error, errors }: ResponsePart): boolean {
	return [error, errors].some((value) => !isNothing(value) && value !== false);
}

/** The rejection of a whole request: the body, or the first of its records. */
function findRejection(body: unknown): ResponsePart | undefined {
	if (!isRecord(body)) return undefined;
	const [first]: unknown[] = Array.isArray(body.messages) ? body.messages : [];
	return isRefusal(body) ? body : [body, first].filter(isRecord).find(isRejection);
}

/** The HTTP status (300 to 599) in an error body inside a 2xx. */
export function statusWithin({ status, statusCode }: ResponsePart): number | undefined {
	const numbers = [status, statusCode].filter(isWord).map(Number);
	return numbers.find((number) => Number.isInteger(number) && number >= 300 && number < 600);
}

const longestWords = 500;
/** Characters searched for secrets: more than are shown, so that a secret at the cut is found whole. */
const mostSearched = 5_000;

/** Error bodies: `{message}` ("Errors"), or a list of `{field, message}`. */
function findWords(body: unknown): string {
	if (Array.isArray(body)) {
		const lines = body.filter(isRecord).map((entry) => {
			const field = typeof entry.field === 'string' ? `${entry.field}: ` : '';
			return typeof entry.message === 'string' ? `${field}${entry.message}` : '';
		});
		return lines.join(' ');
	}
	if (!isRecord(body)) return '';
	if (typeof body.message === 'string' && body.message !== '') return body.message;
	if (isRecord(body.message) || Array.isArray(body.message)) return findWords(body.message);
	if (isRecord(body.error)) return findWords(body.error);
	return typeof body.error === 'string' ? body.error : '';
}

/** The service's own words in one line; `undefined` if there are none or they hold a secret. */
export function readWords(response: ServiceResponse): string | undefined {
	const words = findWords(response.body)
		.slice(0, mostSearched)
		.toWellFormed()
		.replace(/[\p{Cc}\s]+/gu, ' ')
		.trim();
	return words === '' || response.isSecret(words) ? undefined : words.slice(0, longestWords);
}

const isOf = (value: unknown, field: string): value is ResponsePart =>
	isRecord(value) && field in value;

/** Whether this can be a message record: those that are accepted have an ID, rejected ones a status. */
const isMessage = (value: unknown): value is ResponsePart =>
	isRecord(value) && ('messageId' in value || 'status' in value);

/** Message records as a list, as one record, or by key, as PHP writes a list with gaps. */
function listMessages(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value;
	if (!isRecord(value)) return undefined;
	if (isMessage(value)) return [value];
	const entries = Object.values(value);
	return entries.length > 0 && entries.every(isMessage) ? entries : undefined;
}

/** A list or record where only `messages` is expected must show what it is: an error can be one, too. */
function listBareMessages(value: unknown): unknown[] | undefined {
	if (Array.isArray(value)) return value.every(isMessage) ? value : undefined;
	return isRecord(value) && 'messageId' in value ? [value] : undefined;
}

function unwrapMessages(body: unknown): ResponsePart | undefined {
	const outer = isRecord(body) ? body : {};
	const { messages, data } = outer;
	if (messages !== undefined) {
		const list = listMessages(messages);
		return list && { ...outer, messages: list };
	}
	if (isOf(data, 'messages')) return unwrapMessages(data);
	const list = isMessage(data) ? [data] : (listBareMessages(data) ?? listBareMessages(body));
	return list && { ...outer, data: undefined, messages: list };
}

/**
 * The body of a success with the specified field at its top. Services may wrap it in `data`, beside `success`
 * (field note 23).
 * @param field what the body of this endpoint is recognized by
 * @returns `undefined` if the field is nowhere
 */
export function unwrapBody(body: unknown, field: string): ResponsePart | undefined {
	if (field === 'messages') return unwrapMessages(body);
	if (isOf(body, field)) return body;
	return isRecord(body) && isOf(body.data, field) ? body.data : undefined;
}

/** What every response has. */
export type AnyResponse = Pick<ServiceResponse, 'status' | 'body' | 'allow' | 'retryAfter'>;

/** The actual status of a response: an error body inside a 2xx carries its own (field note 3). */
export function effectiveStatus({ status, body }: AnyResponse): number {
	if (!isSuccess(status) || !isRecord(body)) return status;
	const parts = [body, body.data].filter(isRecord).filter((part) => 'message' in part);
	return parts.map(statusWithin).find((one) => one !== undefined) ?? status;
}

/** A response with the specified fields at the top of its body. A refusal stays as it came, unless a message was accepted. */
export function unwrapResponse<R extends AnyResponse>(response: R, { field }: Endpoint): R {
	if (field === undefined || !isSuccess(effectiveStatus(response))) return response;
	const body = unwrapBody(response.body, field);
	if (!body) return response;
	const records: unknown[] = Array.isArray(body.messages) ? body.messages : [];
	const isAccepted = records.filter(isRecord).some(isAcceptance);
	const isRefused = isRecord(response.body) && isRefusal(response.body) && !isAccepted;
	return isRefused ? response : { ...response, body };
}

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Ceiling for waits that the service asks for, so that a workflow does not hang for an hour. */
const longestWaitMs = 60_000;

/** `Retry-After` (seconds or an HTTP date) in milliseconds, at most `longestWaitMs`; `undefined` if not valid. */
export function parseRetryAfter(value = '', now: number): number | undefined {
	const seconds = Number(value.trim() || NaN);
	const wait = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
	return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestWaitMs) : undefined;
}

/** A page, as of a proxy, is no success, and to a read only JSON is. @throws ServiceError */
export function requireSuccess(response: ServiceResponse, { isRead }: Endpoint): ServiceResponse {
	const isReadable = isRead ? response.body !== undefined : response.isPage !== true;
	if (isSuccess(effectiveStatus(response)) && isReadable) return response;
	throw toFailure(response);
}

export function toFailure(response: ServiceResponse, facts: ServiceErrorFacts = {}): ServiceError {
	const status = effectiveStatus(response);
	const rejection = isSuccess(status) ? findRejection(response.body) : undefined;
	if (rejection) return toRejection(rejection, response);
	const { request, retryAfter, serviceTime } = response;
	const retryAfterMs = parseRetryAfter(retryAfter, serviceTime ?? Date.now());
	const words = readWords(response);
	const { isPage } = response;
	const failure = { status, ...(isPage && ({ form: 'page', code: 'website' } as const)) };
	return ServiceError.of(failure, { request, retryAfterMs, serviceTime, words, ...facts });
}

/** Whether a record has a message ID and a status. Without both, the outcome is unknown. */
export function isAcceptance({ messageId, status }: MessageRecord): boolean {
	return isIdentifier(messageId) && typeof status === 'string' && status !== '';
}

/** Whether a code request was accepted: a 2xx with its ID and without a rejection. */
export function isIssued(response: ServiceResponse): boolean {
	const { body } = response;
	if (!isRecord(body) || !isIdentifier(readRequestId(body)) || namesError(body)) return false;
	return findRejection(body) === undefined && isSuccess(effectiveStatus(response));
}

/** Field note 5: the service itself spells it in two ways. */
export function readRequestId({ requestId, request_id: other }: ResponsePart): unknown {
	return requestId ?? other;
}

function isIdentifier(value: unknown): boolean {
	return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

export function toRejection(record: MessageRecord, response: ServiceResponse): ServiceError {
	const { status, serviceTime, isSecret, request } = response;
	// A record with an ID shows the text of the message. Some services add a detail to a rejected record.
	const reason = isIdentifier(record.messageId) ? `its status is ${record.status}` : record.message;
	const [message, detail] = [reason, record.data].map((part) => findWords({ message: part }));
	const words = readWords({
		status,
		body: [{ message: detail ? `${message} (${detail})` : message }],
		isSecret,
	});
	return ServiceError.of({ status, form: 'rejection' }, { request, serviceTime, words });
}

/** The records of a send response. @throws ServiceError if there are none */
export function readRecords(response: ServiceResponse): MessageRecord[] {
	const { body } = response;
	const isUsable =
		isSuccess(effectiveStatus(response)) && isRecord(body) && Array.isArray(body.messages);
	const records = isUsable ? (body.messages as unknown[]).filter(isRecord) : [];
	if (records.length === 0) throw toFailure(response);
	return records.map(withDocumentedTypes);
}
