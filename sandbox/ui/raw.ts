import { html } from 'hono/html';
import type { LoggedRequest } from '../entities';
import { type Html, shorten } from './show';

const mask = '***';
const maxTextShown = 100_000;

/** Masks the query, which may contain the receiver's secret. */
export const maskUrl = (url: string): string => url.replace(/\?.*$/, `?${mask}`);

/** In a query, and in JSON that can be a text in other JSON (`\"encryptKey\":\"...\"`). */
function maskFields(text: string): string {
	return text
		.replace(/\b(accessToken|encryptKey|deliveryReceiptUrl)=[^&\s"\\]*/gi, `$1=${mask}`)
		.replace(/((\\{0,9})"encryptKey\2": ?\2").*?(?=(?<!\\)\2"|$)/gm, `$1${mask}`)
		.replace(/((\\{0,9})"deliveryReceiptUrl\2": ?\2"[^"?\n]*\?).*?(?=(?<!\\)\2"|$)/gm, `$1${mask}`);
}

function indent(json: string): string {
	try {
		return JSON.stringify(JSON.parse(json), null, 2);
	} catch {
		return json;
	}
}

/** Requests and their responses, both without secrets: an `echo` fault repeats the request in the response. */
export function renderRequests(requests: LoggedRequest[]): Html {
	const shown = requests.map(renderRequest);
	return html`<section>
		<h3>Request and response</h3>
		${shown.length === 0 ? html`<p class="empty">No longer kept.</p>` : shown}
	</section>`;
}

function renderRequest(request: LoggedRequest): Html {
	const { number, method, path, rawQuery, headers, body, statusAnswered, answer } = request;
	const [token = mask] = /\S+$/.exec(headers.authorization ?? '') ?? [];
	const hide = (lines: string[]) => maskFields(lines.join('\n')).replaceAll(token, mask);
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? null, null, 2);
	const shown = text && ['', shorten(text, maxTextShown)];
	const question = hide([`${method} ${path}${rawQuery && `?${rawQuery}`}`, ...lines, ...shown]);
	const response = hide([String(statusAnswered), ...(answer ? ['', indent(answer)] : [])]);
	return html`<h4>Request ${number}</h4>
		<pre tabindex="0" aria-label="Request ${number} as received">${question}</pre>
		<pre tabindex="0" aria-label="Response to request ${number}">${response}</pre>`;
}
