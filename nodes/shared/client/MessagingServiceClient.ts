import { createHash, createHmac } from 'node:crypto';

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isMasked } from '../input/comparison';
import { describeSchedule, requireTimeZone, serviceTimeZone } from '../input/time';
import { normalizeBaseUrl } from './address';
import { readCheck } from './confirmation';
import { credentialType, readCredentials, readOnlySendTo, toApiToken } from './credential';
import type { ServiceCredentials } from './credential';
import { endpoints } from './endpoints';
import { asServiceError, ServiceError } from './failure';
import { isObject } from './json';
import { RequestPool } from './RequestPool';
import {
	findRecords,
	isAcceptance,
	isIssued,
	isRejection,
	isSuccess,
	readRecords,
	toFailure,
	toRejection,
	withDocumentedTypes,
	type ServiceResponse,
} from './response';
import { waitBeforeRetry } from './retry';
import { secretsInQuery } from './secrets';
import { Transport, type ServiceCall } from './transport';
import type {
	BulkMessage,
	HistoryFilters,
	HistoryPage,
	MessageRecord,
	OtpCheck,
	OtpRequest,
	PageSize,
	SendRequest,
} from './types';

/** One method for each endpoint. Failures are ServiceErrors, except those of `requireReachable`. */
export class MessagingServiceClient {
	readonly baseUrl: string;
	/** Digest of Base URL and API key. Facts learned about one account do not apply to another. */
	readonly account: string;
	readonly serviceTimeZone: string;
	/** For nodes whose own field is empty, by its name. */
	readonly defaults: { from: string; brand: string };
	private requireOnList?: (recipients: string[]) => void;
	/** No attempt follows another after this moment, by `performance.now()`. */
	private readonly deadline: number = Infinity;

	/** @param isWatched whether a person waits for this attempt in the editor, and no other follows */
	private constructor(
		private readonly credentials: ServiceCredentials,
		private readonly transport: Transport,
		readonly pool: RequestPool,
		readonly isWatched: boolean,
	) {
		const { apiKey, senderId, brand, serviceTimeZone: zone } = credentials;
		this.baseUrl = normalizeBaseUrl(credentials.baseUrl);
		this.account = createHash('sha256').update(`${this.baseUrl} ${apiKey}`).digest('hex');
		this.serviceTimeZone = requireTimeZone(zone || serviceTimeZone, 'serviceTimeZone');
		this.defaults = { from: senderId, brand };
	}

	/** @param timeout milliseconds @throws ServiceError for an invalid Base URL */
	static async open(
		context: IExecuteFunctions,
		{ parallelRequests = 1, timeout }: { parallelRequests?: number; timeout: number },
	): Promise<MessagingServiceClient> {
		// Of the first item, also where an expression makes it depend on the item.
		const data = await context.getCredentials(credentialType, 0);
		const credentials = readCredentials(data);
		const transport = new Transport(context, credentials, data, timeout);
		const pool = new RequestPool(parallelRequests, context.getExecutionCancelSignal());
		const isWatched = context.getMode() === 'manual' && context.getNode().retryOnFail !== true;
		return new MessagingServiceClient(credentials, transport, pool, isWatched);
	}

	/** The same client, which makes no further attempt after some milliseconds. */
	within(ms: number): MessagingServiceClient {
		const deadline = { value: performance.now() + ms };
		return Object.create(this, { deadline }) as MessagingServiceClient;
	}

	/** A digest keyed with the API token, so sealed values cannot be guessed by brute force. */
	seal(...parts: string[]): string {
		const token = toApiToken(this.credentials);
		return createHmac('sha256', token).update(JSON.stringify(parts)).digest('base64url');
	}

	/** Checked again before each request that sends. @throws InputError for a recipient not on Only Send To */
	requireReachable(recipients: string[]): void {
		// Read here, since an invalid list does not block reads.
		this.requireOnList ??= readOnlySendTo(this.credentials.onlySendTo);
		this.requireOnList(recipients);
	}

	async getBalance(): Promise<IDataObject> {
		const response = await this.request({ endpoint: endpoints.getBalance });
		const { body } = response;
		if (!isObject(body) || !('balance' in body)) throw toFailure(response);
		return withDocumentedTypes(body as IDataObject);
	}

	/** `rest /messages`: one page, counted from 1. `links` are never followed (field note 12). */
	async listMessages(filters: HistoryFilters, limit: PageSize, page: number): Promise<HistoryPage> {
		const fields = { ...filters, limit, page };
		const response = await this.request({ endpoint: endpoints.listMessages, fields });
		const messages = findRecords(response);
		if (!messages) throw toFailure(response);
		const counts = withDocumentedTypes(response.body as object) as Record<string, unknown>;
		return {
			messages: messages.map((record) => this.withZone(record)),
			limit: toCount(counts.limit) || limit,
			records: toCount(counts.records),
			start: toCount(counts.start),
			serviceTime: response.serviceTime,
		};
	}

