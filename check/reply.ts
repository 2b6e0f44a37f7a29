export type Fields = Record<string, unknown>;

export interface Reply {
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

export const fieldsOf = ({ body }: Reply): Fields => (isFields(body) ? body : {});

/** Undefined for a response that has none. */
export function recordsOf(reply: Reply): Fields[] | undefined {
	const { messages } = fieldsOf(reply);
	return Array.isArray(messages) ? messages.filter(isFields) : undefined;
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
	const { message, messages } = fieldsOf(reply);
	const [first] = Array.isArray(messages) ? (messages as unknown[]).filter(isFields) : [];
	const said = message ?? (first?.status === false ? first.message : undefined);
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

/** How a text differs, without the text. */
export function compareTexts(sent: string, found: string): string {
	if (found === sent) return 'the same';
	if (sent.startsWith(found)) return `cut to ${found.length} of ${sent.length} characters`;
	if (/&\w+;/.test(found)) return 'escaped';
	const [one, other] = [sent, found].map((text) => text.replace(/\s+/g, ' ').trim());
	return one === other ? 'with other spaces' : `another text of ${found.length} characters`;
}
