import { type Context, Hono } from 'hono';
import { NONCE, secureHeaders, type SecureHeadersVariables } from 'hono/secure-headers';
import { findOtp } from '../service/otp';
import type { State } from '../state';
import { doInSteps } from '../steps';
import { streamChanges } from './events';
import { type Html, renderPage } from './layout';
import {
	renderCodeDetails,
	renderMailDetails,
	renderMessageDetails,
	renderRequestDetails,
} from './renderDetails';
import { renderTimeline } from './renderTimeline';
import { renderSpecialNumbers } from './renderSpecialNumbers';
import { maxPages, readTimeline } from './timeline';
import { type View, views } from './views';

/** Nothing from other origins, and only the page's own script and style. */
const contentPolicy = {
	defaultSrc: ["'none'"],
	styleSrc: [NONCE],
	scriptSrc: [NONCE],
	connectSrc: ["'self'"],
	frameSrc: ["'self'"],
	formAction: ["'self'"],
	baseUri: ["'none'"],
	frameAncestors: ["'none'"],
};

/** For a mail in its frame: only its own styles and embedded images; no scripts, nothing from other origins. */
const mailPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

type PageEnv = { Variables: SecureHeadersVariables };

/** The inbox. Masks the credentials of requests and the query of receipt URLs. */
export function createPageApp(state: State): Hono<PageEnv> {
	const app = new Hono<PageEnv>();
	app.get('/livez', (context) => context.json({ status: 'ok' }));
	app.get('/events', (context) => streamChanges(state, context));
	app.get('/mails/:id/html', (context) => {
		const { html } = state.mails.find('mailId = ?', context.req.param('id')) ?? {};
		if (html === undefined) return context.notFound();
		context.header('Content-Security-Policy', mailPolicy);
		return context.html(html);
	});
	app.use(secureHeaders({ contentSecurityPolicy: contentPolicy, strictTransportSecurity: false }));
	app.use(async (context, next) => {
		context.header('Cache-Control', 'no-store');
		await next();
	});
	app.get('/', async (context) => {
		const view = readView(context);
		const search = context.req.query('q')?.trim() ?? '';
		const timeline = await doInSteps(readTimeline(state, view, search, readPage(context)));
		const inbox = renderTimeline(timeline, view, search);
		const frame = { nonce: readNonce(context), title: 'Messaging service sandbox', view, search };
		return context.html(await renderPage(state, frame, inbox));
	});
	app.get('/numbers', (context) => showDetails(state, context, renderSpecialNumbers(state)));
	app.get('/messages/:id', (context) => {
		const message = state.messages.findNewest('messageId = ?', context.req.param('id'));
		return showDetails(state, context, message && renderMessageDetails(state, message));
	});
	app.get('/codes/:id', (context) => {
		const otp = findOtp(state, context.req.param('id'));
		return showDetails(state, context, otp && renderCodeDetails(state, otp));
	});
	app.get('/mails/:id', (context) => {
		const mail = state.mails.find('mailId = ?', context.req.param('id'));
		return showDetails(state, context, mail && renderMailDetails(mail));
	});
	app.get('/requests/:number', (context) => {
		const wanted = Number(context.req.param('number'));
		const request = Number.isInteger(wanted)
			? state.requests.find('number = ?', wanted)
			: undefined;
		return showDetails(state, context, request && renderRequestDetails(request));
	});
	return app;
}

function readView(context: Context): View {
	const view = context.req.query('view') ?? '';
	return Object.hasOwn(views, view) ? (view as View) : 'all';
}

function readPage(context: Context): number {
	const page = Number(context.req.query('page') ?? 1);
	return Number.isInteger(page) ? Math.min(Math.max(page, 1), maxPages) : 1;
}

function readNonce(context: Context<PageEnv>): string {
	return context.get('secureHeadersNonce') ?? '';
}

async function showDetails(
	state: State,
	context: Context<PageEnv>,
	details: Html | undefined,
): Promise<Response> {
	if (!details) return context.redirect('/_sandbox');
	const frame = {
		nonce: readNonce(context),
		title: 'Details - messaging service sandbox',
		search: '',
	};
	return context.html(await renderPage(state, frame, details));
}
