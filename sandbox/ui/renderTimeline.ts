import { html, raw } from 'hono/html';
import type { LoggedRequest, SentReceipt, StoredMail, StoredMessage, StoredOtp } from '../entities';
import { formatDateTime } from '../service/dateTime';
import { readOtpState } from '../service/otp';
import { readClock, type State } from '../state';
import { formatNumber, type Html, renderBadge, renderCopy, renderTime } from './layout';
import { maskUrl } from './raw';
import { shorten } from './shorten';
import {
	entriesPerPage,
	type Entry,
	maxPages,
	type SearchedRequest,
	type Timeline,
	type View,
	views,
} from './timeline';

/** Of each text: two hundred long ones make no page. */
const maxTextShown = 300;
const maxRecipientsShown = 40;

const columns = ['Time', 'Kind', 'To', 'From', 'Text', 'Status', 'Receipts'];

export function renderTimeline(state: State, timeline: Timeline, view: View, search: string): Html {
	const { shown, total, page } = timeline;
	const first = (page - 1) * entriesPerPage + 1;
	const range = `${formatNumber(first)} to ${formatNumber(first + shown.length - 1)} of `;
	const empty = html`<p class="empty">${search ? 'Nothing matches.' : 'Nothing yet.'}</p>`;
	const table = html`<table>
		<thead>
			<tr>
				${columns.map((column) => html`<th scope="col">${column}</th>`)}
			</tr>
		</thead>
		<tbody>
			${shown.map((entry) => renderEntry(state, entry))}
		</tbody>
	</table>`;
	return html`<section>
		<h2>
			${views[view]}
			<small>${total > shown.length && shown.length > 0 ? range : ''}${formatNumber(total)}</small>
		</h2>
		${shown.some(hasReceipts) ? legend : ''} ${shown.length === 0 ? empty : table}
		${total > entriesPerPage ? renderPager(timeline, view, search) : ''}
	</section>`;
}

const legend = html`<p class="dim">
	Receipts: <q>Sent → 200</q> means that your receiver was told the status Sent and responded 200.
</p>`;

function hasReceipts(entry: Entry): boolean {
	return entry.kind === 'message' && entry.message.reported.length > 0;
}

function renderPager({ page, total }: Timeline, view: View, search: string): Html {
	const link = (title: string, wanted: number): Html => {
		const fields = { view, ...(search && { q: search }), page: String(wanted) };
		return html`<a href="/_sandbox?${raw(new URLSearchParams(fields).toString())}">${title}</a>`;
	};
	const hasOlder = page * entriesPerPage < total;
	return html`<nav class="pager" aria-label="Pages">
		${page > 1 ? link('Newer', page - 1) : ''}
		${hasOlder && page < maxPages ? link('Older', page + 1) : ''}
		${hasOlder && page === maxPages ? 'The search finds older ones.' : ''}
	</nav>`;
}

function renderEntry(state: State, entry: Entry): Html {
	if (entry.kind === 'message') return renderMessage(entry.message);
	if (entry.kind === 'code') return renderOtp(state, entry.otp);
	if (entry.kind === 'mail') return renderMail(entry.mail);
	if (entry.kind === 'receipt') return renderReceipt(state, entry.receipt);
	return renderRequest(entry.request);
}

function renderRow(path: string, dateTime: string, cells: Array<Html | string>): Html {
	const id = path.replace('/', '-');
	const [kind, to, from, text, status, receipts] = cells;
	return html`<tr>
		<td data-name="Time">
			<a href="/_sandbox/${path}" id="${id}" aria-label="Open the ${kind} of ${dateTime}"
				>${renderTime(dateTime)}</a
			>
		</td>
		<td data-name="Kind">${kind}</td>
		<td data-name="To">${to}</td>
		<td data-name="From">${from}</td>
		<td data-name="Text" class="text">${text}</td>
		<td data-name="Status">${status}</td>
		<td data-name="Receipts" class="text">${receipts}</td>
	</tr>`;
}

function renderMessage(message: StoredMessage): Html {
	const reported = message.reported.map(
		({ status, answered }) => `${status} → ${answered ?? 'no answer'}`,
	);
	const tags = [
		message.encryptMessage && 'encrypted',
		message.test && 'test',
		message.scheduledAt && `for ${message.scheduledAt}`,
		message.clientReference && `reference ${message.clientReference}`,
	].filter((tag) => typeof tag === 'string');
	const text = html`<span class="message">${shorten(message.message, maxTextShown)}</span>
		${tags.map((tag) => html`<span class="tag">${tag}</span> `)}`;
	const path = `messages/${encodeURIComponent(message.messageId)}`;
	return renderRow(path, message.createdAt, [
		'message',
		message.to,
		message.from,
		text,
		renderBadge(message.status),
		reported.join(', '),
	]);
}

function renderOtp(state: State, otp: StoredOtp): Html {
	return renderRow(`codes/${otp.requestId}`, otp.createdAt, [
		'code',
		otp.to,
		otp.from,
		html`<code>${otp.code}</code> ${renderCopy(otp.code)}`,
		renderBadge(readOtpState(state, otp)),
		'',
	]);
}

function renderMail({ mailId, createdAt, to, from, subject, text }: StoredMail): Html {
	const words = html`<strong>${subject || '(no subject)'}</strong>
		<span class="message">${shorten(text, maxTextShown)}</span>`;
	return renderRow(`mails/${mailId}`, createdAt, ['mail', to, from, words, '', '']);
}

function renderReceipt(state: State, receipt: SentReceipt): Html {
	const { messageId, at, to, url, attempt, status, answered } = receipt;
	const path = `messages/${encodeURIComponent(messageId)}`;
	const time = formatDateTime(at + readClock(state) - Date.now());
	const words = `${maskUrl(url)}, attempt ${attempt}`;
	const answer = renderBadge(answered === null ? 'no response' : String(answered));
	return renderRow(path, time, ['receipt', to, '', words, renderBadge(status), answer]);
}

function renderRequest(request: SearchedRequest): Html {
	const { method, path, number, clockMs, reason = '', fault = '', recipients = '' } = request;
	const text = [`${method} ${path.replace(/^\/api/, '')}`, reason, fault]
		.filter(Boolean)
		.join(' · ');
	return renderRow(`requests/${number}`, formatDateTime(clockMs), [
		'request',
		recipients.slice(0, maxRecipientsShown).trim().replaceAll(' ', ', '),
		'',
		html`<span class="message">${text}</span>`,
		renderBadge(describeStatus(request)),
		'',
	]);
}

function describeStatus({ statusAnswered, reason }: LoggedRequest): string {
	const isSuccess = typeof statusAnswered === 'number' && statusAnswered < 300;
	return isSuccess && reason !== undefined ? `${statusAnswered}, refused` : String(statusAnswered);
}
