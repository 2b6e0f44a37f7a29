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

/** What the service does with a request. A wrong method is refused before the credentials are looked at. */
export async function answerRequest(state: State, request: LoggedRequest): Promise<Response> {
	try {
		const endpoint = findEndpoint(request);
		authenticate(state.settings, {
			surface: endpoint.surface,
			authorization: request.headers.authorization,
			accessToken: request.query.accessToken,
			ipAddress: request.ipAddress,
		});
		return answerJson(state.settings.successStatus, await endpoint.answer(state, request));
	} catch (error) {
		return answerError(error);
	}
}

function findEndpoint({ path, method }: LoggedRequest): Endpoint {
	const endpoint = ENDPOINTS.find((one) => `/api${one.path}` === path);
	if (!endpoint) throw new Refusal(404, 'Page not found.');
	if (method !== endpoint.method) throw refuseMethod(endpoint.method);
	return endpoint;
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
	return new Response(writeJson(body), {
		status,
		headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
	});
}

/** A request ID that no number can hold is digits in JSON all the same. */
function writeJson(body: unknown): string {
	return JSON.stringify(body).replace(/"(requestId|request_id)":"(\d+)"/, '"$1":$2');
}

function answerError(error: unknown): Response {
	if (error instanceof Refusal) {
		return answerJson(error.status, buildErrorBody(error.status, error.message), error.headers);
	}
	console.error('The sandbox itself failed:', error);
	return answerJson(500, buildErrorBody(500, 'An internal server error occurred.'));
}
