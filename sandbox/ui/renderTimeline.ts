import { html } from 'hono/html';
import type { LoggedRequest, SentReceipt, StoredMail, StoredMessage, StoredOtp } from '../entities';
import { formatDateTime } from '../service/dateTime';
import { readOtpState } from '../service/otp';
import { readClock, type State } from '../state';
import { type Html, renderBadge, renderCopy, renderTime } from './layout';
import { maskUrl } from './raw';
import { shorten } from './shorten';
import type { Entry, SearchedRequest, Timeline } from './timeline';

/** Of each text: two hundred long ones make no page. */
const maxTextShown = 1_000;
const maxMailShown = 200;
const maxRecipientsShown = 40;

const columns = ['Time', 'Kind', 'To', 'From', 'Text', 'Status', 'Receipts'];

export function renderTimeline(
	state: State,
	{ shown, total }: Timeline,
	title: string,
	search: string,
): Html {
	const count = total > shown.length ? `the newest ${shown.length} of ${total}` : String(total);
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
		<h2>${title} <small>${count}</small></h2>
		${shown.length === 0 ? empty : table}
	</section>`;
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
		<span class="message">${shorten(text, maxMailShown)}</span>`;
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
