import { createHmac } from 'node:crypto';

import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { isUsableBaseUrl, normalizeBaseUrl } from './address';
import type { Endpoint } from './endpoints';
import { parseAnswer } from './json';
import { hideSecrets, secretsOf } from './secrets';
import { ServiceError } from './ServiceError';
import { toApiToken, type ServiceCredentials } from './token';

export const credentialType = 'messagingServiceApi';

export type N8nContext = IExecuteFunctions | IWebhookFunctions;

export interface ServiceCall {
	endpoint: Endpoint;
	query?: IDataObject;
	body?: IDataObject;
	/** Milliseconds without an answer after which the call is given up. */
	timeout: number;
	/** Values of this call that no error may show: an OTP code, an encryption key. */
	secrets?: string[];
}

export interface ServiceAnswer {
	status: number;
	/** Parsed JSON; `undefined` when the body is none. */
	body: unknown;
	retryAfter?: string;
	/** The service's clock in milliseconds since 1970, from the header Date. */
	serviceTime?: number;
	/** Takes the secrets of this call out of a text. */
	hide(text: string): string;
}

export interface Transport {
	send(call: ServiceCall): Promise<ServiceAnswer>;
	/** Base address and key: what is learnt of one account holds for no other. */
	account: string;
	/** A digest that needs the token to be made. */
	seal(parts: string[]): string;
	/** Aborted when the user stops the execution. */
	signal?: AbortSignal;
}

/** Failures of the network before the request can have reached the service. */
const neverArrived =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_FAIL|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ERR_INVALID_URL|ERR_INVALID_PROTOCOL|EPROTO|ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/;

/** How often a call that is under way looks whether its time is over or the execution was stopped. */
const watchEveryMs = 250;

function codeOf(error: unknown): string {
	const { httpCode, code, cause } = error as {
		httpCode?: unknown;
		code?: unknown;
		cause?: unknown;
	};
	const found = [httpCode, (cause as { code?: unknown } | undefined)?.code, code];
	return String(found.find((value) => typeof value === 'string' && value !== '') ?? 'unknown');
}

export function toNetworkFailure(error: unknown, signal?: AbortSignal): ServiceError {
	if (error instanceof ServiceError) return error;
	const code = codeOf(error);
	const isCancelled = signal?.aborted === true || code === 'ERR_CANCELED';
	const mayHaveActed = !neverArrived.test(code);
	return new ServiceError(isCancelled ? 'cancelled' : 'unavailable', { code, mayHaveActed });
}

/**
 * n8n's time-out counts silence, and a server that sends a byte now and then would never end. This watch ends
 * the wait in any case, and within a moment of the user's stopping the execution.
 */
async function limitTime<T>(work: Promise<T>, timeout: number, signal?: AbortSignal): Promise<T> {
	let isDone = false;
	const end = Date.now() + timeout + watchEveryMs;
	const watch = async (): Promise<T> => {
		while (!isDone && Date.now() < end && signal?.aborted !== true) await sleep(watchEveryMs);
		if (isDone) return await work;
		throw new ServiceError(signal?.aborted ? 'cancelled' : 'unavailable', {
			code: 'ECONNABORTED',
			mayHaveActed: true,
		});
	};
	return await Promise.race([work.finally(() => (isDone = true)), watch()]);
}

function toRequestOptions(call: ServiceCall, baseUrl: string): IHttpRequestOptions {
	const { endpoint, query, body, timeout } = call;
	const isJson = endpoint.surface === 'rest';
	return {
		method: endpoint.method,
		url: `${baseUrl}/${endpoint.surface}${endpoint.path}`,
		headers: { Accept: 'application/json', ...(isJson && { 'Content-Type': 'application/json' }) },
		...(query && { qs: query }),
		// As text, so that it goes out in UTF-8 exactly as it is here.
		...(body && { body: JSON.stringify(body) }),
		timeout,
		// The answer as text: n8n's own parser would cut the digits of long ids.
		encoding: 'text',
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

function toAnswer(
	response: FullResponse,
	token: string,
	hide: ServiceAnswer['hide'],
): ServiceAnswer {
	// The token belongs in no answer; taken out of the text, it is out of whatever is made of it.
	const text =
		typeof response.body === 'string' ? response.body.split(token).join('[hidden]') : undefined;
	const serviceTime = Date.parse(headerOf(response, 'date') ?? '');
	return {
		status: response.statusCode,
		body: parseAnswer(text),
		retryAfter: headerOf(response, 'retry-after'),
		...(Number.isFinite(serviceTime) && { serviceTime }),
		hide,
	};
}

/**
 * The only way to the service. Every status comes back as an answer; only the network's failures are thrown, as
 * a ServiceError that says whether the service can have acted on the request.
 */
export async function openTransport(context: N8nContext): Promise<Transport> {
	const credentials = await context.getCredentials<ServiceCredentials>(credentialType);
	const baseUrl = normalizeBaseUrl(credentials.baseUrl);
	if (!isUsableBaseUrl(baseUrl)) throw new ServiceError('address');
	const token = toApiToken(credentials);
	// Handed over, since n8n would read it from its database and decrypt it for every request.
	const credentialsDecrypted = { id: '', name: '', type: credentialType, data: { ...credentials } };
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

	const send: Transport['send'] = async (call) => {
		try {
			const request = context.helpers.httpRequestWithAuthentication.call(
				context,
				credentialType,
				toRequestOptions(call, baseUrl),
				{ credentialsDecrypted },
			) as Promise<FullResponse>;
			const response = await limitTime(request, call.timeout, signal);
			return toAnswer(response, token, (words) =>
				hideSecrets(words, secretsOf(credentials, call.secrets)),
			);
		} catch (error) {
			throw toNetworkFailure(error, signal);
		}
	};
	const seal: Transport['seal'] = (parts) =>
		createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url');
	return { send, seal, account: `${credentials.baseUrl} ${credentials.apiKey}`, signal };
}
