import type { LoggedRequest } from '../entities';
import { type Cell, html, type Html } from './html';

export type Facts = Record<string, Cell>;

export const number = (value: number): string => value.toLocaleString('en-US');
export const time = (dateTime: string): Html =>
	html`<time datetime="${dateTime.replace(' ', 'T')}+06:30">${dateTime}</time>`;

const tones = {
	good: /^(Delivered|Success|verified|2\d\d)$/,
	open: /^(valid|Accepted|Sent|Pending)$/,
	dull: /^(expired|\?)$/,
};

export function badge(status: string | number): Html {
	const [tone] = Object.entries(tones).find(([, of]) => of.test(String(status))) ?? ['bad'];
	return html`<span class="badge ${tone}">${status}</span>`;
}

/** With a button that copies it; `inbox.js` handles the click. */
export const code = (digits: string): Html =>
	html`<code>${digits}</code>
		<button type="button" data-copy="${digits}" aria-label="Copy code ${digits}">Copy</button>`;

const link = /(https?:\/\/[^\s<>"]{1,500})/;
const maxLinks = 3;

/** Makes the first links clickable; a shortened text is followed by them in full. */
export function text(whole: string, max = Infinity): Html {
	const pieces = whole.split(link).map((piece, index) => {
		const isLink = index % 2 === 1 && index < 2 * maxLinks;
		return isLink ? html`<a href="${piece}" rel="noreferrer" target="_blank">${piece}</a>` : piece;
	});
	if (whole.length <= max) return html`<span class="message">${pieces}</span>`;
	const links = pieces.filter((piece) => typeof piece !== 'string');
	return html`<span class="message">${shorten(whole, max)}</span> ${links}`;
}

/** Shortens a text and appends its length; never splits a surrogate pair. */
export function shorten(whole: string, max: number): string {
	if (whole.length <= max) return whole;
	const beginning = whole.slice(0, max).replace(/[\ud800-\udbff]$/, '');
	return `${beginning.trimEnd()} ... (${whole.length} characters in all)`;
}

/** Columns whose cells do not wrap. */
const shortColumns = /^(Time|Kind|To|From|Status)$/;

/** All rows have the columns of the first. */
export function table(rows: Facts[]): Html {
	const cell = ([name, value]: [string, Cell]): Html =>
		html`<td data-name="${name}" class="${shortColumns.test(name) ? '' : 'text'}">${value}</td>`;
	const line = (row: Facts): Html =>
		html`<tr>
			${Object.entries(row).map(cell)}
		</tr>`;
	return html`<table>
		<thead>
			<tr>
				${Object.keys(rows[0] ?? {}).map((name) => html`<th scope="col">${name}</th>`)}
			</tr>
		</thead>
		<tbody>
			${rows.map(line)}
		</tbody>
	</table>`;
}

export function list(title: string, rows: Facts[]): Html {
	return html`<section aria-label="${title}">
		<h3>${title}</h3>
		${rows.length === 0 ? html`<p class="empty">None.</p>` : table(rows)}
	</section>`;
}

/** The page of one entry. Omits empty facts. */
export function details(title: string, sections: Cell[], facts: Facts = {}): Html {
	const shown = Object.entries(facts).filter(([, value]) => value);
	const terms = shown.map(
		([name, value]) =>
			html`<div>
				<dt>${name}</dt>
				<dd>${value}</dd>
			</div>`,
	);
	return html`<p><a href="/_sandbox" id="back">Back to all</a></p>
		<h2>${title}</h2>
		${terms.length > 0 && html`<dl>${terms}</dl>`} ${sections}`;
}

const mask = '***';
const maxRawShown = 100_000;
/** Masks the query, which may contain the receiver's secret. */
export const maskUrl = (url: string): string => url.replace(/\?.*$/, `?${mask}`);

/** In a query, and in JSON that can be a text in other JSON (`\"encryptKey\":\"...\"`). */
function maskFields(raw: string): string {
	return raw
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
export function requests(logged: LoggedRequest[]): Html {
	const shown = logged.map((request) => {
		const { number, method, path, rawQuery, headers, body, statusAnswered, answer } = request;
		const [token = mask] = /\S+$/.exec(headers.authorization ?? '') ?? [];
		const hide = (lines: string[]) => maskFields(lines.join('\n')).replaceAll(token, mask);
		const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
		const content = typeof body === 'string' ? body : JSON.stringify(body ?? null, null, 2);
		const end = content && ['', shorten(content, maxRawShown)];
		const question = hide([`${method} ${path}${rawQuery && `?${rawQuery}`}`, ...lines, ...end]);
		const response = hide([String(statusAnswered), ...(answer ? ['', indent(answer)] : [])]);
		return html`<h4>Request ${number}</h4>
			<pre tabindex="0" aria-label="Request ${number} as received">${question}</pre>
			<pre tabindex="0" aria-label="Response to request ${number}">${response}</pre>`;
	});
	return html`<section>
		<h3>Request and response</h3>
		${shown.length === 0 ? html`<p class="empty">No longer kept.</p>` : shown}
	</section>`;
}
