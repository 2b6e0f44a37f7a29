import { createHash, createHmac } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { serviceTimeZone as defaultServiceTimeZone } from '../validation/scheduledAt';
import { requireBaseUrl, toAddress } from './address';
import type { Endpoint } from './endpoints';
import { longestAnswer, parseAnswer } from './json';
import { toNetworkFailure } from './networkFailure';
import { hideInData, holdsPart, partsOfSecrets, partsOfToken, type Parts } from './secrets';
import { readOnlySendTo, requireReachable, type IsReachable } from './onlySendTo';
import { readCredentials, toApiToken } from './token';

export const credentialType = 'messagingServiceApi';

export type N8nContext = IExecuteFunctions | IWebhookFunctions;

export interface ServiceCall {
	endpoint: Endpoint;
	query?: IDataObject;
	body?: IDataObject;
	/** Milliseconds after which the call is given up, also in the middle of its answer. */
	timeout: number;
	/** Values of this call that no error may show: an OTP code, an encryption key. */
	secrets?: string[];
}

export interface ServiceAnswer {
	request?: string;
	status: number;
	/** Parsed JSON; `undefined` when the body is none. */
	body: unknown;
	retryAfter?: string;
	/** The service's clock in milliseconds since 1970, from the header Date. */
	serviceTime?: number;
	isSecret(text: string): boolean;
}

export interface Transport {
	send(call: ServiceCall): Promise<ServiceAnswer>;
	/** Digest of base address and key: what is learnt of one account holds for no other. */
	account: string;
	serviceTimeZone: string;
	/** A digest that only this credential can make: what was sealed cannot be found out by trying. */
	seal(parts: string[]): string;
	/** @throws InputError for a recipient that is not on the list Only Send To of the credential */
	requireReachable(recipients: string[]): void;
	/** Aborted when the user stops the execution. */
	signal?: AbortSignal;
}

/** How often a call in flight checks whether its time is over or the execution was stopped. */
const watchEveryMs = 250;

/** Closes the connection of a request whose time is over or whose execution was stopped. */
async function closeInTime(
	connection: AbortController,
	request: { isDone: boolean },
	timeout: number,
	stop: AbortSignal | undefined,
): Promise<void> {
	const end = Date.now() + timeout;
	for (let left = timeout; left > 0 && !request.isDone && !stop?.aborted; left = end - Date.now()) {
		await sleep(Math.min(left, watchEveryMs));
	}
	if (!request.isDone) connection.abort();
}

function toRequestOptions(call: ServiceCall, baseUrl: string): IHttpRequestOptions {
	const { endpoint, query, body, timeout } = call;
	const isJson = endpoint.surface === 'rest';
	return {
		method: endpoint.method,
		url: toAddress(baseUrl, endpoint),
		headers: { Accept: 'application/json', ...(isJson && { 'Content-Type': 'application/json' }) },
		...(query && { qs: query }),
		// As text, so that it goes out in UTF-8 exactly as it is here.
		...(body && { body: JSON.stringify(body) }),
		timeout,
		// Read here: n8n's own parser would cut the digits of long ids, and would read without end.
		encoding: 'stream',
		returnFullResponse: true,
		// Statuses as data: n8n sends a request again after a 401, and would put bodies into errors.
		ignoreHttpStatusErrors: true,
		// n8n hands the Authorization header to the host that a redirect names.
		disableFollowRedirect: true,
	};
}

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

function headerOf(response: FullResponse, name: string): string | undefined {
	const value = response.headers?.[name];
	return typeof value === 'string' ? value : undefined;
}

/** The text of an answer; `undefined` for one that is beyond all reason, whose connection is closed. */
async function readText(body: unknown): Promise<string | undefined> {
	if (typeof body === 'string') return body;
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		size += chunk.length;
		if (size > longestAnswer) return undefined;
		chunks.push(chunk);
	}
	// Without the byte order mark that some servers begin with.
	return new TextDecoder().decode(Buffer.concat(chunks));
}

async function toAnswer(
	response: FullResponse,
	token: Parts,
	isSecret: ServiceAnswer['isSecret'],
): Promise<ServiceAnswer> {
	const text = await readText(response.body);
	const serviceTime = Date.parse(headerOf(response, 'date') ?? '');
	return {
		status: response.statusCode,
		body: hideInData(parseAnswer(text), token),
		retryAfter: headerOf(response, 'retry-after'),
		...(Number.isFinite(serviceTime) && { serviceTime }),
		isSecret,
	};
}

/** n8n closes the connection of a request when the execution is stopped; this lets a single request be closed. */
function withSignal(context: N8nContext, signal: AbortSignal): N8nContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as N8nContext;
}

/** Every status comes back as a response; only failures of the network are thrown, as a ServiceError. */
export async function openTransport(context: N8nContext): Promise<Transport> {
	const data = await context.getCredentials(credentialType);
	const credentials = readCredentials(data);
	const baseUrl = requireBaseUrl(credentials);
	const partsOfData = partsOfToken(credentials);
	// Handed over, since n8n would read it from its database and decrypt it for every request.
	const credentialsDecrypted = { id: '', name: '', type: credentialType, data: { ...data } };
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

	const send: Transport['send'] = async (call) => {
		const isSecret = (words: string) => holdsPart(words, partsOfSecrets(credentials, call.secrets));
		const { method, surface, path } = call.endpoint;
		// For reports of failures, so without its query, which can hold the token.
		const request = `${method} /${surface}${path}`;
		const connection = new AbortController();
		const progress = { isDone: false };
		void closeInTime(connection, progress, call.timeout, signal);
		const exchange = async () => {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, connection.signal) as IExecuteFunctions,
				credentialType,
				{ ...toRequestOptions(call, baseUrl), abortSignal: connection.signal },
				{ credentialsDecrypted },
			)) as FullResponse;
			return { ...(await toAnswer(response, partsOfData, isSecret)), request };
		};
		return await exchange()
			.finally(() => (progress.isDone = true))
			.catch((error: unknown) => {
				const isTimeOut = connection.signal.aborted && !signal?.aborted;
				throw toNetworkFailure(isTimeOut ? { code: 'ECONNABORTED' } : error, signal, request);
			});
	};
	// Read for the first send, so that a wrong list keeps nobody from reading.
	let list: { isReachable?: IsReachable } | undefined;
	const token = toApiToken(credentials);
	const seal: Transport['seal'] = (parts) =>
		createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url');
	return {
		send,
		seal,
		requireReachable: (recipients) => {
			const { isReachable } = (list ??= { isReachable: readOnlySendTo(credentials.onlySendTo) });
			if (isReachable) requireReachable(isReachable, recipients);
		},
		account: createHash('sha256').update(`${baseUrl} ${credentials.apiKey}`).digest('hex'),
		serviceTimeZone: credentials.serviceTimeZone || defaultServiceTimeZone,
		signal,
	};
}