	/** `rest /send`, or `http /send` with all fields in the query. Callers must run it in the pool. */
	async send(request: SendRequest, surface: 'rest' | 'http'): Promise<MessageRecord> {
		this.requireReachable([request.to]);
		const { encryptKey, deliveryReceiptUrl } = request;
		const secrets = encryptKey ? [encryptKey] : [];
		if (deliveryReceiptUrl) secrets.push(...secretsInQuery(deliveryReceiptUrl));
		const endpoint = surface === 'rest' ? endpoints.send : endpoints.sendByQuery;
		const response = await this.request({ endpoint, fields: this.withFlags(request), secrets });
		const [record] = readRecords(response);
		if (isRejection(record)) throw toRejection(record, response);
		if (!isAcceptance(record)) throw toFailure(response);
		return this.withZone(record);
	}

	/**
	 * `rest /send/bulk`: one record for each recipient, in any order, with rejections among them (`isRejection`). Callers
	 * must run it in the pool.
	 */
	async sendBulk(messages: BulkMessage[]) {
		const recipients = messages.flatMap(({ to }) => to);
		this.requireReachable(recipients);
		const fields = { messages: messages.map((message) => this.withFlags(message)) };
		const response = await this.request(
			{ endpoint: endpoints.sendBulk, fields },
			recipients.length,
		);
		return {
			records: readRecords(response),
			toRejection: (record: MessageRecord) => toRejection(record, response),
		};
	}

	/** `otp /request`. Returns only these fields: any other could hold the code. A masked recipient is shown whole. */
	async requestOtp(request: OtpRequest): Promise<IDataObject> {
		this.requireReachable([request.to]);
		const fields: IDataObject = { ...request };
		const response = await this.request({ endpoint: endpoints.requestOtp, fields });
		if (!isIssued(response.body)) throw toFailure(response);
		const body = withDocumentedTypes(response.body) as IDataObject;
		const { channel, requestId = body.request_id, createdAt, expireAt } = body;
		const to = isMasked(body.to) ? request.to : body.to;
		return { channel, requestId, to, createdAt, expireAt };
	}

	/** `otp /verify`. Never retried: each request is an attempt. @throws ServiceError if the code was not checked */
	async verifyOtp(requestId: string, code: string): Promise<OtpCheck> {
		const isCheckOfCode = true;
		const call = { endpoint: endpoints.verifyOtp, fields: { requestId, code }, secrets: [code] };
		const response = await this.call(call).catch((error: unknown) => {
			throw asServiceError(error).with({ isCheckOfCode });
		});
		const check = readCheck(response, requestId);
		if (check.verified !== null) return check;
		throw toFailure({ ...response, status: check.statusCode }, { isCheckOfCode });
	}

	/**
	 * Retries reads, and what certainly did nothing. @throws ServiceError unless the response is a success
	 * @param messages in the request: several can be accepted in part, even if the response rejects the request
	 */
	private async request(call: ServiceCall, messages = 1): Promise<ServiceResponse> {
		const { isRead } = call.endpoint;
		const begunAt = performance.now();
		for (let attempts = 1; ; attempts += 1) {
			const result = await this.call(call).catch(asServiceError);
			const isFailed = result instanceof ServiceError;
			// A page, as of a proxy, is no success, and to a read only JSON is.
			const isUsable = !isFailed && (isRead ? result.body !== undefined : !result.isPage);
			if (isUsable && isSuccess(result.status)) return result;
			const failure = isFailed ? result : toFailure(result);
			const { kind, facts } = failure;
			const elapsed = performance.now() - begunAt;
			const wait = waitBeforeRetry(failure, attempts, { isRead, messages, elapsed });
			const { retryAfterMs = kind === 'rateLimited' ? 0 : undefined } = facts;
			if (retryAfterMs !== undefined) this.pool.pause(wait ?? retryAfterMs);
			const isLast = performance.now() + (wait ?? 0) > this.deadline;
			if (wait === undefined || isLast || (facts.isLate && this.isWatched)) throw failure;
			await this.pool.rest(wait);
		}
	}

	private async call(call: ServiceCall): Promise<ServiceResponse> {
		const send = async () => {
			await this.pool.waitOutPause();
			return await this.transport.send(call);
		};
		return call.endpoint.isRead ? await this.pool.run(send) : await send();
	}

	/** As the account expects its flags: on as 1 and off not at all, or always (field notes 2 and 21). */
	private withFlags(message: SendRequest | BulkMessage): IDataObject {
		const { flags } = this.credentials;
		const fields: IDataObject = { ...message };
		if (flags === 'whenOn') return fields;
		for (const name of ['test', 'unicode', 'encrypt'])
			fields[name] = flags === 'numbers' ? Number(name in fields) : name in fields;
		return fields;
	}

	/** Adds the time zone of a schedule, because the service returns it without one. */
	private withZone(record: MessageRecord): MessageRecord {
		return { ...record, ...describeSchedule(record.scheduledAt, this.serviceTimeZone) };
	}
}

function toCount(value: unknown): number | undefined {
	return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
