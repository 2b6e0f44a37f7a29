import { isRecord, parseAnswer } from './json';
import { toApiToken, type ServiceCredentials } from './token';
import { unfold, type Reading } from './unfold';

const mask = '[hidden]';

/** A cut echo gives a secret away as well, so a part of it counts from this length on. */
const longestPart = 8;

function partOf(secret: string): number {
	return Math.min(secret.length, longestPart, Math.max(4, secret.length - 2));
}

/** In lower case, with every sign in its place. */
function toLowerCase(text: string): string {
	const whole = text.toLowerCase();
	// Most texts at once; that of sigma goes by the letters around it.
	if (whole.length === text.length && !text.includes('Σ')) return whole;
	return text.replace(/\p{CWL}+/gu, (letters) => {
		const lower = letters.toLowerCase();
		return lower.length === letters.length ? lower : letters;
	});
}

/** Letters in any case; a `+` of an address is often read as a space. */
function fold(text: string): string {
	return toLowerCase(text).replaceAll(' ', '+');
}

/** The two signs that Base64 for addresses writes in another way as well. */
function foldBase64(text: string): string {
	return fold(text).replaceAll('-', '+').replaceAll('_', '/');
}

/** What `hideSecrets` looks for. */
export interface Secrets {
	plain: string[];
	base64: string[];
}

/** Texts in the forms in which they are sent and could be echoed. How each of their signs is written is for `unfold`. */
function toSecrets(texts: string[]): Secrets {
	const wanted = texts.filter((text) => text.length > 1);
	const plain = wanted.flatMap((text) => [
		text,
		// A lone surrogate comes back as U+FFFD, and UTF-8 that was taken for Latin-1 as one sign for each byte.
		text.toWellFormed(),
		Buffer.from(text, 'utf8').toString('latin1'),
	]);
	const base64 = wanted.map((text) => Buffer.from(text, 'utf8').toString('base64'));
	return {
		plain: [...new Set(plain.map(fold))],
		base64: [...new Set(base64.map(foldBase64))],
	};
}

/** Everything that must never leave this package in an error: key, secret, token and what the call adds. */
export function secretsOf(credentials: ServiceCredentials, ofThisCall: string[] = []): Secrets {
	const { apiKey, apiSecret } = credentials;
	// The token is the Base64 of the pair.
	return toSecrets([`${apiKey}:${apiSecret}`, apiSecret, apiKey, ...ofThisCall]);
}

/** Shorter values of an address are names and numbers. */
const shortestProof = 16;

/** What lets a call of an address in: n8n's token of a sleeping execution, our proof, the secret of a trigger. */
export function secretsInQuery(address: string): string[] {
	const { searchParams } = new URL(address);
	return [...searchParams.values()].filter(({ length }) => length >= shortestProof);
}

/** What belongs in no data either. A key or a secret alone could be a word of somebody's message. */
export function secretsOfData(credentials: ServiceCredentials): Secrets {
	return { plain: [], base64: [foldBase64(toApiToken(credentials))] };
}

type Range = [from: number, to: number];

/**
 * Every run of signs that is a part of the secret and long enough. It is looked for by pieces of half that length,
 * so close to each other that the shortest run holds one of them whole.
 */
function* findParts(secret: string, text: string): Generator<Range> {
	const shortest = partOf(secret);
	const size = Math.ceil(shortest / 2);
	for (let start = 0; start + size <= secret.length; start += shortest - size + 1) {
		const piece = secret.slice(start, start + size);
		for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
			let before = 0;
			while (before < start && secret[start - before - 1] === text[at - before - 1]) before += 1;
			let after = size;
			while (start + after < secret.length && secret[start + after] === text[at + after]) {
				after += 1;
			}
			if (before + after >= shortest) yield [at - before, at + after];
		}
	}
}

function findSecrets(text: string, { plain, base64 }: Secrets): Range[] {
	const found: Range[] = [];
	const look = (secrets: string[], signs: string, { startOf, endOf }: Reading) => {
		for (const secret of secrets) {
			for (const [from, to] of findParts(secret, signs)) {
				found.push([startOf(from), endOf(to - 1)]);
			}
		}
	};
	for (const reading of unfold(text)) {
		if (plain.length > 0) look(plain, fold(reading.signs), reading);
		look(base64, foldBase64(reading.signs), reading);
	}
	return found.sort(([a], [b]) => a - b);
}

/** Puts a mask in the place of every secret, however its signs are written, and of every long part of one. */
export function hideSecrets(text: string, secrets: Secrets): string {
	let hidden = '';
	let end = 0;
	for (const [from, to] of findSecrets(text, secrets)) {
		if (from > end || hidden === '') hidden += text.slice(end, from) + mask;
		end = Math.max(end, to);
	}
	return hidden + text.slice(end);
}

/** The same for every text in data, names of fields among them. */
function hideInData(data: unknown, secrets: Secrets): unknown {
	if (typeof data === 'string') return hideSecrets(data, secrets);
	if (Array.isArray(data)) return data.map((entry) => hideInData(entry, secrets));
	if (!isRecord(data)) return data;
	return Object.fromEntries(
		Object.entries(data).map(([name, value]) => [
			hideSecrets(name, secrets),
			hideInData(value, secrets),
		]),
	);
}

/**
 * Parses the text of an answer and hides secrets in what comes out: text of JSON can write each sign of a secret
 * in another way, and a mask put over such a text could break it. Most answers hold none, which is seen at once.
 */
export function parseAndHide(text: unknown, secrets: Secrets): unknown {
	const data = parseAnswer(text);
	const isClean = typeof text !== 'string' || findSecrets(text, secrets).length === 0;
	return isClean ? data : hideInData(data, secrets);
}
