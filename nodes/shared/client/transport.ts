import { createHash, createHmac } from 'node:crypto';

import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { requireTimeZone, serviceTimeZone as defaultServiceTimeZone } from '../input/time';
import { requireBaseUrl, toAddress, type Endpoint, type Method } from './address';
import { isHtml, longestBody, parseJson } from './json';
import { toNetworkFailure } from './failure';
import { emptyBodyOf } from './method';
import type { ServiceResponse } from './response';
import {
	hideInData,
	holdsSecret,
	holdsWaitingLink,
	listSecrets,
	listToken,
	type Secrets,
} from './secrets';
import { credentialType, readCredentials, rememberAsOwn, toApiToken } from './token';

export interface ServiceCall {
	endpoint: Endpoint;
	/** In the body or the query, as the endpoint has it. */
	fields?: IDataObject;
	/** Milliseconds until the call is aborted, also while its response is being read. */
	timeout: number;
	/** Values of this call that errors must not show: an OTP code, an encryption key. */
	secrets?: string[];
}

export type Transport = Awaited<ReturnType<typeof openTransport>>;

/** How often a call in flight checks for its time limit and for a stopped execution. */
const watchEveryMs = 250;

/** Closes the connection of a request at its time limit, or when the execution is stopped. */
async function closeInTime(
	connection: AbortController,
	request: { isDone: boolean },
	timeout: number,
	stop: AbortSignal | undefined,
): Promise<void> {
	const end = performance.now() + timeout;
	for (
		let left = timeout;
		left > 0 && !request.isDone && !stop?.aborted;
		left = end - performance.now()
	) {
		await sleep(Math.min(left, watchEveryMs));
	}
	if (!request.isDone) connection.abort();
}

function toRequestOptions(call: ServiceCall, method: Method, baseUrl: string): IHttpRequestOptions {
	const { endpoint, fields, timeout } = call;
	const isJson = endpoint.surface === 'rest';
	// As text, so that n8n sends exactly this, in UTF-8.
	const text = endpoint.hasBody ? JSON.stringify(fields) : emptyBodyOf(endpoint, method);
	return {
		method,
		url: toAddress(baseUrl, endpoint),
		headers: { Accept: 'application/json', ...(isJson && { 'Content-Type': 'application/json' }) },
		...(!endpoint.hasBody && { qs: fields ?? {} }),
		...(text !== undefined && { body: text }),
		timeout,
		// Read here: n8n's own parser would round long IDs and read without a size limit.
		encoding: 'stream',
		returnFullResponse: true,
		// Otherwise n8n resends a request after a 401 and puts bodies into errors.
		ignoreHttpStatusErrors: true,
		// n8n passes the Authorization header on to the target of a redirect.
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

/** The text of a response; `undefined` above `longestBody` bytes; the connection is then closed. */
async function readBody(body: unknown): Promise<string | undefined> {
	if (typeof body === 'string') return body;
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		size += chunk.length;
		if (size > longestBody) return undefined;
		chunks.push(chunk);
	}
	// Drops the byte order mark that some servers send.
	return new TextDecoder().decode(Buffer.concat(chunks));
}

async function toResponse(
	response: FullResponse,
	token: Secrets,
	isSecret: ServiceResponse['isSecret'],
): Promise<ServiceResponse> {
	const text = await readBody(response.body);
	const serviceTime = Date.parse(headerOf(response, 'date') ?? '');
	return {
		status: response.statusCode,
		body: hideInData(parseJson(text), token),
		isPage: isHtml(text ?? ''),
		retryAfter: headerOf(response, 'retry-after'),
		allow: headerOf(response, 'allow'),
		...(Number.isFinite(serviceTime) && { serviceTime }),
		isSecret,
	};
}

/** n8n closes connections on the execution's cancel signal; replacing it allows closing a single request. */
function withSignal(context: IExecuteFunctions, signal: AbortSignal): IExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;
}

/** Every HTTP status is a response. @throws ServiceError for an invalid Base URL; `send` for a network failure */
export async function openTransport(context: IExecuteFunctions) {
	// Of the first item, also where an expression makes it depend on the item.
	const data = await context.getCredentials(credentialType, 0);
	const credentials = readCredentials(data);
	const baseUrl = requireBaseUrl(credentials);
	const secretsOfData = listToken(credentials);
	// Passed along, because n8n would otherwise read and decrypt the credential for every request.
	const credentialsDecrypted = { id: '', name: '', type: credentialType, data: { ...data } };
	const signal = context.getExecutionCancelSignal();

	const send = async (call: ServiceCall, method: Method): Promise<ServiceResponse> => {
		const isSecret = (words: string) =>
			holdsWaitingLink(words) || holdsSecret(words, listSecrets(credentials, call.secrets));
		// For error reports, so without the query, which can hold the token.
		const request = `${method} /${call.endpoint.surface}${call.endpoint.path}`;
		const connection = new AbortController();
		const progress = { isDone: false };
		void closeInTime(connection, progress, call.timeout, signal);
		const options = toRequestOptions(call, method, baseUrl);
		const respond = async () => {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, connection.signal),
				credentialType,
				rememberAsOwn({ ...options, abortSignal: connection.signal }),
				{ credentialsDecrypted },
			)) as FullResponse;
			return { ...(await toResponse(response, secretsOfData, isSecret)), request };
		};
		return await respond()
			.finally(() => (progress.isDone = true))
			.catch((error: unknown) => {
				const hasTimedOut = connection.signal.aborted && !signal?.aborted;
				throw toNetworkFailure(hasTimedOut ? { code: 'ECONNABORTED' } : error, signal, request);
			});
	};
	const account = createHash('sha256').update(`${baseUrl} ${credentials.apiKey}`).digest('hex');
	const zone = credentials.serviceTimeZone || defaultServiceTimeZone;
	const serviceTimeZone = requireTimeZone(zone, 'serviceTimeZone');
	const token = toApiToken(credentials);
	return {
		send,
		/** A digest keyed with the API token, so sealed values cannot be guessed by brute force. */
		seal: (...parts: string[]) =>
			createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url'),
		baseUrl,
		/** Digest of Base URL and API key. Facts learned about one account do not apply to another. */
		account,
		serviceTimeZone,
		/** For nodes whose own field is empty, by its name. */
		defaults: { from: credentials.senderId, brand: credentials.brand },
		flags: credentials.flags,
		/** As entered: an invalid list does not block reads. */
		onlySendTo: credentials.onlySendTo,
		/** Of the workflow, in which people read times. */
		timeZone: context.getTimezone(),
		/** Whether a person waits for this attempt in the editor, and no other follows. */
		isWatched: context.getMode() === 'manual' && context.getNode().retryOnFail !== true,
		/** Aborted when the user stops the execution. */
		signal,
	};
}
