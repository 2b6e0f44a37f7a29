import { formatDateTime } from '../service/dateTime';
import { readOtpState } from '../service/otp';
import type { State } from '../state';
import { listAddresses, listRecipients, readRecipient } from '../recipients';
import type { Found, Table } from '../Table';
import { html, type Html, raw } from './html';
import * as show from './show';

const entriesPerPage = 200;
/** Only search finds entries beyond the last page. */
const maxPages = 10;
/** Characters shown per text: a page has up to 200 texts. */
const maxTextShown = 300;
const maxRecipientsShown = 3;

type TableName = 'messages' | 'codes' | 'mails' | 'receipts' | 'requests';
type Entity<N extends TableName> = State[N] extends Table<infer T> ? T : never;
/** `row` is called only for entries on the page. */
type Entry = { atMs: number; row: () => show.Facts };
type Query = ReturnType<typeof readQuery>;
type Sent = { createdAt: string; to: string; from?: string };
type Search = (state: State, texts: string[], max: number) => Found<Entry>;

/** Characters of each text that are searched. */
const maxSearched = 2_000;
type Text = string | number | null | undefined;

/** @param texts what a search reads of an entity */
function list<N extends TableName>(
	name: N,
	time: keyof Entity<N>,
	texts: (one: Entity<N>) => Text[],
	row: (one: Entity<N>, state: State) => show.Facts,
): (isWanted?: (one: Entity<N>) => boolean) => Search {
	return (isWanted = () => true) =>
		(state, searched, max) => {
			const isFound = (one: Entity<N>): boolean => {
				if (searched.length === 0) return true;
				const lines = texts(one).map((text) => String(text ?? '').slice(0, maxSearched));
				const text = lines.join('\n').toLowerCase();
				return searched.some((part) => text.includes(part));
			};
			const table = state[name] as unknown as Table<Entity<N>>;
			const { shown, total } = table.search((one) => isWanted(one) && isFound(one), max);
			let atMs = -Infinity;
			// Arrival decides: what came later stays above, even if the clock was moved back.
			const toEntry = (one: Entity<N>) => {
				atMs = Math.max(atMs, Number(one[time]));
				return { atMs, row: () => row(one, state) };
			};
			return { shown: shown.reverse().map(toEntry).reverse(), total };
		};
}

function toRow(Kind: string, path: string, sent: Sent, cells: show.Facts): show.Facts {
	const { createdAt, to: To, from: From = '' } = sent;
	const id = path.replace('/', '-');
	const label = `Open the ${Kind} of ${createdAt}`;
	const time = show.time(createdAt);
	const Time = html`<a href="/_sandbox/${path}" id="${id}" aria-label="${label}">${time}</a>`;
	return { Time, Kind, To, From, Text: '', Status: '', Receipts: '', ...cells };
}

const pathOf = (messageId: string): string => `messages/${encodeURIComponent(messageId)}`;

const ofMessage = (one: Entity<'messages'>) => [
	...[one.to, one.from, one.message, one.clientReference, one.messageId, one.status],
];
const messages = list('messages', 'createdAtMs', ofMessage, (message) => {
	const { encryptMessage, test, scheduledAt, clientReference, reported, requestNumber } = message;
	const tags = [
		encryptMessage && 'encrypted',
		test && 'test',
		requestNumber === 0 && 'seeded, not sent by you',
		scheduledAt && `for ${scheduledAt}`,
		clientReference && `reference ${clientReference}`,
	];
	const receipts = reported.map((one) => `${one.status} → ${one.answered ?? 'no response'}`);
	return toRow('message', pathOf(message.messageId), message, {
		Text: html`${show.text(message.message, maxTextShown)}
		${tags.map((tag) => tag && html`<span class="tag">${tag}</span> `)}`,
		Status: show.badge(message.status),
		Receipts: receipts.join(', '),
	});
});

const ofCode = (one: Entity<'codes'>) => [
	...[one.to, one.brand, one.from, one.code, one.message, one.requestId],
];
const codes = list('codes', 'createdAtMs', ofCode, (otp, state) => {
	const Status = show.badge(readOtpState(state, otp));
	return toRow('code', `codes/${otp.requestId}`, otp, { Text: show.code(otp.code), Status });
});

const ofMail = ({ from, to, subject, text }: Entity<'mails'>) => [
	...[from, listAddresses(to).join(' '), subject, text],
];
const mails = list('mails', 'createdAtMs', ofMail, (mail) => {
	const Text = html`<strong>${mail.subject || '(no subject)'}</strong>
		<span class="message">${show.shorten(mail.text, maxTextShown)}</span>`;
	return toRow('mail', `mails/${mail.mailId}`, mail, { Text });
});

/** Codes by email are shown as codes. */
const otherMails = mails(({ requestId }) => requestId === undefined);

const ofReceipt = (one: Entity<'receipts'>) => [
	...[one.to, one.status, one.messageId, one.url, one.answered, one.problem],
];
const receipts = list('receipts', 'at', ofReceipt, (receipt, state) => {
	const { at, to, url, attempt, status, answered, problem } = receipt;
	const sent = { createdAt: formatDateTime(at + state.clockOffsetMs), to };
	return toRow('receipt', pathOf(receipt.messageId), sent, {
		Text: [`${show.maskUrl(url)}, attempt ${attempt}`, problem].filter(Boolean).join('. '),
		Status: show.badge(status),
		Receipts: show.badge(answered ?? 'no response'),
	});
});

