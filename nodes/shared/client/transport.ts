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
import { longestAnswer } from './json';
import { toNetworkFailure } from './networkFailure';
import { hideSecrets, parseAndHide, secretsOf, secretsOfData, type Secrets } from './secrets';
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
	/** Milliseconds for which the connection is kept after that, since an answer can come late. */
	patience?: number;
	/** Values of this call that no error may show: an OTP code, an encryption key. */
	secrets?: string[];
}

export interface ServiceAnswer {
	/** Method and path of the request that it answers. */
	request?: string;
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
	/** Digest of base address and key: what is learnt of one account holds for no other. */
	account: string;
	/** In which the service reads schedules. */
	serviceTimeZone: string;
	/** A digest that needs the token to be made. */
	seal(parts: string[]): string;
	/** Aborted when the user stops the execution. */
	signal?: AbortSignal;
}

/** How often a call that is under way looks whether its time is over or the execution was stopped. */
const watchEveryMs = 250;

/** What may stand in a report of a failure; the query of a request can hold the token. */
function nameOf({ endpoint: { method, surface, path } }: ServiceCall): string {
	return `${method} /${surface}${path}`;
}

/** One request and its answer, which can be given up at any moment. */
class Exchange {
	readonly answer: Promise<ServiceAnswer>;
	/** Resolves with the answer or the failure, and holds neither. */
	private readonly end: Promise<void>;
	private isDone = false;
	private isAnswering = false;
	private readonly connection = new AbortController();

	constructor(
		private readonly call: ServiceCall,
		private readonly signal: AbortSignal | undefined,
		request: (connection: AbortSignal, noteHeaders: () => void) => Promise<ServiceAnswer>,
	) {
		this.answer = request(this.connection.signal, () => (this.isAnswering = true)).then(
			(answer) => {
				this.isDone = true;
				return answer;
			},
			(error: unknown) => {
				this.isDone = true;
				throw toNetworkFailure(error, signal, nameOf(call));
			},
		);
		this.end = this.answer.then(
			() => undefined,
			() => undefined,
		);
	}

	/**
	 * The answer, if it comes in time. An answer that has begun by then and never ends is cut off; one that has not
	 * begun may come late, and the failure carries it.
	 */
	async inTime(): Promise<ServiceAnswer> {
		return await Promise.race([this.answer, this.endInTime()]);
	}

	private async endInTime(): Promise<ServiceAnswer> {
		const { timeout, patience = 0 } = this.call;
		await this.watchFor(timeout);
		if (this.isDone) return await this.answer;
		const isStopped = this.signal?.aborted === true;
		const isLatePossible = patience > 0 && !this.isAnswering && !isStopped;
		if (isLatePossible) void this.watchFor(patience).then(() => this.connection.abort());
		else this.connection.abort();
		throw new ServiceError(
			isStopped ? 'cancelled' : 'unavailable',
			{ code: 'ECONNABORTED', mayHaveActed: true, request: nameOf(this.call) },
			{ late: isLatePossible ? this.answer : undefined },
		);
	}

	private async watchFor(ms: number): Promise<void> {
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !this.isDone; left = end - Date.now()) {
			if (this.signal?.aborted) return;
			// Not a moment longer than the exchange: what it holds is as large as an execution.
			await Promise.race([sleep(Math.min(left, watchEveryMs)), this.end]);
		}
	}
}

function toRequestOptions(call: ServiceCall, baseUrl: string): IHttpRequestOptions {
	const { endpoint, query, body, timeout, patience = 0 } = call;
	const isJson = endpoint.surface === 'rest';
	return {
		method: endpoint.method,
		url: toAddress(baseUrl, endpoint),
		headers: { Accept: 'application/json', ...(isJson && { 'Content-Type': 'application/json' }) },
		...(query && { qs: query }),
		// As text, so that it goes out in UTF-8 exactly as it is here.
		...(body && { body: JSON.stringify(body) }),
		// Longer than the watch over the exchange, which is to say what a time-out means.
		timeout: timeout + patience + watchEveryMs,
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
	ofNoAnswer: Secrets,
	hide: ServiceAnswer['hide'],
): Promise<ServiceAnswer> {
	const text = await readText(response.body);
	const serviceTime = Date.parse(headerOf(response, 'date') ?? '');
	return {
		status: response.statusCode,
		body: parseAndHide(text, ofNoAnswer),
		retryAfter: headerOf(response, 'retry-after'),
		...(Number.isFinite(serviceTime) && { serviceTime }),
		hide,
	};
}

/** n8n closes the connection of a request when the execution is stopped; this lets a single request be closed. */
function withSignal(context: N8nContext, signal: AbortSignal): N8nContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as N8nContext;
}

/**
 * The only way to the service. Every status comes back as an answer; only the network's failures are thrown, as
 * a ServiceError that says whether the service can have acted on the request.
 */
export async function openTransport(context: N8nContext): Promise<Transport> {
	const credentials = await context.getCredentials<ServiceCredentials>(credentialType);
	const baseUrl = requireBaseUrl(credentials);
	const ofNoAnswer = secretsOfData(credentials);
	// Handed over, since n8n would read it from its database and decrypt it for every request.
	const credentialsDecrypted = { id: '', name: '', type: credentialType, data: { ...credentials } };
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

	const send: Transport['send'] = async (call) => {
		const hide = (words: string) => hideSecrets(words, secretsOf(credentials, call.secrets));
		const exchange = new Exchange(call, signal, async (connection, noteHeaders) => {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, connection) as IExecuteFunctions,
				credentialType,
				{ ...toRequestOptions(call, baseUrl), abortSignal: connection },
				{ credentialsDecrypted },
			)) as FullResponse;
			noteHeaders();
			return { ...(await toAnswer(response, ofNoAnswer, hide)), request: nameOf(call) };
		});
		return await exchange.inTime();
	};
	const token = toApiToken(credentials);
	const seal: Transport['seal'] = (parts) =>
		createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url');
	return {
		send,
		seal,
		account: createHash('sha256').update(`${baseUrl} ${credentials.apiKey}`).digest('hex'),
		serviceTimeZone: credentials.serviceTimeZone?.trim() || defaultServiceTimeZone,
		signal,
	};
}
