import type { LoggedRequest } from '../entities';
import { shorten } from './renderText';

const mask = '***';
const maxTextShown = 100_000;

/**
 * Formats a request and its response; masks tokens, encryption keys and queries of receipt URLs in both: an `echo`
 * fault repeats the request in the response.
 */
export function writeRaw(request: LoggedRequest): { question: string; answer: string } {
	const { method, path, rawQuery, headers, body, statusAnswered, answer = '' } = request;
	const [token] = /\S+$/.exec(headers.authorization ?? '') ?? [];
	const hide = (lines: string[]): string => {
		const text = maskFields(lines.join('\n'));
		return token === undefined ? text : text.replaceAll(token, mask);
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? null, null, 2);
	const query = rawQuery && `?${rawQuery}`;
	const shown = text && ['', shorten(text, maxTextShown)];
	return {
		question: hide([`${method} ${path}${query}`, ...lines, ...shown]),
		answer: hide([String(statusAnswered), ...(answer && ['', indent(answer)])]),
	};
}

/** In a query, and in JSON that can be a text in other JSON (`\"encryptKey\":\"...\"`). */
function maskFields(text: string): string {
	return text
		.replace(/\b(accessToken|encryptKey|deliveryReceiptUrl)=[^&\s"\\]*/gi, `$1=${mask}`)
		.replace(/((\\{0,9})"encryptKey\2": ?\2").*?(?=(?<!\\)\2"|$)/gm, `$1${mask}`)
		.replace(/((\\{0,9})"deliveryReceiptUrl\2": ?\2"[^"?\n]*\?).*?(?=(?<!\\)\2"|$)/gm, `$1${mask}`);
}

function indent(answer: string): string {
	try {
		return JSON.stringify(JSON.parse(answer), null, 2);
	} catch {
		return answer;
	}
}

/** Masks the query, which may contain the receiver's secret. */
export function maskUrl(url: string): string {
	return url.replace(/\?.*$/, `?${mask}`);
}