const recipientsOf = (one: Entity<'requests'>) => listRecipients(one).map(readRecipient);
const ofRequest = (one: Entity<'requests'>) => [
	...[one.path, ...Object.values(one.query)],
	typeof one.body === 'string' ? one.body : JSON.stringify(one.body),
	...[one.reason, one.fault, one.statusAnswered, recipientsOf(one).join(' ')],
];
const requests = list('requests', 'clockMs', ofRequest, (request) => {
	const { method, path, number, clockMs, statusAnswered, reason, fault } = request;
	const words = [`${method} ${path.replace(/^\/api/, '')}`, reason, fault];
	const isRejectedInside = Number(statusAnswered) < 300 && reason !== undefined;
	const to = recipientsOf(request).slice(0, maxRecipientsShown).join(', ');
	const Text = html`<span class="message">${words.filter(Boolean).join(' · ')}</span>`;
	const Status = show.badge(isRejectedInside ? `${statusAnswered}, rejected` : statusAnswered);
	const sent = { createdAt: formatDateTime(clockMs), to };
	return toRow('request', `requests/${number}`, sent, { Text, Status });
});

/** Rejected as a whole or for one recipient, hit by a fault, or left without a response. */
const refused = requests(({ statusAnswered: status, reason }) => {
	if (status === 'open') return false;
	return typeof status === 'string' || status >= 300 || reason !== undefined;
});

const views = {
	all: { title: 'Everything sent or rejected', parts: [messages(), codes(), otherMails, refused] },
	messages: { title: 'Messages', parts: [messages()] },
	codes: { title: 'Codes', parts: [codes()] },
	receipts: { title: 'Receipts', parts: [receipts()] },
	mails: { title: 'Emails', parts: [mails()] },
	refused: { title: 'Rejected', parts: [refused] },
	requests: { title: 'Requests', parts: [requests()] },
};

export function readQuery({ view = '', q = '', page = '' }: Record<string, string>) {
	return {
		view: Object.hasOwn(views, view) ? (view as keyof typeof views) : 'all',
		search: q.trim(),
		page: Math.min(Math.max(Math.trunc(Number(page)) || 1, 1), maxPages),
	};
}

/** Part of any text, and any spelling of a phone number or of its beginning or end. */
function readTexts(search: string): string[] {
	const isNumber = /^[+\d][\d\s().-]{2,}$/.test(search);
	const digits = search.replace(/[\s().-]/g, '').replace(/^(\+|00)/, '');
	return [search.toLowerCase(), isNumber ? digits.replace(/^09/, '959') : ''].filter(Boolean);
}

/** Merges the parts of a view by time. Each part returns enough entries to fill all pages up to this one. */
export function renderTimeline(state: State, query: Query): Html {
	const { view, search, page } = query;
	const entries: Entry[] = [];
	let total = 0;
	for (const part of views[view].parts) {
		const found = part(state, readTexts(search), page * entriesPerPage);
		entries.push(...found.shown);
		total += found.total;
	}
	entries.sort((a, b) => b.atMs - a.atMs);
	const shown = entries.slice((page - 1) * entriesPerPage, page * entriesPerPage);
	const rows = shown.map(({ row }) => row());
	return html`${renderTabs(query)} ${renderRows(query, rows, total)}`;
}

function renderRows({ view, search, page }: Query, rows: show.Facts[], total: number): Html {
	const first = (page - 1) * entriesPerPage + 1;
	const last = first + rows.length - 1;
	const isPart = rows.length > 0 && rows.length < total;
	const range = isPart && `${show.number(first)} to ${show.number(last)} of `;
	const hasReceipts = rows.some(({ Receipts }) => String(Receipts).includes(' → '));
	const legend = html`<p class="dim">
		Receipts: <q>Sent → 200</q> means that your receiver was told the status Sent and responded 200.
	</p>`;
	const empty = html`<p class="empty">${search ? 'Nothing matches.' : 'Nothing yet.'}</p>`;
	const newer = html`<a href="${linkTo(view, search, page - 1)}">Newer</a>`;
	const older = html`<a href="${linkTo(view, search, page + 1)}">Older</a>`;
	const oldest = 'The search finds older ones.';
	const pager = html`<nav class="pager" aria-label="Pages">
		${page > 1 && newer} ${last < total && (page < maxPages ? older : oldest)}
	</nav>`;
	return html`<section>
		<h2>${views[view].title} <small>${range}${show.number(total)}</small></h2>
		${hasReceipts && legend} ${rows.length === 0 ? empty : show.table(rows)}
		${total > entriesPerPage && pager}
	</section>`;
}

function linkTo(view: string, search: string, page?: number): Html {
	const fields = { view, ...(search && { q: search }), ...(page && { page: String(page) }) };
	return raw(`/_sandbox?${new URLSearchParams(fields).toString()}`);
}

function renderTabs({ view: current, search }: Query): Html {
	const tabs = Object.entries(views).map(([view, { title }]) => {
		const mark = view === current && raw('aria-current="page"');
		return html`<li><a href="${linkTo(view, search)}" id="view-${view}" ${mark}>${title}</a></li>`;
	});
	return html`<nav aria-label="What is shown">
		<ul>
			${tabs}
			<li><a href="/_sandbox/numbers">Special numbers</a></li>
		</ul>
	</nav>`;
}
