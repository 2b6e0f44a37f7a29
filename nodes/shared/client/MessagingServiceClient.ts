import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isMasked } from '../input/comparison';
import { describeSchedule } from '../input/time';
import { endpoints, type Method } from './address';
import { readCheck } from './confirmation';
import { withDocumentedTypes } from './documentedTypes';
import { asServiceError, ServiceError, waitBeforeRetry } from './failure';
import { isRecord } from './json';
import { sendByMethod } from './method';
import { readOnlySendTo } from './onlySendTo';
import { RequestPool } from './RequestPool';
import {
	isAcceptance,
	isIssued,
	isRejection,
	readRecords,
	readRequestId,
	requireSuccess,
	toFailure,
	toRejection,
	unwrapResponse,
	type ServiceResponse,
} from './response';
import { secretsInQuery } from './secrets';
import { openTransport, type ServiceCall, type Transport } from './transport';
import {
	flagNames,
	type BulkMessage,
	type HistoryFilters,
	type HistoryPage,
	type MessageRecord,
	type OtpCheck,
	type OtpRequest,
	type PageSize,
	type SendRequest,
} from './types';

interface CallOptions {
	parallelRequests: number;
	/** Milliseconds. */
	timeout: number;
}

interface Call extends Omit<ServiceCall, 'timeout'> {
	/** Default 1. Several can be accepted in part, even if the response rejects the request. */
	messages?: number;
}

/** The response to a bulk send. Rejections are among the records (`isRejection`). */
interface BulkResponse {
	records: MessageRecord[];
	toRejection(record: MessageRecord): ServiceError;
}

/** One method for each endpoint. Failures are ServiceErrors, except those of `requireReachable`. */
export class MessagingServiceClient {
	readonly account: string;
	readonly baseUrl: string;
	readonly defaults: Transport['defaults'];
	readonly isWatched: boolean;
	readonly serviceTimeZone: string;
	readonly seal: Transport['seal'];
	private requireOnList?: (recipients: string[]) => void;

	/** @param deadline no attempt follows another after this moment, by `performance.now()` */
	private constructor(
		private readonly transport: Transport,
		readonly pool: RequestPool,
		private readonly timeout: number,
		private readonly deadline = Infinity,
	) {
		this.account = transport.account;
		this.baseUrl = transport.baseUrl;
		this.defaults = transport.defaults;
		this.isWatched = transport.isWatched;
		this.serviceTimeZone = transport.serviceTimeZone;
		this.seal = transport.seal;
	}

	static async open(
		context: IExecuteFunctions,
		{ parallelRequests, timeout }: CallOptions,
	): Promise<MessagingServiceClient> {
		const transport = await openTransport(context);
		const pool = new RequestPool(parallelRequests, transport.signal);
		return new MessagingServiceClient(transport, pool, timeout);
	}

	/** The same client, which makes no further attempt after some milliseconds. */
	within(ms: number): MessagingServiceClient {
		const { transport, pool, timeout } = this;
		return new MessagingServiceClient(transport, pool, timeout, performance.now() + ms);
	}

	/** Checked again before each request that sends. @throws InputError for a recipient not on Only Send To */
	requireReachable(recipients: string[]): void {
		this.requireOnList ??= readOnlySendTo(this.transport.onlySendTo);
		this.requireOnList(recipients);
	}

	/** `rest /account/get-balance` */
	async getBalance(): Promise<IDataObject> {
		const response = await this.request({ endpoint: endpoints.getBalance });
		const { body } = response;
		if (!isRecord(body) || !('balance' in body)) throw toFailure(response);
		return withDocumentedTypes(body as IDataObject);
	}

