import { html } from 'hono/html';
import type { LoggedRequest, StoredMail, StoredMessage, StoredOtp } from '../entities';
import { readChangeTime } from '../service/messages';
import { formatDateTime } from '../service/dateTime';
import { readOtpState } from '../service/otp';
import { readClock, type State } from '../state';
import {
	formatNumber,
	type Html,
	renderBadge,
	renderCopy,
	renderTable,
	renderTime,
} from './layout';
import { maskUrl, writeRaw } from './raw';
import { renderText } from './renderText';

const statuses = [
	'Sent',
	'Delivered',
	'Pending',
	'Rejected',
	'Failed',
	'Undelivered',
	'Error',
	'Expired',
	'Success',
	'?',
];

type Facts = Array<[name: string, value: Html | string]>;

export function renderMessageDetails(state: State, message: StoredMessage): Html {
	const { messageId, encoding, messageCount, price, clientReference, scheduledAt } = message;
	const facts: Facts = [
		['To', `${message.to} (${message.network})`],
		['From', message.from],
		['Text', renderText(message.message)],
		['Status', renderBadge(message.status)],
		['Encoding', `${encoding}, ${messageCount} ${messageCount === 1 ? 'part' : 'parts'}`],
		['Price', `${formatNumber(price)} ${state.settings.currency}`],
		['Reference', clientReference ?? ''],
		['Scheduled', scheduledAt ?? ''],
		[
			'Kind',
			[message.test && 'test', message.encryptMessage && 'encrypted'].filter(Boolean).join(', '),
		],
		['Message ID', messageId],
	];
	const path = `/_sandbox/api/messages/${encodeURIComponent(messageId)}`;
	return html`${renderHead(`Message to ${message.to}`)} ${renderFacts(facts)}
		<div class="actions">
			<form data-post="${path}/status">
				<label>
					Set status
					<select id="status" name="status">
						${statuses.map((status) => html`<option>${status}</option>`)}
					</select>
				</label>
				<button>Set</button>
			</form>
			<form data-post="${path}/receipt"><button>Repeat the receipt</button></form>
		</div>
		${renderList(
			'Status history',
			['Time', 'Status'],
			message.statuses.map((change) => [
				renderTime(formatDateTime(readChangeTime(message, change))),
				renderBadge(change.status),
			]),
		)}
		${renderReceipts(state, message)}
		${renderRequests(state.requests.list('number = ?', message.requestNumber))}`;
}

function renderReceipts(state: State, { messageId }: StoredMessage): Html {
	const sent = state.receipts.list('messageId = ? ORDER BY rowid', messageId);
	return renderList(
		'Receipts',
		['Status', 'Attempt', 'Receiver', 'Response'],
		sent.map(({ status, attempt, url, answered }) => [
			renderBadge(status),
			String(attempt),
			maskUrl(url),
			answered === null ? 'no response' : String(answered),
		]),
	);
}

export function renderCodeDetails(state: State, otp: StoredOtp): Html {
	const { requestId, code, maxInvalidAttempts, invalidAttempts } = otp;
	const otpState = readOtpState(state, otp);
	const left = Math.max(0, Math.round((otp.expiresAtMs - readClock(state)) / 1000));
	const attempts = Math.max(0, maxInvalidAttempts - invalidAttempts + 1);
	const facts: Facts = [
		['To', `${otp.to} (${otp.channel})`],
		['From', `${otp.from}, for ${otp.brand}`],
		['Code', html`<code>${code}</code> ${renderCopy(code)}`],
		['Text', html`<span class="message">${otp.message}</span>`],
		['State', renderBadge(otpState)],
		['Time left', otpState === 'valid' ? html`<span data-seconds="${left}">${left} s</span>` : ''],
		['Attempts left', otpState === 'valid' ? `${attempts} of ${maxInvalidAttempts + 1}` : ''],
		['Expires', renderTime(otp.expireAt)],
		['Verified', otp.verifiedAt ? renderTime(otp.verifiedAt) : ''],
		['Request ID', String(requestId)],
	];
	const ofCode =
		"path IN ('/api/otp/request', '/api/otp/verify') AND (instr(answer, ?) OR instr(query, ?))";
	const words = [`"requestId":${requestId},`, `"requestId":"${requestId}"`];
	return html`${renderHead(`Code for ${otp.to}`)} ${renderFacts(facts)}
		<div class="actions">
			<form data-post="/_sandbox/api/codes/${requestId}/expire">
				<button>Expire now</button>
			</form>
		</div>
		${renderRequests(state.requests.list(ofCode, ...words))}`;
}

export function renderMailDetails(mail: StoredMail): Html {
	const { mailId, from, to, createdAt, subject, text, html: content } = mail;
	const facts: Facts = [
		['To', to],
		['From', from],
		['Time', renderTime(createdAt)],
		['Subject', subject],
		['Text', html`<span class="message">${text}</span>`],
	];
	// The empty `sandbox` blocks scripts, forms and access to this origin; the mail's policy blocks loading.
	const frame = html`<iframe
		sandbox=""
		src="/_sandbox/mails/${mailId}/html"
		title="The mail as its recipient sees it"
	></iframe>`;
	return html`${renderHead(`Mail to ${to}`)} ${renderFacts(facts)}
	${content === undefined ? '' : frame}`;
}

export function renderRequestDetails(request: LoggedRequest): Html {
	const {
		statusAnswered,
		reason = '',
		fault = '',
		notes = [],
		ipAddress,
		statusOfLateAct,
	} = request;
	const facts: Facts = [
		['Response', renderBadge(String(statusAnswered))],
		['Reason', reason],
		['Notes', notes.join(' ')],
		['Fault', fault],
		['Acted later', statusOfLateAct === undefined ? '' : String(statusOfLateAct)],
		['From', ipAddress],
	];
	return html`${renderHead(`Request ${request.number}`)} ${renderFacts(facts)}
	${renderRequests([request])}`;
}

export function renderHead(title: string): Html {
	return html`<p><a href="/_sandbox" id="back">Back to all</a></p>
		<h2>${title}</h2>`;
}

/** Omits empty facts. */
function renderFacts(facts: Facts): Html {
	const rows = facts
		.filter(([, value]) => value !== '')
		.map(
			([name, value]) =>
				html`<div>
					<dt>${name}</dt>
					<dd>${value}</dd>
				</div>`,
		);
	return html`<dl>${rows}</dl>`;
}

export function renderList(
	title: string,
	columns: string[],
	rows: Array<Array<Html | string>>,
): Html {
	return html`<section aria-label="${title}">
		<h3>${title}</h3>
		${rows.length === 0 ? html`<p class="empty">None.</p>` : renderTable(columns, rows)}
	</section>`;
}

function renderRequests(requests: LoggedRequest[]): Html {
	const shown = requests.map((request) => {
		const { question, answer } = writeRaw(request);
		return html`<h4>Request ${request.number}</h4>
			<pre tabindex="0" aria-label="Request ${request.number} as received">${question}</pre>
			<pre tabindex="0" aria-label="Response to request ${request.number}">${answer}</pre>`;
	});
	return html`<section>
		<h3>Request and response</h3>
		${shown.length === 0 ? html`<p class="empty">No longer kept.</p>` : shown}
	</section>`;
}
