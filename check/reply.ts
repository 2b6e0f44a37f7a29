export type Fields = Record<string, unknown>;

export interface Reply {
	/** Method and path of its request. */
	call: string;
	/** 0 without a response; `problem` says why. */
	status: number;
	problem?: string;
	/** Milliseconds since 1970 of its request, and until it was complete. */
	at: number;
	tookMs: number;
	/** Its headers Content-Type, Date and Retry-After (seconds). */
	type: string;
	date?: string;
	retryAfter?: number;
	/** Parsed if it is JSON, otherwise the text. */
	body: unknown;
}

export const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** At the top of a body, or in its `data`, where the nodes read them, too. */
export function fieldsOf({ body }: Reply): Fields {
	if (!isFields(body)) return {};
	return isFields(body.data) ? { ...body, ...body.data } : body;
}

const isRecord = (one: unknown): one is Fields =>
	isFields(one) && ('messageId' in one || 'status' in one);

/** A list, one record, or records by key. */
function listRecords(value: unknown): Fields[] | undefined {
	if (Array.isArray(value)) return value.filter(isFields);
	if (!isFields(value)) return undefined;
	if (isRecord(value)) return [value];
	const entries = Object.values(value);
	return entries.length > 0 && entries.every(isRecord) ? entries : undefined;
}

/** As the nodes read them. Undefined for a response that has none. */
export function recordsOf(reply: Reply): Fields[] | undefined {
	const { body } = reply;
	const { messages } = fieldsOf(reply);
	if (messages !== undefined) return listRecords(messages);
	if (!isFields(body)) return listRecords(body);
	return 'messageId' in body ? [body] : listRecords(body.data);
}

/**
 * How a success has a field of the specification.
 *
 * @returns undefined if it is at the top, else the deviation of the sandbox; null if that has no such form
 */
export function findEnvelope({ body }: Reply, name: string): string | null | undefined {
	if (Array.isArray(body)) return 'envelope:list';
	if (!isFields(body)) return null;
	const { [name]: value, data } = body;
	if (value !== undefined) {
		const isKeyed = name === 'messages' && !Array.isArray(value);
		return isKeyed ? (listRecords(value) ? 'envelope:keyed' : null) : undefined;
	}
	if (Array.isArray(data)) return 'envelope:records';
	if (!isFields(data)) return null;
	if (name in data) return 'success' in body ? 'envelope:success' : 'envelope';
	return isRecord(data) ? 'envelope:one' : null;
}

export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300;

/** A failure for another reason than what was asked: credential, method, rate limit, outage. */
export const tellsNothing = ({ status }: Reply): boolean =>
	[401, 404, 405, 429].includes(status) || status >= 500;

/** Whether a message was accepted; undefined for a success that nobody recognizes. */
export function isTaken(reply: Reply): boolean | undefined {
	if (!isSuccess(reply)) return false;
	const [first] = recordsOf(reply) ?? [];
	if (first?.status === false) return false;
	return first?.messageId === undefined ? undefined : true;
}

/** A code counts as verified by a success that confirms it, and by nothing else. */
export const isConfirmed = (reply: Reply): boolean =>
	isSuccess(reply) && 'verifiedAt' in fieldsOf(reply);

/** An ID too large for a JavaScript number keeps its digits. */
export function readJson(text: string): unknown {
	try {
		return JSON.parse(text.replace(/("request_?[iI]d"\s*:\s*)(\d{16,})/g, '$1"$2"'));
	} catch {
		return text;
	}
}

/** Names of the specification and of usual envelopes; words of its errors. */
const names = `allow balance brand channel clientReference code createdAt currency data encryptKey encryptMessage
	error errors expireAt field finishedAt first from last limit links message messageCount messageId messages name
	network next records request_id requestId response result results scheduledAt self start status test to type
	updatedAt verifiedAt Accepted Sent Delivered Pending Rejected Failed Undelivered Success`;