	/** `rest /messages`: one page, counted from 1. `links` are never followed (field note 12). */
	async listMessages(filters: HistoryFilters, limit: PageSize, page: number): Promise<HistoryPage> {
		const fields = { ...filters, limit, page };
		const response = await this.request({ endpoint: endpoints.listMessages, fields });
		const { body, serviceTime } = response;
		if (!isRecord(body) || !Array.isArray(body.messages)) throw toFailure(response);
		const records = (body.messages as unknown[]).filter(isRecord);
		const counts = withDocumentedTypes(body);
		return {
			messages: records.map((record) => this.withZone(withDocumentedTypes(record))),
			limit: toCount(counts.limit) || limit,
			records: toCount(counts.records),
			start: toCount(counts.start),
			serviceTime,
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

	/** `rest /send/bulk`: one record for each recipient, in any order. Callers must run it in the pool. */
	async sendBulk(messages: BulkMessage[]): Promise<BulkResponse> {
		const recipients = messages.flatMap(({ to }) => to);
		this.requireReachable(recipients);
		const fields = { messages: messages.map((message) => this.withFlags(message)) };
		const call = { endpoint: endpoints.sendBulk, fields, messages: recipients.length };
		const response = await this.request(call);
		return {
			records: readRecords(response),
			toRejection: (record) => toRejection(record, response),
		};
	}

	/** `otp /request`. Returns only these fields: any other could hold the code. A masked recipient is shown whole. */
	async requestOtp(request: OtpRequest): Promise<IDataObject> {
		this.requireReachable([request.to]);
		const fields: IDataObject = { ...request };
		const response = await this.request({ endpoint: endpoints.requestOtp, fields });
		if (!isIssued(response)) throw toFailure(response);
		const body = withDocumentedTypes(response.body as IDataObject);
		const { channel, createdAt, expireAt } = body;
		const to = isMasked(body.to) ? request.to : body.to;
		return { channel, requestId: readRequestId(body) as string, to, createdAt, expireAt };
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

	/** Retries reads, and what certainly did nothing. @throws ServiceError unless the response is a success */
	private async request(call: Call): Promise<ServiceResponse> {
		const begunAt = performance.now();
		for (let attempts = 1; ; attempts += 1) {
			const result = await this.call(call)
				.then((response) => requireSuccess(response, call.endpoint))
				.catch(asServiceError);
			if (!(result instanceof ServiceError)) return result;
			const wait = this.waitBeforeRetry(result, call, attempts, performance.now() - begunAt);
			if (result.isAskingToWait) this.pool.pause(wait ?? result.facts.retryAfterMs ?? 0);
			if (wait === undefined) throw result;
			await this.pool.rest(wait);
		}
	}

	/** Milliseconds; `undefined` for no retry. */
	private waitBeforeRetry(
		failure: ServiceError,
		{ endpoint, messages }: Call,
		attempts: number,
		elapsed: number,
	): number | undefined {
		if (failure.isTimeOut && this.isWatched) return undefined;
		const { isRead } = endpoint;
		const wait = waitBeforeRetry(failure, attempts, { isRead, messages, elapsed });
		return performance.now() + (wait ?? 0) > this.deadline ? undefined : wait;
	}

	/** One request, whatever its response says. */
	private async call(call: Call): Promise<ServiceResponse> {
		const { endpoint } = call;
		const { transport, timeout, pool } = this;
		const exchange = async (method: Method) => {
			await pool.waitOutPause();
			return await transport.send({ ...call, timeout }, method);
		};
		const send = async () =>
			unwrapResponse(await sendByMethod(transport.account, endpoint, exchange), endpoint);
		return endpoint.isRead ? await pool.run(send) : await send();
	}

	/** As the account expects its flags: on as 1 and off not at all, or always (field notes 2 and 21). */
	private withFlags(message: SendRequest | BulkMessage): IDataObject {
		const { flags } = this.transport;
		const fields = { ...message } as IDataObject;
		if (flags === 'whenOn') return fields;
		const write = (isOn: boolean) => (flags === 'numbers' ? Number(isOn) : isOn);
		const all = flagNames.map((name) => [name, write(name in fields)]);
		return { ...fields, ...Object.fromEntries(all) };
	}

	/** Adds the time zone of a schedule, because the service returns it without one. */
	private withZone(record: MessageRecord): MessageRecord {
		return { ...record, ...describeSchedule(record.scheduledAt, this.serviceTimeZone) };
	}
}

function toCount(value: unknown): number | undefined {
	return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
