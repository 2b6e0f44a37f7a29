import type { Behaviour } from '../entities';
import { formatDateTime } from '../service/dateTime';
import { readChangeTime } from '../service/messages';
import { findOtp, readOtpState } from '../service/otp';
import { listSpecialNumbers } from '../service/specialNumbers';
import { readClock, type State } from '../state';
import { html, type Html } from './html';
import * as show from './show';

/** Pages of single entries, by the beginning of their path. */
export const details: Record<string, (state: State, id: string) => Html | undefined> = {
	messages(state, id) {
		const message = state.messages.find(id);
		if (!message) return undefined;
		const { messageId, to, encoding, messageCount, test, encryptMessage } = message;
		const statuses = 'Sent Delivered Pending Rejected Failed Undelivered Error Expired Success ?';
		const path = `/_sandbox/api/messages/${encodeURIComponent(messageId)}`;
		const actions = html`<div class="actions">
			<form data-post="${path}/status">
				<label>
					Set status
					<select id="status" name="status">
						${statuses.split(' ').map((status) => html`<option>${status}</option>`)}
					</select>
				</label>
				<button>Set</button>
			</form>
			<form data-post="${path}/receipt"><button>Repeat the receipt</button></form>
		</div>`;
		const history = message.statuses.map((change) => ({
			Time: show.time(formatDateTime(readChangeTime(message, change))),
			Status: show.badge(change.status),
		}));
		const sent = state.receipts.list((one) => one.messageId === messageId);
		const receipts = sent.map(({ status, attempt, url, answered, problem }) => ({
			Status: show.badge(status),
			Attempt: attempt,
			Receiver: show.maskUrl(url),
			Response: answered ?? problem ?? 'no response',
		}));
		const lists = [show.list('Status history', history), show.list('Receipts', receipts)];
		const request = state.requests.find(message.requestNumber);
		const sections = [actions, ...lists, show.requests(request ? [request] : [])];
		return show.details(`Message to ${to}`, sections, {
			To: `${to} (${message.network})`,
			From: message.from,
			Text: show.text(message.message),
			Status: show.badge(message.status),
			Encoding: `${encoding}, ${messageCount} ${messageCount === 1 ? 'part' : 'parts'}`,
			Price: `${show.number(message.price)} ${state.settings.currency}`,
			Reference: message.clientReference,
			Scheduled: message.scheduledAt,
			Kind: [test && 'test', encryptMessage && 'encrypted'].filter(Boolean).join(', '),
			'Message ID': messageId,
		});
	},

	codes(state, id) {
		const otp = findOtp(state, id);
		if (!otp) return undefined;
		const { requestId, to, invalidAttempts, maxInvalidAttempts: max } = otp;
		const otpState = readOtpState(state, otp);
		const isValid = otpState === 'valid';
		const seconds = Math.max(0, Math.round((otp.expiresAtMs - readClock(state)) / 1000));
		const actions = html`<div class="actions">
			<form data-post="/_sandbox/api/codes/${requestId}/expire"><button>Expire now</button></form>
		</div>`;
		const requests = state.requests.list(({ path, answer = '', query }) => {
			const isIssue = path === '/api/otp/request' && answer.includes(`"requestId":${requestId},`);
			return isIssue || (path === '/api/otp/verify' && query.requestId === String(requestId));
		});
		return show.details(`Code for ${to}`, [actions, show.requests(requests)], {
			To: `${to} (${otp.channel})`,
			From: `${otp.from}, for ${otp.brand}`,
			Code: show.code(otp.code),
			Text: html`<span class="message">${otp.message}</span>`,
			State: show.badge(otpState),
			'Time left': isValid && html`<span data-seconds="${seconds}">${seconds} s</span>`,
			'Attempts left': isValid && `${max - invalidAttempts + 1} of ${max + 1}`,
			Expires: show.time(otp.expireAt),
			Verified: otp.verifiedAt && show.time(otp.verifiedAt),
			'Request ID': requestId,
		});
	},

	mails(state, id) {
		const mail = state.mails.find(id);
		if (!mail) return undefined;
		const { from: From, to: To, subject: Subject } = mail;
		const Text = html`<span class="message">${mail.text}</span>`;
		// The empty `sandbox` blocks scripts, forms and access to this origin; the mail's policy blocks loading.
		const title = 'The email as the recipient sees it';
		const source = `/_sandbox/mails/${mail.mailId}/html`;
		const frame = html`<iframe sandbox="" src="${source}" title="${title}"></iframe>`;
		const facts = { To, From, Time: show.time(mail.createdAt), Subject, Text };
		return show.details(`Mail to ${To}`, [mail.html !== undefined && frame], facts);
	},

	requests(state, number) {
		const request = state.requests.find(Number(number));
		if (!request) return undefined;
		return show.details(`Request ${request.number}`, [show.requests([request])], {
			Response: show.badge(request.statusAnswered),
			Reason: request.reason,
			Notes: request.notes?.join(' '),
			Fault: request.fault,
			'Status of the late act': request.statusOfLateAct,
			From: request.ipAddress,
		});
	},
};

export function renderSpecialNumbers({ settings }: State): Html {
	const rows = listSpecialNumbers(settings).map(([number, behaviour]) => ({
		Number: number.replace(/^959/, '09'),
		Statuses: behaviour.refusal ? 'none' : ['Accepted', ...behaviour.statuses].join(', '),
		Also: describe(behaviour),
	}));
	const others = html`<p>
		Every other number gets Accepted, Sent, Delivered. The setting <q>numbers</q> adds numbers of
		your own.
	</p>`;
	return show.details('Special numbers', [others, show.list('Numbers and their statuses', rows)]);
}

function describe({ refusal, receipts, paceFactor = 1, answerDelayMs = 0, isEarly }: Behaviour) {
	const words = [
		refusal === 'inBody' && 'rejected inside a 2xx, with status false; codes: 400',
		refusal === 'byStatus' && 'the whole request is rejected with 400',
		receipts === 'twice' && 'every receipt comes twice',
		receipts === 'none' && 'no receipt ever comes',
		receipts === 'reversed' && 'receipts come at the end, the newest first',
		paceFactor !== 1 && `${paceFactor} times as slow`,
		answerDelayMs > 0 && `the response comes after ${answerDelayMs / 1000} s`,
		isEarly && 'all receipts come before the response',
	];
	return words.filter(Boolean).join('; ');
}
