import * as z from 'zod/v4';

/** An external value that is not valid. */
export class WrongValue extends Error {}

/** Nothing has the requested ID. */
export class NotFound extends Error {}

/** Up to the longest delay of a Node timer, about 24 days. */
export const milliseconds = z.number().min(0).max(2_147_483_647);
export const whole = z.int().min(0);
/** Of an email address (RFC 5321, 4.5.3.1.3, without the brackets). */
export const maxAddressLength = 254;
export const filledText = z.string().refine((text) => text !== '', 'a text that is not empty');

/** @param about its description in the OpenAPI document */
export const optional = <Shape extends z.ZodType>(shape: Shape, about: string) =>
	shape.optional().describe(about);

/** Assumptions that a service may well break, by the IDs of SUPPORTED.md and of the check; another way after a colon. */
export const deviations = [
	...['auth-bearer', 'wrong-key', 'token-in-query', 'unknown-path', 'envelope', 'envelope:list'],
	...['envelope:success', 'envelope:records'],
	...['error-status', 'error-422', 'error-422:list', 'method-send', 'method-bulk'],
	...['method-history', 'method-balance', 'method-balance:type', 'method-otp-request'],
	...['method-otp-verify', 'method-query', 'flag-test', 'flag-unicode', 'flag-encrypt'],
	...['flags-numbers', 'flags-booleans'],
	...['test-free', 'number-plus', 'number-plus:escaped', 'number-form', 'number-form:masked'],
	...['number-form:short', 'number-form:missing', 'reference-empty', 'send-by-query'],
	...['sender-unregistered', 'sender-unregistered:status', 'sender-unregistered:data'],
	...['sender-unregistered:bare', 'bulk-all-or-none', 'bulk-reference', 'bulk-reference:own'],
	...['time-form', 'time-form:zone', 'time-form:offset', 'zone-created', 'schedule-zone'],
	...['schedule-listed', 'listing-time', 'reference-in-history'],
	...['history-sender', 'history-text', 'history-text:cut', 'history-text:escaped'],
	...['history-text:trimmed', 'history-text:lf', 'history-text:extended'],
	...['history-number', 'history-number:masked', 'history-number:short'],
	...['history-number:missing', 'history-newest-first', 'history-filters'],
	...['history-filters:ignored', 'history-pages', 'history-pages:repeated', 'page-sizes'],
	...['page-sizes:claimed', 'history-no-codes', 'otp-defaults', 'otp-defaults:length'],
	...['otp-defaults:attempts', 'verify-wrong', 'verify-wrong:status', 'verify-wrong:list'],
	...['verify-wrong:rejected', 'verify-right', 'verify-once', 'verify-expired', 'verify-blocked'],
	...['receipt-retries', 'receipt-statuses', 'receipt-ping'],
] as const;
export type Deviation = (typeof deviations)[number];

/** A whole number given as text, as in a query. */
export const wholeText = z
	.string()
	.regex(/^\d{1,15}$/, 'a whole number from 0')
	.transform(Number);

/** Of milliseconds since 1970 or ISO 8601, as text; NaN for anything else. */
export function readTime(text: string): number {
	return /^\d+$/.test(text) ? Number(text) : Date.parse(text);
}

const wantedDuration = 'a duration such as 10s or 500ms, of 300s at most';
/** Converted to milliseconds. */
export const duration = z
	.string()
	.regex(/^\d{1,9}(ms|s)$/, wantedDuration)
	.transform((text) => parseInt(text, 10) * (text.endsWith('ms') ? 1 : 1000))
	.refine((ms) => ms <= 300_000, wantedDuration);

/** @param names plural noun for the value's names in messages @throws WrongValue that names the mistake */
export function read<T>(shape: z.ZodType<T>, value: unknown, names = 'fields'): T {
	const { data, error } = shape.safeParse(value, { reportInput: true, error: describeWanted });
	if (!error) return data as T;
	const issue = findClosest(error.issues);
	const place = writePlace(issue.path);
	if (issue.code === 'unrecognized_keys') {
		const unknown = issue.keys.map((name) => writePlace([...issue.path, name]));
		throw new WrongValue(`Unknown ${place === '' ? names : 'fields'}: ${unknown.join(', ')}`);
	}
	const name = place || 'The body';
	if (issue.input === undefined) throw new WrongValue(`${name} is missing.`);
	const shown = JSON.stringify(issue.input)?.slice(0, 100) ?? 'nothing';
	throw new WrongValue(`${name} must be ${issue.message}, not ${shown}.`);
}

type Issue = z.core.$ZodIssue;

/** Of a union, reports the choice of the right type with the fewest errors. */
function findClosest(issues: Issue[]): Issue {
	const [issue] = issues as [Issue];
	if (issue.code !== 'invalid_union') return issue;
	const ofType = issue.errors.filter((errors) =>
		errors.some(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
	);
	const [closest] = ofType.sort((one, other) => one.length - other.length);
	if (!closest) return issue;
	const best = findClosest(closest);
	return { ...best, path: [...issue.path, ...best.path] };
}

function writePlace(path: PropertyKey[]): string {
	const names = path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${String(name)}`));
	return names.join('').replace(/^\./, '');
}

const typeNames: Record<string, string> = {
	...{ array: 'a list', boolean: 'true or false', int: 'a whole number', number: 'a number' },
	...{ object: 'an object', record: 'an object', string: 'a text' },
};

/** Schemas with a message of their own say what they want themselves. */
function describeWanted(issue: z.core.$ZodRawIssue): string {
	switch (issue.code) {
		case 'invalid_type':
			return typeNames[issue.expected] ?? issue.expected;
		case 'invalid_value':
			return `one of ${issue.values.join(', ')}`;
		case 'too_small':
			return `a number from ${issue.minimum}`;
		case 'too_big':
			return `a number up to ${issue.maximum}`;
		case 'invalid_key':
			return issue.issues[0]?.message ?? 'another name';
		default:
			return 'something else';
	}
}

/** JSON with more brackets may be nested too deeply to serialize again, which overflows the stack. */
const fewBrackets = 2_000;

/** @throws Error when the text is not JSON, or nested too deeply */
export function parseJson(text: string): unknown {
	const value: unknown = JSON.parse(text);
	if (text.length > fewBrackets && (text.match(/[[{]/g)?.length ?? 0) > fewBrackets) {
		JSON.stringify(value);
	}
	return value;
}

/** Names of repeated parameters. */
export function listRepeated(parameters: URLSearchParams): string[] {
	return [...new Set(parameters.keys())].filter((name) => parameters.getAll(name).length > 1);
}
