import { isRecord } from './json';
import { toApiToken, type ApiKey } from './token';

const mask = '[hidden]';
/** A cut echo gives a secret away as well, so each part of this length counts. */
const partLength = 8;
const hintLength = 4;
/** An escaped address in a JSON text inside of JSON has four levels. */
const mostLevels = 6;

/** Percent encoding, escapes of JSON and JavaScript, references of HTML. */
const escape =
	/(?:%[\da-f]{2})+|\\u[\da-f]{4}|\\x[\da-f]{2}|\\["\\/'bfnrt]|&#\d{1,7};|&#x[\da-f]{1,6};|&[a-z]{2,6};/gi;
const named: Record<string, string> = {
	...{ amp: '&', apos: "'", colon: ':', equals: '=', gt: '>' },
	...{ lowbar: '_', lt: '<', plus: '+', quot: '"', sol: '/' },
};

function readEscape(code: string): string {
	if (code.length === 2) return /[bfnrt]/i.test(code) ? ' ' : code[1];
	if (code.startsWith('%')) {
		const bytes = Buffer.from(code.replaceAll('%', ''), 'hex');
		const text = bytes.toString('utf8');
		return text.includes('\ufffd') ? bytes.toString('latin1') : text;
	}
	const point = Number(code.replace(/^(\\[ux]|&#x)/i, '0x').replace(/^&#|;$/g, ''));
	if (Number.isFinite(point)) return String.fromCodePoint(Math.min(point, 0x10ffff));
	return named[code.slice(1, -1).toLowerCase()] ?? code;
}

/** A text as it is, and as it reads once its escapes are undone, level by level. */
function* unfold(text: string): Generator<string> {
	let read = text;
	for (let level = 0, before = ''; read !== before && level < mostLevels; level += 1) {
		yield read;
		before = read;
		read = read.replace(escape, readEscape);
	}
}

/** In any case, spaces for the + of an address, and Base64 of either kind. */
function fold(text: string): string {
	return text
		.toUpperCase()
		.replace(/[-+\s]+/g, '+')
		.replaceAll('_', '/');
}

/** What no text may hold; hints are pieces of it, so few and so close that no part comes without one. */
export interface Parts {
	all: Set<string>;
	hints: Set<string>;
}

function toParts(forms: string[]): Parts {
	const parts: Parts = { all: new Set(), hints: new Set() };
	const folded = forms.map((form) => fold(form.replace(/=+$/, '')).replace(/^\+|\+$/g, ''));
	for (const form of folded.filter(({ length }) => length > 1)) {
		for (let start = 0; start === 0 || start + partLength <= form.length; start += 1) {
			const part = form.slice(start, start + partLength);
			parts.all.add(part);
			if (start % (hintLength + 1) === 0) parts.hints.add(part.slice(-hintLength));
		}
	}
	return parts;
}

/** Everything that no error may show: key, secret, token and what the call adds, in plain text and in Base64. */
export function partsOfSecrets(credentials: ApiKey, ofThisCall: string[] = []): Parts {
	const { apiKey, apiSecret } = credentials;
	const secrets = [`${apiKey}:${apiSecret}`, apiSecret, apiKey, ...ofThisCall];
	const forms = secrets.flatMap((secret) => {
		const bytes = Buffer.from(secret, 'utf8');
		// UTF-8 can be taken for Latin-1, and a lone surrogate comes back as U+FFFD.
		const plain = [secret, secret.toWellFormed(), bytes.toString('latin1')];
		return [...plain.flatMap((form) => [...unfold(form)]), bytes.toString('base64')];
	});
	// What was hidden in data before leaves nothing to be read either.
	return toParts([mask, ...forms]);
}

/** What belongs in no data either. A key or a secret alone could be a word of somebody's message. */
export function partsOfToken(credentials: ApiKey): Parts {
	return toParts([toApiToken(credentials)]);
}

/** Whether a text shows a secret or a long part of one, however its signs are written. */
export function holdsPart(text: string, { all, hints }: Parts): boolean {
	for (const read of unfold(text)) {
		const folded = fold(read);
		const isHeld = (part: string) => folded.includes(part);
		if ([...hints].some(isHeld) && [...all].some(isHeld)) return true;
	}
	return false;
}

/** The same data, with a mask for each text that shows a secret. Most data holds none, which is seen at once. */
export function hideInData(data: unknown, parts: Parts): unknown {
	if (typeof data === 'string') return holdsPart(data, parts) ? mask : data;
	if (!data || !holdsPart(JSON.stringify(data), parts)) return data;
	if (Array.isArray(data)) return data.map((entry) => hideInData(entry, parts));
	if (!isRecord(data)) return data;
	const hidden = Object.entries(data).map(([name, value]) => [name, hideInData(value, parts)]);
	return Object.fromEntries(hidden);
}

/** What lets a call of an address in: n8n's token of a sleeping execution, our proof, the secret of a trigger. */
export function secretsInQuery(address: string): string[] {
	const { searchParams } = new URL(address);
	// Shorter values are names and numbers.
	return [...searchParams.values()].filter(({ length }) => length >= 16);
}
