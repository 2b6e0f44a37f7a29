import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { requireBaseUrl } from './address';
import { credentialType, rememberAsOwn, type ServiceCredentials } from './credential';
import { sendByMethod, type Endpoint, type Method } from './endpoints';
import { ServiceError, toNetworkFailure } from './failure';
import { longestBody } from './json';
import { readResponse, type ServiceResponse } from './response';

export interface ServiceCall {
	endpoint: Endpoint;
	/** In the body or the query, as the endpoint has it. */
	fields?: IDataObject;
	/** Values of this call that errors must not show: an OTP code, an encryption key. */
	secrets?: string[];
}

/** What all requests have in common, with n8n's helper and without it, as in the test of a credential. */
export function toRequest({ endpoint, fields }: ServiceCall, method: Method) {
	const isJson = endpoint.surface === 'rest';
	// REST takes a POST as JSON only, also a read by the other method. As text, so that n8n sends exactly this, in UTF-8.
	const body = isJson && method === 'POST' ? JSON.stringify(endpoint.hasBody ? fields : {}) : '';
	return {
		method,
		path: `/${endpoint.surface}${endpoint.path}`,
		headers: { Accept: 'application/json', ...(isJson && { 'Content-Type': 'application/json' }) },
		...(body && { body }),
		...(!endpoint.hasBody && { qs: fields ?? {} }),
	};
}

/** The text of a response; `undefined` above `longestBody` bytes; the connection is then closed. */
async function readText(body: unknown): Promise<string | undefined> {
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

/** Sends requests by n8n's HTTP helper, with one credential. Every HTTP status is a response. */
export class Transport {
	private readonly baseUrl: string;

	/**
	 * @param data the credential as n8n has it
	 * @param timeout milliseconds until a request is aborted, also while its response is being read
	 * @throws ServiceError for an invalid Base URL
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly credentials: ServiceCredentials,
		private readonly data: object,
		private readonly timeout: number,
	) {
		this.baseUrl = requireBaseUrl(credentials);
	}

	/** @throws ServiceError if there is no response */
	async send(call: ServiceCall): Promise<ServiceResponse> {
		const account = `${this.baseUrl} ${this.credentials.apiKey}`;
		return await sendByMethod(
			account,
			call.endpoint,
			async (method) => await this.exchange(call, method),
		);
	}

	private async exchange(call: ServiceCall, method: Method): Promise<ServiceResponse> {
		const { path, ...options } = toRequest(call, method);
		const request = `${method} ${path}`;
		const stop = this.context.getExecutionCancelSignal();
		const limit = AbortSignal.timeout(this.timeout);
		const signal = AbortSignal.any(stop ? [stop, limit] : [limit]);
		const respond = async () => {
			const { statusCode: status, headers, body } = await this.request(path, options, signal);
			const response = { request, status, headers, text: await readText(body) };
			return readResponse(response, call.endpoint, this.credentials, call.secrets);
		};
		return await respond().catch((error: unknown) => {
			// The service may go on with a request that was stopped.
			const facts = { request, mayHaveActed: true, isLate: true } as const;
			if (stop?.aborted) throw new ServiceError('cancelled', facts);
			throw toNetworkFailure(limit.aborted ? { code: 'ECONNABORTED' } : error, request);
		});
	}

	private async request(path: string, options: Partial<IHttpRequestOptions>, signal: AbortSignal) {
		// Passed along, because n8n would otherwise read and decrypt the credential for every request.
		const data = { ...this.data };
		const credentialsDecrypted = { id: '', name: '', type: credentialType, data };
		// n8n closes connections on the execution's cancel signal; replacing it allows closing a single request.
		const context = Object.create(this.context, {
			getExecutionCancelSignal: { value: () => signal },
		}) as IExecuteFunctions;
		const request: IHttpRequestOptions = {
			...options,
			url: this.baseUrl + path,
			timeout: this.timeout,
			abortSignal: signal,
			// Read here: n8n's own parser would round long IDs and read without a size limit.
			encoding: 'stream',
			returnFullResponse: true,
			// Otherwise n8n resends a request after a 401 and puts bodies into errors.
			ignoreHttpStatusErrors: true,
			// n8n passes the Authorization header on to the target of a redirect.
			disableFollowRedirect: true,
		};
		return (await this.context.helpers.httpRequestWithAuthentication.call(
			context,
			credentialType,
			rememberAsOwn(request),
			{ credentialsDecrypted },
		)) as { statusCode: number; headers: Record<string, unknown>; body: unknown };
	}
}
