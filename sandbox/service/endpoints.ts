import type { ServiceAnswer, ServiceRequest, Surface } from '../entities';
import type { State } from '../state';
import { readBalance } from './account';
import { authenticate } from './auth';
import { type Fields, isFields } from './fields';
import { listMessages } from './history';
import { requestOtp, verifyOtp } from './otp';
import { buildErrorBody, Refusal } from './refusal';
import { sendBulk, sendByQuery, sendByRest } from './send';

interface Endpoint {
	surface: Surface;
	path: string;
	method: 'GET' | 'POST';
	answer: (state: State, request: ServiceRequest) => object | Promise<object>;
}

/** Methods: field notes, Methods. */
const endpoints: Endpoint[] = [
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
		answer: readBalance,
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

const endpointsByPath = new Map(endpoints.map((endpoint) => [`/api${endpoint.path}`, endpoint]));

/** What the service does with a request. A wrong method is refused before the credentials are looked at. */
export async function answerRequest(state: State, request: ServiceRequest): Promise<ServiceAnswer> {
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

function findEndpoint({ path, method }: ServiceRequest): Endpoint {
	const endpoint = endpointsByPath.get(path);
	if (!endpoint) throw new Refusal(404, 'Page not found.');
	if (method !== endpoint.method) throw refuseMethod(endpoint.method);
	return endpoint;
}

function refuseMethod(allowed: string): Refusal {
	const message = `Method Not Allowed. This URL can only handle the following request methods: ${allowed}.`;
	return new Refusal(405, message, message, { Allow: allowed });
}

/** `Content-Type: application/json` is the only supported one (specification, Endpoints). */
function readJsonBody({ headers, body }: ServiceRequest): Fields {
	if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
		throw new Refusal(415, 'The only supported content type is application/json.');
	}
	if (!isFields(body)) throw new Refusal(400, 'Invalid JSON data in request body: Syntax error.');
	return body;
}

export function answerJson(
	status: number,
	body: object | null,
	headers: Record<string, string> = {},
): ServiceAnswer {
	return {
		status,
		headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
		body: writeJson(body),
	};
}

/** A request ID that no number can hold is digits in JSON all the same. */
function writeJson(body: object | null): string {
	return JSON.stringify(body).replace(/"(requestId|request_id)":"(\d+)"/, '"$1":$2');
}

function answerError(error: unknown): ServiceAnswer {
	if (error instanceof Refusal) {
		const { status, message, headers, reason } = error;
		return { ...answerJson(status, buildErrorBody(status, message), headers), reason };
	}
	console.error('The sandbox itself failed:', error);
	return answerJson(500, buildErrorBody(500, 'An internal server error occurred.'));
}