const words = `a account after already an and any are array at attempts be been before blank body boolean by can
	cannot code codes content could credentials date digits does domestic email encrypt error exist expired failed
	field for format found from future has have id in insufficient integer international invalid is it json key least
	limit list long made many maximum message messages method missing mobile more most must no not number object of
	on one only or otp page parameter parameters phone please query recipient record reference registered rejected
	request required scheduled send sender sent service short should string supported template test than that the
	this to too type unable unauthorized unicode unknown url valid value was we were with wrong you your bad`;
const known = new Set(`${names} ${words}`.toLowerCase().split(/\s+/));

/** Of a text of the service, only words that carry nobody's data: all others become an ellipsis. */
export const mask = (text: string): string =>
	text
		.slice(0, 300)
		.replace(/[^\s.,:;!?'"()[\]{}]+/g, (word) => (known.has(word.toLowerCase()) ? word : '…'))
		.replace(/…(?:[^\w]*…)+/g, '…');

/** Status and masked message of a response. */
export function describe(reply: Reply): string {
	const { message } = fieldsOf(reply);
	const [first] = recordsOf(reply) ?? [];
	const said = first?.status === false ? first.message : isSuccess(reply) ? undefined : message;
	return typeof said === 'string' ? `${reply.status} "${mask(said)}"` : String(reply.status);
}

/** Names and types of a response, without any value. */
export function sketch(value: unknown, depth = 0): unknown {
	if (depth > 3) return '…';
	if (Array.isArray(value)) {
		return value.length === 0 ? [] : [value.length, sketch(value[0], depth + 1)];
	}
	if (!isFields(value)) return value === null ? null : typeof value;
	const entries = Object.entries(value).slice(0, 30);
	return Object.fromEntries(entries.map(([name, one]) => [mask(name), sketch(one, depth + 1)]));
}

/** `YYYY-MM-DD HH:MM:SS` in GMT+6:30, the assumed time zone of the service. */
export const formatTime = (ms: number): string =>
	new Date(ms + 390 * 60_000).toISOString().slice(0, 19).replace('T', ' ');

/** Minutes that a written time is ahead of a moment, read in GMT+6:30 unless it says its zone; NaN if it is none. */
export function ahead(written: unknown, at: number): number {
	const text = String(written).replace(' ', 'T');
	const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text);
	const iso = text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return (Date.parse(hasZone ? iso : `${text}+06:30`) - at) / 60_000;
}

/** How a time is written: each digit as 9. */
export const showTime = (value: unknown): string =>
	String(value)
		.slice(0, 40)
		.replace(/\d/g, '9')
		.replace(/[^9TZ:+. -]/g, '?');

/** How a number is written, without the numbers of others. @param own in digits */
export function showNumber(value: unknown, own: string): string {
	if (value === undefined) return 'missing';
	const [text, subscriber] = [String(value), own.replace(/^959/, '')];
	if (text.includes('*')) return 'masked';
	return text.endsWith(subscriber)
		? `${text.slice(0, -subscriber.length).slice(0, 5)}NUMBER`
		: 'another number';
}

/** How a text differs, without the text, and the deviation of the sandbox that does the same. */
export function compareTexts(sent: string, found: string): [seen: string, as?: string | null] {
	const { length } = found;
	if (found === sent) return ['the same'];
	if (found === sent.trim()) return ['without spaces at its ends', 'history-text:trimmed'];
	if (sent.startsWith(found))
		return [`cut to ${length} of ${sent.length} characters`, 'history-text:cut'];
	if (found.startsWith(sent))
		return [`${length - sent.length} characters longer`, 'history-text:extended'];
	if (/&\w+;/.test(found)) return ['escaped', 'history-text:escaped'];
	if (found === sent.replace(/\r\n/g, '\n')) return ['with other line ends', 'history-text:lf'];
	const [one, other] = [sent, found].map((text) => text.replace(/\s+/g, ' ').trim());
	return one === other
		? ['with other spaces', 'history-text']
		: [`another text of ${length} characters`, null];
}
