import type { LoggedRequest, ServiceAnswer, Surface } from '../entities';
import type { State } from '../state';
import { readSuccessStatus } from '../settings';
import type { Source, Taken } from './accept';
import { readBalance } from './account';
import { authenticate } from './auth';
import { deviateAnswer, deviateBody, deviateRequest } from './deviations';
import { type Fields, isFields } from './fields';
import { listMessages } from './history';
import { requestOtp, verifyOtp } from './otp';
import { buildErrorBody, Refusal } from './refusal';
import { answerSend, findReason, sendBulk, sendByQuery, sendByRest } from './send';

type Method = 'GET' | 'POST';

interface Endpoint {
	surface: Surface;
	path: string;
	/** The usual method first. */
	methods: [Method, ...Method[]];
	/** Makes all its changes in one turn, at the end. */
	act: (state: State, request: LoggedRequest, source: Source) => object | Promise<object>;
	/** Body fields or query parameters that the specification shows. */
	fields: string[];
	/** Whether it sends: IP whitelists limit sending only. */
	isSending?: boolean;
	/** Fields of each object in `messages` that the specification shows. */
	itemFields?: string[];
}

const sendFields = ['to', 'message', 'from', 'scheduledAt', 'encrypt', 'unicode', 'test'];
const sendOptions = ['deliveryReceiptUrl', 'clientReference'];
const post: Endpoint['methods'] = ['POST', 'GET'];
const get: Endpoint['methods'] = ['GET', 'POST'];

/** The specification shows a method for REST send only; all others accept GET and POST (method rule). */
export const endpoints: Endpoint[] = [
	{
		...{ surface: 'rest', path: '/rest/send', methods: ['POST'], isSending: true },
		act: (state, request, source) => sendByRest(state, readJsonBody(request), source),
		fields: [...sendFields, ...sendOptions, 'encryptKey'],
	},
	{
		...{ surface: 'rest', path: '/rest/send/bulk', methods: post, isSending: true },
		act: (state, request, source) => sendBulk(state, readJsonBody(request), source),
		...{ fields: ['messages'], itemFields: ['to', 'message', 'from'] },
	},
	{
		...{ surface: 'rest', path: '/rest/messages', methods: get },
		act: (state, { query, baseUrl }) => listMessages(state, query, baseUrl),
		fields: [
			...['limit', 'page', 'filterByCreatedDateFrom', 'filterByCreatedDateTo'],
			...['from', 'to', 'message'],
		],
	},
	{
		...{ surface: 'rest', path: '/rest/account/get-balance', methods: get },
		...{ act: readBalance, fields: [] },
	},
	{
		...{ surface: 'otp', path: '/otp/request', methods: post, isSending: true },
		act: (state, { query }) => requestOtp(state, query),
		fields: [
			...['accessToken', 'to', 'brand', 'from'],
			...['ttl', 'pinLength', 'template', 'maxInvalidAttempts'],
		],
	},
	{
		...{ surface: 'otp', path: '/otp/verify', methods: post },
		act: (state, { query }) => verifyOtp(state, query),
		fields: ['accessToken', 'requestId', 'code'],
	},
	{
		...{ surface: 'http', path: '/http/send', methods: post, isSending: true },
		act: (state, { query }, source) => sendByQuery(state, query, source),
		fields: ['accessToken', ...sendFields, ...sendOptions],
	},
];

const jsonHeaders = { 'Content-Type': 'application/json; charset=UTF-8' };
const endpointsByPath = new Map(endpoints.map((endpoint) => [`/api${endpoint.path}`, endpoint]));
/** That of `links`. */
endpointsByPath.set(
	'/api/rest/messages/index',
	endpoints.find(({ path }) => path === '/rest/messages')!,
);

export const isEndpoint = (path: string): boolean => endpointsByPath.has(path);

/** Handles a request as the service does. */
export async function answerRequest(state: State, received: LoggedRequest): Promise<ServiceAnswer> {
	return deviateAnswer(state.settings, await act(state, received), received);
}

