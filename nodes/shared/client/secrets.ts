import { createHash, timingSafeEqual } from 'node:crypto';

import { unescapeHtml } from '../input/text';
import { toApiToken, type ApiKey } from './credential';
import { isObject } from './json';

const mask = '[hidden]';

const escapes =
	/(?:%[\da-f]{2})+|\\u[\da-f]{4}|\\["\\/bfnrt]|&(?:#x[\da-f]{1,5}|#\d{1,6}|amp|lt|gt|quot|apos);/gi;

function readEscape(code: string): string {
	if (code.startsWith('%')) return Buffer.from(code.replaceAll('%', ''), 'hex').toString('utf8');
	if (code.startsWith('&')) return unescapeHtml(code);
	if (code.length > 2) return String.fromCharCode(parseInt(code.slice(2), 16));
	return /[bfnrt]/i.test(code) ? ' ' : code[1];
}

/** A text as written, and without its escapes: one level, since only ordinary echoes are hidden. */
function readings(text: string): string[] {
	return /[%&\\]/.test(text) ? [text, text.replace(escapes, readEscape)] : [text];
}

/** In a form, a space is a `+`. */
const fold = (text: string) => text.replace(/[+\s]+/g, ' ');

/** Texts that must not be shown, as `fold` returns them. */
function toSecrets(forms: string[]): string[] {
	const folded = forms.map((form) => fold(form.replace(/=+$/, '')).trim());
	return folded.filter(({ length }) => length > 1);
}

/** Everything that errors must not show: key, secret, token and the call's own secrets, in plain text and Base64. */
export function listSecrets({ apiKey, apiSecret }: ApiKey, ofCall: string[] = []): string[] {
	const secrets = [`${apiKey}:${apiSecret}`, apiSecret, apiKey, ...ofCall];
	const encoded = secrets.map((secret) => Buffer.from(secret, 'utf8').toString('base64'));
	// A text with the mask in it held a secret, so errors must not show it either.
	return toSecrets([mask, ...secrets, ...encoded]);
}

export function holdsSecret(text: string, secrets: string[]): boolean {
	const read = readings(text).map(fold);
	return secrets.some((secret) => read.some((one) => one.includes(secret)));
}

function hash(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

/** Compares in constant time: hashes always have the same length. */
export function isSecretRight(expected: string, given: unknown): boolean {
	return typeof given === 'string' && timingSafeEqual(hash(expected), hash(given));
}

function mapTexts(value: unknown, replace: (text: string) => string): unknown {
	if (typeof value === 'string') return replace(value);
	if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, replace));
	if (!isObject(value)) return value;
	const entries = Object.entries(value).map(([key, inner]) => [
		key,
		// These identify and decrypt a message, and hold no link.
		['messageId', 'encryptKey'].includes(key) ? inner : mapTexts(inner, replace),
	]);
	return Object.fromEntries(entries);
}

/** The same data, with a mask for each text that shows the token. A key or a secret alone could be a word in a message. */
export function hideToken(data: unknown, credentials: ApiKey): unknown {
	const token = toSecrets([toApiToken(credentials)]);
	return mapTexts(data, (text) => (holdsSecret(text, token) ? mask : text));
}

/** Values that authorize a webhook call: n8n's token of a waiting execution, our proof, a trigger's secret. */
export function secretsInQuery(address: string): string[] {
	const { searchParams } = new URL(address);
	// Shorter values are names and numbers.
	return [...searchParams.values()].filter(({ length }) => length >= 16);
}

/** Every link to a waiting execution has n8n's path, unless the owner of that n8n renamed it, or a signature. */
const linkMark = /(?:webhook|form)-waiting\/|signature=[\da-f]{8}/i;

/** Whether a text shows a link that resumes an execution: plain, percent-encoded, or escaped for HTML or JSON. */
export function holdsWaitingLink(text: string): boolean {
	return readings(text).some((read) => linkMark.test(read));
}

/** A text until its first address; empty if that holds a link too. */
function findVisible(text: string): string {
	const visible = text.slice(0, Math.max(text.search(/https?/i), 0));
	return holdsWaitingLink(visible) ? '' : visible;
}

/** Data for the output of a node: anyone who reads a waiting link can approve what an execution waits for. */
export function hideWaitingLinks<T>(data: T): T {
	return mapTexts(data, (text) => (holdsWaitingLink(text) ? findVisible(text) + mask : text)) as T;
}

/**
 * Whether any service finds a text by what is visible of it: a hidden link must not be guessed letter by letter. The
 * case counts, because a model can have all letters of a link in a visible text, in the other case.
 */
export function isFoundByVisible(text: unknown, sought: string): boolean {
	if (typeof text !== 'string' || !holdsWaitingLink(text)) return true;
	return findVisible(text).includes(sought);
}
