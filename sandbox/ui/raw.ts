import type { LoggedRequest } from '../entities';
import { shorten } from './shorten';

const mask = '***';
const maxTextShown = 100_000;

/** Formats a request and its response; masks the request's tokens, encryption keys and queries of receipt URLs. */
export function writeRaw(request: LoggedRequest): { question: string; answer: string } {
	const { method, path, rawQuery, headers, body, statusAnswered, answer = '' } = request;
	const lines = Object.entries(headers).map(
		([name, value]) => `${name}: ${name === 'authorization' ? maskHeader(value) : value}`,
	);
	const query = rawQuery && `?${maskQuery(rawQuery)}`;
	const text = typeof body === 'string' ? body : JSON.stringify(maskFields(body), null, 2);
	return {
		question: [
			`${method} ${path}${query}`,
			...lines,
			...(text && ['', shorten(text, maxTextShown)]),
		].join('\n'),
		answer: [String(statusAnswered), ...(answer && ['', maskAnswer(answer)])].join('\n'),
	};
}

function maskHeader(authorization: string): string {
	return authorization.replace(/^(\S+) .+$/, `$1 ${mask}`);
}

function maskQuery(rawQuery: string): string {
	return rawQuery.replace(
		/(?<=^|&)(accessToken|encryptKey|deliveryReceiptUrl)=[^&]*/gi,
		`$1=${mask}`,
	);
}

/** Keeps the order and spelling of all other fields. */
function maskFields(body: unknown): unknown {
	return JSON.parse(JSON.stringify(body ?? null), (name: string, value: unknown) => {
		if (name === 'encryptKey') return mask;
		return name === 'deliveryReceiptUrl' && typeof value === 'string' ? maskUrl(value) : value;
	}) as unknown;
}

function maskAnswer(answer: string): string {
	try {
		return JSON.stringify(maskFields(JSON.parse(answer)), null, 2);
	} catch {
		return answer;
	}
}

/** Masks the query, which may contain the receiver's secret. */
export function maskUrl(url: string): string {
	return url.replace(/\?.*$/, `?${mask}`);
}
