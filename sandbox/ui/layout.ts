import { html, raw } from 'hono/html';
import { readClock, type State } from '../state';
import { script, style } from './assets';
import { type View, views } from './views';

export type Html = ReturnType<typeof html>;

export interface Frame {
	nonce: string;
	title: string;
	view?: View;
	search: string;
}

export function renderPage(state: State, { nonce, title, view, search }: Frame, inbox: Html): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				<noscript><meta http-equiv="refresh" content="5" /></noscript>
				<style nonce="${nonce}">
					${raw(style)}
				</style>
			</head>
			<body>
				<header>
					<h1><a href="/_sandbox">Messaging service sandbox</a></h1>
					${renderSearch(view, search)}
				</header>
				<main id="inbox">
					${renderProblems(state)} ${renderAccount(state)} ${view && renderViews(view, search)}
					${inbox}
				</main>
				<p id="news" role="status"></p>
				<script nonce="${nonce}">
					${raw(script)};
				</script>
			</body>
		</html>`;
}

/** Problems that would otherwise go unnoticed. */
function renderProblems(state: State): Html {
	const { waiting, waitingLateMs, dropped } = state.receiptQueue.report(readClock(state));
	const seconds = (waitingLateMs / 1000).toFixed(1);
	const problems = [
		state.store.problem,
		waiting > 0 &&
			`${formatNumber(waiting)} receipts wait, the first for ${seconds} s: a receiver is slow.`,
		dropped > 0 && `${formatNumber(dropped)} receipts were given up, since too many waited.`,
	].filter((problem) => typeof problem === 'string');
	return html`${problems.map((problem) => html`<p class="problem">${problem}</p>`)}`;
}

function renderSearch(view: View | undefined, search: string): Html {
	return html`<form method="get" action="/_sandbox" role="search">
		<input type="hidden" name="view" value="${view ?? 'all'}" />
		<input
			type="search"
			name="q"
			value="${search}"
			placeholder="Number, text, sender, reference"
			aria-label="Search messages, codes, mails and requests"
		/>
		<button>Search</button>
	</form>`;
}

function renderAccount({ balance, settings }: State): Html {
	return html`<div class="account">
		<p>Balance <strong>${formatNumber(balance)} ${settings.currency}</strong></p>
		<form data-post="/_sandbox/api/balance/top-up">
			<input
				id="amount"
				type="number"
				name="amount"
				value="100000"
				min="1"
				aria-label="Amount to top up"
			/>
			<button>Top up</button>
		</form>
		<form
			data-post="/_sandbox/api/clear"
			data-confirm="Remove all messages, codes, mails and requests?"
		>
			<button>Clear</button>
		</form>
		<p class="dim">Nothing is really sent. Times are GMT+6:30.</p>
	</div>`;
}

function renderViews(current: View, search: string): Html {
	const links = Object.entries(views).map(([view, title]) => {
		const query = new URLSearchParams({ view, ...(search && { q: search }) }).toString();
		const mark = view === current ? raw('aria-current="page"') : '';
		return html`<li><a href="/_sandbox?${raw(query)}" id="view-${view}" ${mark}>${title}</a></li>`;
	});
	return html`<nav aria-label="What is shown">
		<ul>
			${links}
			<li><a href="/_sandbox/numbers">Special numbers</a></li>
		</ul>
	</nav>`;
}

export function formatNumber(number: number): string {
	return number.toLocaleString('en-US');
}

export function renderTime(dateTime: string): Html {
	return html`<time datetime="${dateTime.replace(' ', 'T')}+06:30">${dateTime}</time>`;
}

/** Columns whose cells do not wrap. */
const shortColumns = new Set(['Time', 'Kind', 'To', 'From', 'Status']);

export function renderTable(columns: string[], rows: Array<Array<Html | string>>): Html {
	const renderCell = (cell: Html | string, index: number): Html => {
		const name = columns[index] ?? '';
		const isShort = shortColumns.has(name);
		return html`<td data-name="${name}" class="${isShort ? '' : 'text'}">${cell}</td>`;
	};
	return html`<table>
		<thead>
			<tr>
				${columns.map((column) => html`<th scope="col">${column}</th>`)}
			</tr>
		</thead>
		<tbody>
			${rows.map(
				(cells) =>
					html`<tr>
						${cells.map(renderCell)}
					</tr>`,
			)}
		</tbody>
	</table>`;
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

export function renderBadge(status: string): Html {
	const isSuccess = /^2\d\d$/.test(status);
	const known = Object.hasOwn(tones, status) ? tones[status] : isSuccess ? 'good' : 'bad';
	return html`<span class="badge ${known}">${status}</span>`;
}

/** A button that copies a code; `inbox.js` handles the click. */
export function renderCopy(code: string): Html {
	return html`<button type="button" data-copy="${code}" aria-label="Copy code ${code}">
		Copy
	</button>`;
}
