import type { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import type { LoggedRequest } from '../control/requestLog';
import type { Surface } from '../settings';
import type { State } from '../state';
import { authenticate } from './auth';
import { listMessages } from './history';
import { requestOtp, verifyOtp } from './otp';
import { buildErrorBody, Refusal } from './refusal';
import { sendBulk, sendByQuery, sendByRest } from './send';
import { type Fields, isFields } from './sendRequest';

export type ServiceEnv = { Bindings: HttpBindings; Variables: { request: LoggedRequest } };

interface Endpoint {
	surface: Surface;
	path: string;
	method: 'GET' | 'POST';
	answer: (state: State, request: LoggedRequest) => object | Promise<object>;
}

/** Methods: field notes, Methods. */
const ENDPOINTS: Endpoint[] = [
	{
		surface: 'rest',
		path: '/rest/send',
		method: 'POST',
		answer: (state, request) => sendByRest(state, readJsonBody(request)),
	},
	{
		surface: 'rest',
		path: '/rest/send/bulk',
		method: 'POST',
		answer: (state, request) => sendBulk(state, readJsonBody(request)),
	},
	{
		surface: 'rest',
		path: '/rest/messages',
		method: 'GET',
		answer: (state, { query }) => listMessages(state, query),
	},
	{
		surface: 'rest',
		path: '/rest/account/get-balance',
		method: 'GET',
		answer: ({ balance, settings }) => ({ balance, currency: settings.currency }),
	},
	{
		surface: 'otp',
		path: '/otp/request',
		method: 'POST',
		answer: (state, { query }) => requestOtp(state, query),
	},
	{
		surface: 'otp',
		path: '/otp/verify',
		method: 'POST',
		answer: (state, { query }) => verifyOtp(state, query),
	},
	{
		surface: 'http',
		path: '/http/send',
		method: 'POST',
		answer: (state, { query }) => sendByQuery(state, query),
	},
];

/** The service's endpoints. A wrong method is refused before the credentials are looked at. */
export function addEndpoints(app: Hono<ServiceEnv>, state: State): void {
	for (const endpoint of ENDPOINTS) {
		app.all(endpoint.path, async (context) => {
			const request = context.get('request');
			if (request.method !== endpoint.method) throw refuseMethod(endpoint.method);
			authenticate(state.settings, {
				surface: endpoint.surface,
				authorization: request.headers.authorization,
				accessToken: request.query.accessToken,
				ipAddress: request.ipAddress,
			});
			return answerJson(state.settings.successStatus, await endpoint.answer(state, request));
		});
	}
	app.all('*', () => {
		throw new Refusal(404, 'Page not found.');
	});
	app.onError(answerError);
}

function refuseMethod(allowed: string): Refusal {
	const message = `Method Not Allowed. This URL can only handle the following request methods: ${allowed}.`;
	return new Refusal(405, message, { Allow: allowed });
}

/** `Content-Type: application/json` is the only supported one (specification, Endpoints). */
function readJsonBody({ headers, body }: LoggedRequest): Fields {
	if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
		throw new Refusal(415, 'The only supported content type is application/json.');
	}
	if (!isFields(body)) throw new Refusal(400, 'Invalid JSON data in request body: Syntax error.');
	return body;
}

export function answerJson(
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): Response {
	return new Response(JSON.stringify(body), {
		status,
		headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
	});
}

function answerError(error: Error): Response {
	if (error instanceof Refusal) {
		return answerJson(error.status, buildErrorBody(error.status, error.message), error.headers);
	}
	console.error('The sandbox itself failed:', error);
	return answerJson(500, buildErrorBody(500, 'An internal server error occurred.'));
}
