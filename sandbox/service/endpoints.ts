import type { ServiceAnswer, ServiceRequest, StoredMessage, Surface } from '../entities';
import type { State } from '../state';
import { readBalance } from './account';
import { authenticate } from './auth';
import { type Fields, isFields } from './fields';
import { listMessages } from './history';
import { requestOtp, verifyOtp } from './otp';
import { buildErrorBody, Refusal } from './refusal';
import { moveEarly, type SendAnswer, sendBulk, sendByQuery, sendByRest } from './send';

type Method = 'GET' | 'POST';

interface Endpoint {
	surface: Surface;
	path: string;
	/** The usual one first. */
	methods: [Method, ...Method[]];
	answer: (state: State, request: ServiceRequest) => object | Promise<object>;
	/** Fields of the body, or parameters of the query, that the specification shows. */
	fields: string[];
	/** Fields of each object in `messages`. */
	itemFields?: string[];
}

const flags = ['encrypt', 'unicode', 'test'];
const sendFields = ['to', 'message', 'from', 'scheduledAt', ...flags];
const sendOptions = ['deliveryReceiptUrl', 'clientReference'];

/** The specification shows a method for REST send only: elsewhere GET and POST are taken (method rule). */
export const endpoints: Endpoint[] = [
	{
		surface: 'rest',
		path: '/rest/send',
		methods: ['POST'],
		answer: (state, request) => sendByRest(state, readJsonBody(request)),
		fields: [...sendFields, ...sendOptions, 'encryptKey'],
	},
	{
		surface: 'rest',
		path: '/rest/send/bulk',
		methods: ['POST', 'GET'],
		answer: (state, request) => sendBulk(state, readJsonBody(request)),
		fields: ['messages'],
		itemFields: ['to', 'message', 'from'],
	},
	{
		surface: 'rest',
		path: '/rest/messages',
		methods: ['GET', 'POST'],
		answer: (state, { query }) => listMessages(state, query),
		fields: [
			...['limit', 'page', 'filterByCreatedDateFrom', 'filterByCreatedDateTo'],
			...['from', 'to', 'message'],
		],
	},
	{
		surface: 'rest',
		path: '/rest/account/get-balance',
		methods: ['GET', 'POST'],
		answer: readBalance,
		fields: [],
	},
	{
		surface: 'otp',
		path: '/otp/request',
		methods: ['POST', 'GET'],
		answer: (state, { query }) => requestOtp(state, query),
		fields: [
			...['accessToken', 'to', 'brand', 'from'],
			...['ttl', 'pinLength', 'template', 'maxInvalidAttempts'],
		],
	},
	{
		surface: 'otp',
		path: '/otp/verify',
		methods: ['POST', 'GET'],
		answer: (state, { query }) => verifyOtp(state, query),
		fields: ['accessToken', 'requestId', 'code'],
	},
	{
		surface: 'http',
		path: '/http/send',
		methods: ['POST', 'GET'],
		answer: (state, { query }) => sendByQuery(state, query),
		fields: ['accessToken', ...sendFields, ...sendOptions],
	},
];

const endpointsByPath = new Map(endpoints.map((endpoint) => [`/api${endpoint.path}`, endpoint]));

/**
 * What the service does with a request.
 *
 * @param onActed told when it has acted or refused to, in the same turn, before anybody is called for it
 */
export async function answerRequest(
	state: State,
	request: ServiceRequest,
	onActed: () => void = () => undefined,
): Promise<ServiceAnswer> {
	try {
		const { endpoint, body } = await act(state, request).finally(onActed);
		const records = isSendAnswer(body) ? body.messages : [];
		await followMessages(state, request.number, records);
		const answer = answerJson(state.settings.successStatus, body);
		const reason = findReason(records);
		return addNotes({ ...answer, reason }, listIgnored(endpoint, request));
	} catch (error) {
		return answerError(error);
	}
}

/** A wrong method is refused before the credentials are looked at. */
async function act(
	state: State,
	request: ServiceRequest,
): Promise<{ endpoint: Endpoint; body: object }> {
	const endpoint = findEndpoint(request);
	authenticate(state.settings, {
		surface: endpoint.surface,
		authorization: request.headers.authorization,
		accessToken: request.query.accessToken,
		ipAddress: request.ipAddress,
	});
	return { endpoint, body: await endpoint.answer(state, request) };
}

function isSendAnswer(body: object): body is SendAnswer {
	return 'messages' in body && !('links' in body);
}

type Records = SendAnswer['messages'];

/** Notes by which request messages came, and moves those that are done before it is answered. */
async function followMessages(state: State, number: number, records: Records): Promise<void> {
	const messages: StoredMessage[] = [];
	for (const record of records) {
		const message = 'messageId' in record && state.messagesById.get(record.messageId);
		if (message) messages.push(message);
	}
	for (const message of messages) message.requestNumber = number;
	await moveEarly(state, messages);
}

/** Says which recipients are refused inside a success. */
function findReason(records: Records): string | undefined {
	const refused = records.filter(({ status }) => status === false);
	if (!refused[0]) return undefined;
	return `Refused inside a success (${refused.length} of ${records.length}): ${refused[0].message}`;
}

function findEndpoint({ path, method }: ServiceRequest): Endpoint {
	const endpoint = endpointsByPath.get(path);
	if (!endpoint) throw new Refusal(404, 'Page not found.');
	const { methods } = endpoint;
	if (!methods.some((one) => one === method)) throw refuseMethod(methods.join(', '));
	return endpoint;
}

/** Fields that were sent and that the specification does not show: nothing is dropped silently. */
function listIgnored({ fields, itemFields }: Endpoint, { query, body }: ServiceRequest): string[] {
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

/** A header takes no character beyond ASCII, and no long list. */
function addNotes(answer: ServiceAnswer, ignored: string[]): ServiceAnswer {
	if (ignored.length === 0) return answer;
	const more = ignored.length > 5 ? ` and ${ignored.length - 5} more` : '';
	const names = `${ignored.slice(0, 5).join(', ')}${more}`;
	const note = `ignored, since the specification does not show it here: ${names}`;
	const header = note.replace(/[^\x20-\x7e]/g, '?').slice(0, 500);
	return { ...answer, notes: [note], headers: { ...answer.headers, 'Sandbox-Note': header } };
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
	const text = JSON.stringify(body);
	const hasRequestId = body !== null && ('requestId' in body || 'request_id' in body);
	return hasRequestId ? text.replace(/"(requestId|request_id)":"(\d+)"/, '"$1":$2') : text;
}

function answerError(error: unknown): ServiceAnswer {
	if (error instanceof Refusal) {
		const { status, message, headers, reason } = error;
		return { ...answerJson(status, buildErrorBody(status, message), headers), reason };
	}
	console.error('The sandbox itself failed:', error);
	return answerJson(500, buildErrorBody(500, 'An internal server error occurred.'));
}
