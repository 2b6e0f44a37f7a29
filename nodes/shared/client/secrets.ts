import { isRecord } from './json';
import { toApiToken, type ApiKey } from './token';

export const mask = '[hidden]';
/** An escaped URL in JSON within JSON has four levels. */
const mostLevels = 6;

/** Percent encoding and JSON escapes. */
const escape = /(?:%[\da-f]{2})+|\\u[\da-f]{4}|\\["\\/bfnrt]/gi;

function readEscape(code: string): string {
	if (code.startsWith('%')) return Buffer.from(code.replaceAll('%', ''), 'hex').toString('utf8');
	if (code.length > 2) return String.fromCharCode(parseInt(code.slice(2), 16));
	return /[bfnrt]/i.test(code) ? ' ' : code[1];
}

/** A text as written, then with its escapes decoded level by level. */
function* unfold(text: string): Generator<string> {
	let read = text;
	for (let level = 0, before = ''; read !== before && level < mostLevels; level += 1) {
		yield read;
		before = read;
		read = read.replace(escape, readEscape);
	}
}

/** Ignores case, the space that a `+` in a URL becomes, and the difference between Base64 and URL-safe Base64. */
function fold(text: string): string {
	return text
		.toUpperCase()
		.replace(/[-+\s]+/g, '+')
		.replaceAll('_', '/');
}

/** Texts that must not be shown, as `fold` returns them. */
export type Secrets = string[];

function toSecrets(forms: string[]): Secrets {
	const folded = forms.map((form) => fold(form.replace(/=+$/, '')).replace(/^\+|\+$/g, ''));
	return [...new Set(folded)].filter(({ length }) => length > 1);
}

/** Everything that errors must not show: key, secret, token and the call's own secrets, in plain text and Base64. */
export function listSecrets(credentials: ApiKey, ofThisCall: string[] = []): Secrets {
	const { apiKey, apiSecret } = credentials;
	const secrets = [`${apiKey}:${apiSecret}`, apiSecret, apiKey, ...ofThisCall];
	const forms = secrets.flatMap((secret) => [
		...unfold(secret),
		Buffer.from(secret, 'utf8').toString('base64'),
	]);
	// A text with the mask in it held a secret, so errors must not show it either.
	return toSecrets([mask, ...forms]);
}

/** What data must not hold: only the token, because a key or a secret alone could be a word in a message. */
export function listToken(credentials: ApiKey): Secrets {
	return toSecrets([toApiToken(credentials)]);
}

/** Whether a text shows a secret, also escaped or encoded. */
export function holdsSecret(text: string, secrets: Secrets): boolean {
	for (const read of unfold(text)) {
		const folded = fold(read);
		if (secrets.some((secret) => folded.includes(secret))) return true;
	}
	return false;
}

/** The same data, with a mask for each text that shows a secret. One check covers data that holds none. */
export function hideInData(data: unknown, secrets: Secrets): unknown {
	if (typeof data === 'string') return holdsSecret(data, secrets) ? mask : data;
	if (!data || !holdsSecret(JSON.stringify(data), secrets)) return data;
	if (Array.isArray(data)) return data.map((entry) => hideInData(entry, secrets));
	if (!isRecord(data)) return data;
	const hidden = Object.entries(data).map(([name, value]) => [name, hideInData(value, secrets)]);
	return Object.fromEntries(hidden);
}

/** Values that authorize a webhook call: n8n's token of a waiting execution, our proof, a trigger's secret. */
export function secretsInQuery(address: string): string[] {
	const { searchParams } = new URL(address);
	// Shorter values are names and numbers.
	return [...searchParams.values()].filter(({ length }) => length >= 16);
}

/**
 * Every link to a waiting execution has n8n's path, unless the owner of that n8n renamed it, or a signature, which has 64
 * hexadecimal digits. Decimal digits alone are a list of numbers.
 */
const linkMark = /(?:webhook|form)-waiting\/|signature=[\da-f]{8}|(?=\d{0,63}[a-f])[\da-f]{64}/i;
/** What identifies or decrypts a message, and holds no link. */
const neverHidden = ['messageId', 'encryptKey'];
/** One of them is in every link, plain or escaped. Most texts have none, and need no search. As one expression they take ten times as long. */
const linkHints = [/[=/%\\&＝／]/, /(?:[\da-f][\s\p{Cf}]*){64}/iu];

/** Services store texts HTML-escaped, in full width, or broken by spaces. */
function toPlainLink(text: string): string {
	const unescaped = text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|amp);/gi, (_, hex, decimal) => {
		const code = hex ? parseInt(String(hex), 16) : Number(decimal ?? '38');
		return code <= 0x10ffff ? String.fromCodePoint(code) : '';
	});
	return unescaped.normalize('NFKC').replace(/[\s\p{Cf}]+/gu, '');
}

/** Whether a text shows a link that resumes an execution, also escaped, cut off or broken by spaces. */
export function holdsWaitingLink(text: string): boolean {
	if (!linkHints.some((hint) => hint.test(text))) return false;
	for (const read of unfold(text)) {
		if (linkMark.test(toPlainLink(read))) return true;
	}
	return false;
}

/** A text until its first address, because nothing shows where a broken link ends; empty if that holds a link too. */
function findVisible(text: string): string {
	const visible = text.slice(0, Math.max(text.search(/https?/i), 0));
	return holdsWaitingLink(visible) ? '' : visible;
}

/**
 * Data for the output of a node: anyone who reads a waiting link can approve what an execution waits for. Links stay
 * in everything that is compared, so that messages are recognized.
 */
export function hideWaitingLinks<T>(data: T): T {
	const hide = (value: unknown): unknown => {
		if (typeof value === 'string')
			return holdsWaitingLink(value) ? findVisible(value) + mask : value;
		if (Array.isArray(value)) return value.map(hide);
		if (!isRecord(value)) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [
				name,
				neverHidden.includes(name) ? inner : hide(inner),
			]),
		);
	};
	return hide(data) as T;
}

/**
 * Whether any service finds a text by what is visible of it: a hidden link must not be guessed letter by letter. The
 * case counts, because a model can have all letters of a link in a visible text, in the other case.
 */
export function isFoundByVisible(text: unknown, sought: string): boolean {
	if (typeof text !== 'string' || !holdsWaitingLink(text)) return true;
	return findVisible(text).includes(sought);
}
