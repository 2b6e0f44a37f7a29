import { type Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import { NONCE, secureHeaders, type SecureHeadersVariables } from 'hono/secure-headers';
import type { Controls, OtpReport } from '../control/controls';
import type { StoredMessage } from '../entities';
import { script, style } from './assets';

/** More than this makes no page for people; the search looks through all. */
const maxShown = 200;

/** Nothing from elsewhere, and no script or style but the page's own. */
const contentPolicy = {
	defaultSrc: ["'none'"],
	styleSrc: [NONCE],
	scriptSrc: [NONCE],
	connectSrc: ["'self'"],
	formAction: ["'self'"],
	baseUri: ["'none'"],
	frameAncestors: ["'none'"],
};

type Code = OtpReport;
type Html = ReturnType<typeof html>;

/** The inbox: what the service has sent, newest first. Shows no credential and no receipt URL. */
export function createPageApp(controls: Controls): Hono<{ Variables: SecureHeadersVariables }> {
	const app = new Hono<{ Variables: SecureHeadersVariables }>();
	app.get('/livez', (context) => context.json({ status: 'ok' }));
	app.use(secureHeaders({ contentSecurityPolicy: contentPolicy, strictTransportSecurity: false }));
	app.use(async (context, next) => {
		context.header('Cache-Control', 'no-store');
		await next();
	});
	app.get('/', async (context) => {
		const search = readSearch(context);
		const nonce = context.get('secureHeadersNonce') ?? '';
		return context.html(await renderPage(search, nonce, renderInbox(controls, search)));
	});
	app.get('/inbox', async (context) =>
		context.html(await renderInbox(controls, readSearch(context))),
	);
	return app;
}

function readSearch(context: Context): string {
	return context.req.query('q')?.trim() ?? '';
}

function renderPage(search: string, nonce: string, inbox: Html): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>Messaging service sandbox</title>
				<noscript><meta http-equiv="refresh" content="5" /></noscript>
				<style nonce="${nonce}">
					${raw(style)}
				</style>
			</head>
			<body>
				${renderHeader(search)}
				<main id="inbox">${inbox}</main>
				<script nonce="${nonce}">
					${raw(script)};
				</script>
			</body>
		</html>`;
}

function renderHeader(search: string): Html {
	return html`<header>
		<h1>Messaging service sandbox</h1>
		<form method="get" action="/_sandbox" role="search">
			<input
				type="search"
				name="q"
				value="${search}"
				placeholder="Search number, text, sender, reference"
				aria-label="Search messages and codes"
			/>
			<button>Search</button>
		</form>
	</header>`;
}

function renderInbox(controls: Controls, search: string): Html {
	const { balance, currency } = controls.balance();
	const codes = pickNewest(controls.codes(), search, listCodeTexts);
	const messages = pickNewest(controls.messages(), search, listMessageTexts);
	return html`<p class="balance">
			Balance <strong>${balance.toLocaleString('en-US')} ${currency}</strong>
			<span>Nothing is really sent. Times are GMT+6:30.</span>
		</p>
		${renderCodes(codes, search)} ${renderMessages(messages, search)}`;
}

interface Picked<T> {
	shown: T[];
	total: number;
}

function pickNewest<T>(list: T[], search: string, listTexts: (entry: T) => string[]): Picked<T> {
	const wanted = search.toLowerCase();
	const found = wanted
		? list.filter((entry) => listTexts(entry).join('\n').toLowerCase().includes(wanted))
		: list;
	return { shown: found.slice(-maxShown).reverse(), total: found.length };
}

function listCodeTexts({ to, brand, from, code, requestId }: Code): string[] {
	return [to, brand, from, code, String(requestId)];
}

function listMessageTexts(message: StoredMessage): string[] {
	const { to, from, message: text, status, clientReference, messageId } = message;
	return [to, from, text, status, clientReference ?? '', messageId];
}

function renderCodes({ shown, total }: Picked<Code>, search: string): Html {
	return renderSection(
		'One-time codes',
		total,
		shown.length === 0 && (search ? 'No code matches.' : 'No codes yet.'),
		['To', 'Code', 'Request ID', 'Sent', 'Expires', 'State'],
		shown.map(
			(code) =>
				html`<tr>
					<td data-name="To">${code.to}</td>
					<td data-name="Code"><code>${code.code}</code></td>
					<td data-name="Request ID">${code.requestId}</td>
					<td data-name="Sent">${renderTime(code.createdAt)}</td>
					<td data-name="Expires">${renderTime(code.expireAt)}</td>
					<td data-name="State">${renderBadge(code.state)}</td>
				</tr>`,
		),
	);
}

function renderMessages({ shown, total }: Picked<StoredMessage>, search: string): Html {
	return renderSection(
		'Messages',
		total,
		shown.length === 0 && (search ? 'No message matches.' : 'No messages yet.'),
		['Time', 'To', 'From', 'Text', 'Status', 'Parts', 'Reference', 'Receipts'],
		shown.map(renderMessage),
	);
}

function renderMessage(message: StoredMessage): Html {
	const reported = message.reported.map(
		({ status, answered }) => `${status} → ${answered ?? 'no answer'}`,
	);
	return html`<tr>
		<td data-name="Time">${renderTime(message.createdAt)}</td>
		<td data-name="To">${message.to}</td>
		<td data-name="From">${message.from}</td>
		<td data-name="Text" class="text">
			<span class="message">${message.message}</span> ${message.encryptMessage
				? html`<span class="tag">encrypted</span>`
				: ''}
			${message.test ? html`<span class="tag">test</span>` : ''}
			${message.scheduledAt ? html`<span class="tag">for ${message.scheduledAt}</span>` : ''}
		</td>
		<td data-name="Status">${renderBadge(message.status)}</td>
		<td data-name="Parts">${message.messageCount}</td>
		<td data-name="Reference" class="text">${message.clientReference ?? ''}</td>
		<td data-name="Receipts" class="text">${reported.join(', ')}</td>
	</tr>`;
}

function renderSection(
	title: string,
	total: number,
	emptyText: string | false,
	columns: string[],
	rows: Html[],
): Html {
	const table = html`<table>
		<thead>
			<tr>
				${columns.map((column) => html`<th scope="col">${column}</th>`)}
			</tr>
		</thead>
		<tbody>
			${rows}
		</tbody>
	</table>`;
	const more =
		total > rows.length ? html`<span>the newest ${rows.length} of ${total}</span>` : total;
	return html`<section>
		<h2>${title} <small>${more}</small></h2>
		${emptyText ? html`<p class="empty">${emptyText}</p>` : table}
	</section>`;
}

function renderTime(dateTime: string): Html {
	return html`<time datetime="${dateTime.replace(' ', 'T')}+06:30">${dateTime}</time>`;
}

const tones: Record<string, string> = {
	Delivered: 'good',
	Success: 'good',
	verified: 'good',
	valid: 'open',
	Accepted: 'open',
	Sent: 'open',
	Pending: 'open',
	expired: 'dull',
	'?': 'dull',
};

function renderBadge(status: string): Html {
	const known = Object.hasOwn(tones, status) ? tones[status] : 'bad';
	return html`<span class="badge ${known}">${status}</span>`;
}