async function act(state: State, received: LoggedRequest): Promise<ServiceAnswer> {
	const repeated = listSome('repeated, and the last one counts', received.repeated);
	try {
		const request = deviateRequest(state.settings, received);
		const endpoint = findEndpoint(request, state.settings.methods === 'usual');
		authenticate(state.settings, request, endpoint.surface, endpoint.isSending);
		const source = { path: endpoint.path, number: request.number };
		const done = await endpoint.act(state, request, source);
		const taken = Array.isArray(done) ? (done as Taken[]) : undefined;
		const plain = taken ? await answerSend(state, taken) : done;
		const body = writeJson(deviateBody(state.settings, plain, received));
		const status = readSuccessStatus(state.settings, endpoint.surface);
		const answer = { status, headers: jsonHeaders, body, reason: taken && findReason(taken) };
		const ignored = listSome(ignoredWords, listIgnored(endpoint, request));
		return addNotes(answer, [...ignored, ...listUnused(request, taken), ...repeated]);
	} catch (error) {
		return addNotes(answerError(error), repeated);
	}
}

/** Its method is checked before the credentials are. */
function findEndpoint({ path, method }: LoggedRequest, isUsual: boolean): Endpoint {
	const endpoint = endpointsByPath.get(path);
	if (!endpoint) throw new Refusal(404, 'Page not found.');
	const methods = isUsual ? endpoint.methods.slice(0, 1) : endpoint.methods;
	if (methods.some((one) => one === method)) return endpoint;
	const allowed = methods.join(', ');
	const message = `Method Not Allowed. This URL can only handle the following request methods: ${allowed}.`;
	throw new Refusal(405, message, message, { Allow: allowed });
}

/** Names fields that the specification does not show, so that none is ignored silently. */
function listIgnored({ fields, itemFields }: Endpoint, { query, body }: LoggedRequest): string[] {
	const given = { ...(isFields(body) && body), ...query };
	const ignored = Object.keys(given).filter((name) => !fields.includes(name));
	if (!itemFields || !isFields(body) || !Array.isArray(body.messages)) return ignored;
	const ofItems = body.messages.flatMap((item: object, index) =>
		Object.keys(item)
			.filter((name) => !itemFields.includes(name))
			.map((name) => `messages[${index}].${name}`),
	);
	return [...ignored, ...ofItems];
}

/** Writes a request ID kept as a string as a JSON number. */
function writeJson(body: object): string {
	const text = JSON.stringify(body);
	const hasRequestId = 'requestId' in body || 'request_id' in body;
	return hasRequestId ? text.replace(/"(requestId|request_id)":"(\d+)"/, '"$1":$2') : text;
}

/** A sender who sets a key believes that the text is encrypted. */
function listUnused({ path, body }: LoggedRequest, [first]: Taken[] = []): string[] {
	if (path !== '/api/rest/send' || !isFields(body) || first?.order.encryption) return [];
	return body.encryptKey ? ['ignored, since encrypt is not set: encryptKey'] : [];
}

const ignoredWords = 'ignored, since the specification does not show it here';

/** One note, or none without names. */
function listSome(words: string, names: string[] = []): string[] {
	if (names.length === 0) return [];
	const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
	return [`${words}: ${names.slice(0, 5).join(', ')}${more}`];
}

/** The header allows ASCII only, and its length is limited. */
function addNotes(answer: ServiceAnswer, notes: string[]): ServiceAnswer {
	if (notes.length === 0) return answer;
	const header = notes
		.join('; ')
		.replace(/[^\x20-\x7e]/g, '?')
		.slice(0, 500);
	return { ...answer, notes, headers: { ...answer.headers, 'Sandbox-Note': header } };
}

/** Only `Content-Type: application/json` is supported (specification, Endpoints). */
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
): ServiceAnswer {
	return { status, headers: { ...jsonHeaders, ...headers }, body: JSON.stringify(body) };
}

export function answerError(error: unknown): ServiceAnswer {
	if (error instanceof Refusal) {
		const { status, message, headers, reason } = error;
		return { ...answerJson(status, buildErrorBody(status, message), headers), reason };
	}
	console.error('The sandbox itself failed:', error);
	return answerJson(500, buildErrorBody(500, 'An internal server error occurred.'));
}
