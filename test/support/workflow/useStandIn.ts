import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';

import { listen } from '../listen';

export interface ReceivedRequest {
	method: string;
	/** Without the base: /rest/send */
	path: string;
	query: Record<string, string>;
	/** Without the question mark, as it came. */
	rawQuery: string;
	/** Names in lower case. */
	headers: Record<string, string>;
	/** As it came. */
	body: string;
}

type Answer = (request: ReceivedRequest) => Response | Promise<Response>;

/** A server that answers what a test wants, for answers that the sandbox, a faithful service, never gives. */
export interface StandIn {
	baseUrl: string;
	apiKey: string;
	apiSecret: string;
	/** Every request since the test began. */
	requests: ReceivedRequest[];
	answer: Answer;
}

const notSet: Answer = () => new Response('no answer was set', { status: 500 });

function createApp(standIn: StandIn): Hono {
	const app = new Hono();
	app.all('*', async ({ req }) => {
		const { pathname, search, searchParams } = new URL(req.url);
		const request = {
			method: req.method,
			path: pathname.replace(/^\/api/, ''),
			query: Object.fromEntries(searchParams),
			rawQuery: search.slice(1),
			headers: req.header(),
			body: await req.text(),
		};
		standIn.requests.push(request);
		return await standIn.answer(request);
	});
	return app;
}

export function useStandIn(): StandIn {
	const standIn = { apiKey: 'demo-key', apiSecret: 'demo-secret' } as StandIn;
	let close: () => Promise<void>;
	beforeAll(async () => {
		const { fetch } = createApp(standIn);
		const server = await listen(createAdaptorServer({ fetch, overrideGlobalObjects: false }));
		close = server.close;
		standIn.baseUrl = `${server.url}/api`;
	});
	beforeEach(() => void Object.assign(standIn, { requests: [], answer: notSet }));
	afterAll(() => close());
	return standIn;
}

/** An answer with this text as its JSON, digit by digit. */
export function answerText(status: number, text: string, headers = {}): Response {
	return new Response(text, {
		status,
		headers: { 'Content-Type': 'application/json', ...headers },
	});
}

export function answerJson(status: number, body: unknown, headers = {}): Response {
	return answerText(status, JSON.stringify(body), headers);
}
