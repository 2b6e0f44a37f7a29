import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';
import { html, raw } from 'hono/html';
import { NONCE, secureHeaders, type SecureHeadersVariables } from 'hono/secure-headers';
import { streamSSE } from 'hono/streaming';
import { readClock, type State } from '../state';
import { doInSteps } from '../steps';
import { details, renderSpecialNumbers } from './details';
import { type Html, number } from './show';
import { readQuery, renderTimeline } from './timeline';

/** Inlined by the build, so that the program is one file. */
declare const builtAssets: { style: string; script: string } | undefined;
const read = (name: string): string => readFileSync(`${__dirname}/${name}`, 'utf8');
const { style, script } =
	typeof builtAssets === 'undefined'
		? { style: read('inbox.css'), script: read('inbox.js') }
		: builtAssets;

/** Nothing from other origins, and only the page's own script and style. */
const contentSecurityPolicy = {
	...{ defaultSrc: ["'none'"], styleSrc: [NONCE], scriptSrc: [NONCE] },
	...{ connectSrc: ["'self'"], frameSrc: ["'self'"], formAction: ["'self'"] },
	...{ baseUri: ["'none'"], frameAncestors: ["'none'"] },
};
/** For a mail in its frame: only its own styles and embedded images; no scripts, nothing from other origins. */
const mailPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

const ofDetails = { title: 'Details - messaging service sandbox', view: 'all', search: '' };
type PageEnv = { Variables: SecureHeadersVariables };

/** The inbox. Masks the credentials of requests and the query of receipt URLs. */
export function createPageApp(state: State): Hono<PageEnv> {
	const app = new Hono<PageEnv>();
	const respond = (context: Context<PageEnv>, inbox?: Html, frame = ofDetails) => {
		if (!inbox) return context.redirect('/_sandbox');
		context.header('Cache-Control', 'no-store');
		const nonce = context.get('secureHeadersNonce') ?? '';
		return context.html(renderPage(state, nonce, inbox, frame));
	};
	app.get('/livez', (context) => context.json({ status: 'ok' }));
	app.use(async (context, next) => {
		const token = context.req.query('token');
		if (token === undefined || token !== state.controlToken) return await next();
		const place = 'Path=/_sandbox; HttpOnly; SameSite=Lax';
		context.header('Set-Cookie', `controlToken=${token}; ${place}`);
		return context.redirect('/_sandbox');
	});
	app.get('/events', (context) => streamChanges(state, context));
	app.get('/mails/:id/html', (context) => {
		const mail = state.mails.find('mailId = ?', context.req.param('id'));
		if (mail?.html === undefined) return context.notFound();
		return context.html(mail.html, 200, { 'Content-Security-Policy': mailPolicy });
	});
	app.use(secureHeaders({ contentSecurityPolicy, strictTransportSecurity: false }));
	app.get('/', async (context) => {
		const query = readQuery(context.req.query());
		const inbox = await doInSteps(renderTimeline(state, query));
		return respond(context, inbox, { title: 'Messaging service sandbox', ...query });
	});
	app.get('/numbers', (context) => respond(context, renderSpecialNumbers(state)));
	for (const [path, open] of Object.entries(details)) {
		app.get(`/${path}/:id`, (context) => respond(context, open(state, context.req.param('id'))));
	}
	return app;
}

/** An event tells a page that something has changed; the page then reloads its content. */
function streamChanges({ news }: State, context: Context): Response {
	const { signal } = context.req.raw;
	return streamSSE(context, async (stream) => {
		while (!signal.aborted) {
			// Listen before writing, so that no change in between is lost.
			const change = once(news, 'change', { signal }).catch(() => undefined);
			await stream.writeSSE({ data: 'changed' });
			await stream.sleep(250);
			await change;
		}
	});
}

function renderPage(state: State, nonce: string, inbox: Html, frame: typeof ofDetails): Html {
	const { title, view, search } = frame;
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
				<script nonce="${nonce}">
					${raw(script)};
				</script>
			</body>
		</html>`;
}

/** Problems that would otherwise go unnoticed. */
function renderProblems(state: State): Html {
	const { waiting, waitingLateMs, dropped } = state.receiptQueue.report(readClock(state));
	const late = `the first for ${(waitingLateMs / 1000).toFixed(1)} s: a receiver is slow.`;
	const problems = [
		state.store.problem,
		waiting > 0 && `${number(waiting)} receipts wait, ${late}`,
		dropped > 0 && `${number(dropped)} receipts were given up, since too many waited.`,
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
		<form data-post="/_sandbox/api/clear" data-confirm="${question}"><button>Clear</button></form>
		<p class="dim">Nothing is really sent. Times are GMT+6:30.</p>
	</div>`;
}
