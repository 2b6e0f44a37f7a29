import { html } from 'hono/html';
import type { LoggedRequest, SentReceipt, StoredMail, StoredMessage, StoredOtp } from '../entities';
import { formatDateTime } from '../service/dateTime';
import { readOtpState } from '../service/otp';
import { readClock, type State } from '../state';
import { type Html, renderBadge, renderCopy, renderTime } from './layout';
import { maskUrl } from './raw';
import { renderText, shorten } from './renderText';

/** Characters shown per text: a page has up to 200 texts. */
const maxTextShown = 300;
const maxRecipientsShown = 40;

/** A request as search returns it: without its body. */
export type SearchedRequest = LoggedRequest & { recipients?: string };

/** Cells in the order of the timeline's columns. */
export type Row = Array<Html | string>;

function renderRow(path: string, dateTime: string, [kind = '', ...cells]: Row): Row {
	const id = path.replace('/', '-');
	const time = html`<a
		href="/_sandbox/${path}"
		id="${id}"
		aria-label="Open the ${kind} of ${dateTime}"
		>${renderTime(dateTime)}</a
	>`;
	return [time, kind, ...cells];
}

export function renderMessage(message: StoredMessage): Row {
	const reported = message.reported.map(
		({ status, answered }) => `${status} → ${answered ?? 'no response'}`,
	);
	const tags = [
		message.encryptMessage && 'encrypted',
		message.test && 'test',
		message.scheduledAt && `for ${message.scheduledAt}`,
		message.clientReference && `reference ${message.clientReference}`,
	].filter((tag) => typeof tag === 'string');
	const text = html`${renderText(message.message, maxTextShown)}
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

export function renderOtp(state: State, otp: StoredOtp): Row {
	return renderRow(`codes/${otp.requestId}`, otp.createdAt, [
		'code',
		otp.to,
		otp.from,
		html`<code>${otp.code}</code> ${renderCopy(otp.code)}`,
		renderBadge(readOtpState(state, otp)),
		'',
	]);
}

export function renderMail({ mailId, createdAt, to, from, subject, text }: StoredMail): Row {
	const words = html`<strong>${subject || '(no subject)'}</strong>
		<span class="message">${shorten(text, maxTextShown)}</span>`;
	return renderRow(`mails/${mailId}`, createdAt, ['mail', to, from, words, '', '']);
}

export function renderReceipt(state: State, receipt: SentReceipt): Row {
	const { messageId, at, to, url, attempt, status, answered } = receipt;
	const path = `messages/${encodeURIComponent(messageId)}`;
	const time = formatDateTime(at + readClock(state) - Date.now());
	const words = `${maskUrl(url)}, attempt ${attempt}`;
	const answer = renderBadge(answered === null ? 'no response' : String(answered));
	return renderRow(path, time, ['receipt', to, '', words, renderBadge(status), answer]);
}

export function renderRequest(request: SearchedRequest): Row {
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
	return isSuccess && reason !== undefined ? `${statusAnswered}, rejected` : String(statusAnswered);
}
