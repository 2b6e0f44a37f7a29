import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Reply, Route } from '../routing';
import { answerJson } from '../service/endpoints';
import { NotFound } from '../shapes';
import { readClock, type State } from '../state';
import { details, renderSpecialNumbers } from './details';
import { html, type Html, raw } from './html';
import { maskUrl, number } from './show';
import { readQuery, renderTimeline } from './timeline';

/** Inlined by the build, so that the program is one file. */
declare const builtAssets: { style: string; script: string } | undefined;
const read = (name: string): string => readFileSync(`${__dirname}/${name}`, 'utf8');
const { style, script } =
	typeof builtAssets === 'undefined'
		? { style: read('inbox.css'), script: read('inbox.js') }
		: builtAssets;

const hash = (text: string): string =>
	`'sha256-${createHash('sha256').update(text).digest('base64')}'`;
/** Nothing from other origins, and only the page's own script and style. */
const pagePolicy = [
	...["default-src 'none'", "connect-src 'self'", "frame-src 'self'", "form-action 'self'"],
	...["base-uri 'none'", "frame-ancestors 'none'"],
	...[`style-src ${hash(style)}`, `script-src ${hash(script)}`],
].join('; ');
/** For a mail in its frame: only its own styles and embedded images; no scripts, nothing from other origins. */
const mailPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

function answerHtml(body: string, policy = pagePolicy): Reply {
	const headers = {
		...{ 'Content-Type': 'text/html; charset=UTF-8', 'X-Content-Type-Options': 'nosniff' },
		...{ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
		'Cross-Origin-Opener-Policy': 'same-origin',
		'Cross-Origin-Resource-Policy': 'same-origin',
		'Content-Security-Policy': policy,
	};
	return { status: 200, headers, body };
}

const redirect: Reply = { status: 302, headers: { Location: '/_sandbox' }, body: '' };

/** Its browser shows the token with every further request. */
function admit(token: string): Reply {
	const cookie = `controlToken=${token}; Path=/_sandbox; HttpOnly; SameSite=Lax`;
	return { ...redirect, headers: { ...redirect.headers, 'Set-Cookie': cookie } };
}

const ofDetails = { title: 'Details - messaging service sandbox', view: 'all', search: '' };

/** The inbox. Masks the credentials of requests and the query of receipt URLs. */
export function createPageRoutes(state: State): Route[] {
	const respond = (inbox?: Html, frame = ofDetails) =>
		inbox ? answerHtml(renderPage(state, inbox, frame).toString()) : redirect;
	// Begins with the time, so that it is another number after a restart.
	let changes = Date.now();
	state.news.on('change', () => (changes += 1));
	const routes: Record<string, Route['answer']> = {
		'/': () => redirect,
		'/_sandbox': (call) => {
			const { token, ...fields } = Object.fromEntries(new URLSearchParams(call.query));
			if (token !== undefined && token === state.controlToken) return admit(token);
			const query = readQuery(fields);
			const inbox = renderTimeline(state, query);
			return respond(inbox, { title: 'Messaging service sandbox', ...query });
		},
		'/_sandbox/livez': () => answerJson(200, { status: 'ok' }),
		/** An open page asks whether this has changed, and then loads its content again. */
		'/_sandbox/changes': () => answerJson(200, { changes }),
		'/_sandbox/numbers': () => respond(renderSpecialNumbers(state)),
		'/_sandbox/mails/{id}/html': (_, id) => {
			const mail = state.mails.find(id);
			if (mail?.html === undefined) throw new NotFound('There is no such mail with HTML.');
			return answerHtml(mail.html, mailPolicy);
		},
	};
	for (const [kind, open] of Object.entries(details)) {
		routes[`/_sandbox/${kind}/{id}`] = (_, id) => respond(open(state, id));
	}
	return Object.entries(routes).map(([path, answer]) => ({ method: 'GET', path, answer }));
}

function renderPage(state: State, inbox: Html, frame: typeof ofDetails): Html {
	const { title, view, search } = frame;
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title}</title>
				<noscript><meta http-equiv="refresh" content="5" /></noscript>
				${raw(`<style>${style}</style>`)}
			</head>
			<body>
				<header>
					<h1><a href="/_sandbox">Messaging service sandbox</a></h1>
					<form method="get" action="/_sandbox" role="search">
						<input type="hidden" name="view" value="${view}" />
						<input
							type="search"
							name="q"
							value="${search}"
							placeholder="Number, text, sender, reference"
							aria-label="Search messages, codes, mails and requests"
						/>
						<button>Search</button>
					</form>
				</header>
				<main id="inbox">${renderProblems(state)} ${renderAccount(state)} ${inbox}</main>
				<p id="news" role="status"></p>
				${raw(`<script>${script}</script>`)}
			</body>
		</html>`;
}

/** Problems that would otherwise go unnoticed. */
function renderProblems(state: State): Html {
	const { waiting, waitingLateMs, dropped } = state.receiptQueue.report(readClock(state));
	const late = `the first for ${(waitingLateMs / 1000).toFixed(1)} s: a receiver is slow.`;
	const problems = [
		waiting > 0 && `${number(waiting)} receipts wait, ${late}`,
		dropped > 0 && `${number(dropped)} receipts were dropped, because too many were waiting.`,
	];
	return html`${problems.map((problem) => problem && html`<p class="problem">${problem}</p>`)}`;
}

function renderAccount({ balance, settings }: State): Html {
	const label = 'Amount to top up';
	const question = 'Remove all messages, codes, mails and requests?';
	return html`<div class="account">
		<p>Balance <strong>${number(balance)} ${settings.currency}</strong></p>
		<form data-post="/_sandbox/api/balance/top-up">
			<input id="amount" type="number" name="amount" value="100000" min="1" aria-label="${label}" />
			<button>Top up</button>
		</form>
		<form data-put="/_sandbox/api/settings">
			<input
				id="receipt-url"
				type="text"
				name="defaultReceiptUrl"
				placeholder="${maskUrl(settings.defaultReceiptUrl) || 'URL for delivery receipts'}"
				aria-label="URL for delivery receipts of the account"
			/>
			<button>Save receipt URL</button>
		</form>
		<form data-post="/_sandbox/api/clear" data-confirm="${question}"><button>Clear</button></form>
		<p class="dim">Nothing is really sent. Times are GMT+6:30.</p>
	</div>`;
}
