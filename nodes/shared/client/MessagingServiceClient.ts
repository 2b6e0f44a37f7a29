import type { IDataObject } from 'n8n-workflow';

import { describeSchedule, serviceTimeToUtc } from '../input/time';
import { endpoints } from './address';
import { isRecord } from './json';
import {
	effectiveStatus,
	isAcceptance,
	isIssued,
	isRejection,
	isSuccess,
	readCheck,
	readRecords,
	readRequestId,
	toFailure,
	toRejection,
	unwrapResponse,
	type ServiceResponse,
} from './response';
import { RequestPool } from './RequestPool';
import { asServiceError, ServiceError, waitBeforeRetry } from './failure';
import { secretsInQuery } from './secrets';
import type { CredentialDefaults, N8nContext } from './token';
import { openTransport, type ServiceCall, type Transport } from './transport';
import {
	flagNames,
	type Balance,
	type BulkMessage,
	type HistoryFilters,
	type HistoryPage,
	type MessageRecord,
	type OtpCheck,
	type OtpRequest,
	type PageSize,
	type SendRequest,
} from './types';

export interface ClientOptions {
	parallelRequests: number;
	/** Milliseconds. */
	timeout: number;
	/** Ends all requests of a webhook; an execution has its own. */
	stop?: AbortSignal;
}

/** The response to a bulk send. Rejections are among the records (`isRejection`). */
export interface BulkResponse {
	records: MessageRecord[];
	toRejection(record: MessageRecord): ServiceError;
}

export interface Listing extends HistoryPage {
	serviceTime?: number;
}

/** One method for each endpoint. Failures are ServiceErrors, except those of `requireReachable`. */
export class MessagingServiceClient {
	private constructor(
		private readonly transport: Transport,
		private readonly timeout: number,
		readonly pool: RequestPool,
	) {}

	static async open(context: N8nContext, options: ClientOptions): Promise<MessagingServiceClient> {
		const transport = await openTransport(context, options.stop);
		const pool = new RequestPool(options.parallelRequests, transport.signal);
		return new MessagingServiceClient(transport, options.timeout, pool);
	}

	get account(): string {
		return this.transport.account;
	}

	get baseUrl(): string {
		return this.transport.baseUrl;
	}

	/** Whether a person waits for this attempt in the editor, and no other follows. */
	get isWatched(): boolean {
		return this.transport.isWatched;
	}

	get serviceTimeZone(): string {
		return this.transport.serviceTimeZone;
	}

	get defaults(): CredentialDefaults {
		return this.transport.defaults;
	}

	seal(...parts: string[]): string {
		return this.transport.seal(parts);
	}

	/** Checked again before each request that sends. @throws InputError for a recipient not on Only Send To */
	requireReachable(recipients: string[]): void {
		this.transport.requireReachable(recipients);
	}

	/** A scheduled time in milliseconds since 1970; 0 if there is none. */
	toInstant(scheduledAt: string | undefined): number {
		const utc = serviceTimeToUtc(scheduledAt, this.serviceTimeZone);
		return utc === null ? 0 : Date.parse(utc);
	}

	/** `rest /send`, or `http /send` with all fields in the query. Callers must run it in the pool. */
	async send(request: SendRequest, surface: 'rest' | 'http'): Promise<MessageRecord> {
		this.requireReachable([request.to]);
		const { encryptKey, deliveryReceiptUrl } = request;
		const secrets = encryptKey ? [encryptKey] : [];
		if (deliveryReceiptUrl) secrets.push(...secretsInQuery(deliveryReceiptUrl));
		const fields = this.withFlags(request);
		const isRest = surface === 'rest';
		const response = await this.callUntilAccepted({
			...(isRest ? { body: fields } : { query: fields }),
			endpoint: isRest ? endpoints.send : endpoints.sendByQuery,
			secrets,
		});
		const [record] = readRecords(response);
		if (isRejection(record)) throw toRejection(record, response);
		if (!isAcceptance(record)) throw toFailure(response);
		return this.withZone(record);
	}

	/** `rest /send/bulk`: one record for each recipient, in any order. Callers must run it in the pool. */
	async sendBulk(messages: BulkMessage[]): Promise<BulkResponse> {
		this.requireReachable(messages.flatMap(({ to }) => to));
		const body = { messages: messages.map((message) => this.withFlags(message)) };
		const response = await this.callUntilAccepted({ endpoint: endpoints.sendBulk, body });
		return {
			records: readRecords(response),
			toRejection: (record) => toRejection(record, response),
		};
	}

	/** `rest /messages`: one page, counted from 1. `links` are never followed (field note 12). */
	async listMessages(filters: HistoryFilters, limit: PageSize, page: number): Promise<Listing> {
		const query = { ...filters, limit, page };
		const response = await this.callUntilAccepted({ endpoint: endpoints.listMessages, query });
		const { body } = response;
		if (!isRecord(body) || !Array.isArray(body.messages)) throw toFailure(response);
		const messages = (body.messages as unknown[])
			.filter(isRecord)
			.map((record) => this.withZone(record));
		return {
			messages,
			limit: toCount(body.limit) || limit,
			records: toCount(body.records),
			start: toCount(body.start),
			serviceTime: response.serviceTime,
		};
	}

	/** `rest /account/get-balance` */
	async getBalance(): Promise<Balance> {
		const response = await this.callUntilAccepted({ endpoint: endpoints.getBalance });
		const { body } = response;
		if (!isRecord(body) || !('balance' in body)) throw toFailure(response);
		return body as unknown as Balance;
	}

	/** `otp /request`. Returns only these fields: any other could hold the code. */
	async requestOtp(request: OtpRequest): Promise<IDataObject> {
		this.requireReachable([request.to]);
		const query: IDataObject = { ...request };
		const response = await this.callUntilAccepted({ endpoint: endpoints.requestOtp, query });
		if (!isIssued(response)) throw toFailure(response);
		const body = response.body as IDataObject;
		const { channel, to, createdAt, expireAt } = body;
		return { channel, requestId: readRequestId(body) as string, to, createdAt, expireAt };
	}

	/** `otp /verify`. Never retried: each request is an attempt. @throws ServiceError if the code was not checked */
	async verifyOtp(requestId: string, code: string): Promise<OtpCheck> {
		const isCheckOfCode = true;
		const call = { endpoint: endpoints.verifyOtp, query: { requestId, code }, secrets: [code] };
		const response = await this.call(call).catch((error: unknown) => {
			throw asServiceError(error).with({ isCheckOfCode });
		});
		const check = readCheck(response, requestId);
		if (check.verified !== null) return check;
		throw toFailure({ ...response, status: check.statusCode }, { isCheckOfCode });
	}

	/** As the account expects its flags: on as 1 and off not at all, or always (field notes 2 and 20). */
	private withFlags(message: SendRequest | BulkMessage): IDataObject {
		const { flags } = this.transport;
		const fields = { ...message } as IDataObject;
		if (flags === 'whenOn') return fields;
		const write = (isOn: boolean) => (flags === 'numbers' ? Number(isOn) : isOn);
		return {
			...fields,
			...Object.fromEntries(flagNames.map((name) => [name, write(name in fields)])),
		};
	}

	/** Adds the time zone of a schedule, because the service returns it without one. */
	private withZone(record: MessageRecord): MessageRecord {
		return { ...record, ...describeSchedule(record.scheduledAt, this.serviceTimeZone) };
	}

	private async call(call: Omit<ServiceCall, 'timeout'>): Promise<ServiceResponse> {
		const { endpoint } = call;
		const send = async () =>
			unwrapResponse(await this.transport.send({ ...call, timeout: this.timeout }), endpoint);
		return endpoint.isRead ? await this.pool.run(send) : await send();
	}

	/** Retries only where nothing can happen twice. @throws ServiceError unless a response is a 2xx */
	private async callUntilAccepted(call: Omit<ServiceCall, 'timeout'>): Promise<ServiceResponse> {
		const { isRead } = call.endpoint;
		const begunAt = performance.now();
		for (let attempts = 1; ; attempts += 1) {
			const result = await this.call(call).then(
				(response) => asResponseOrFailure(response, isRead),
				asServiceError,
			);
			if (!(result instanceof ServiceError)) return result;
			if (result.isTimeOut && this.isWatched) throw result;
			const wait = waitBeforeRetry(result, attempts, isRead, {
				elapsed: performance.now() - begunAt,
			});
			if (result.isAskingToWait) this.pool.pause(wait ?? result.facts.retryAfterMs ?? 0);
			if (wait === undefined) throw result;
			await this.pool.rest(wait);
			await this.pool.waitOutPause();
		}
	}
}

function asResponseOrFailure(
	response: ServiceResponse,
	isRead: boolean,
): ServiceResponse | ServiceError {
	const isReadable = !isRead || response.body !== undefined;
	return isSuccess(effectiveStatus(response)) && isReadable ? response : toFailure(response);
}

function toCount(value: unknown): number | undefined {
	const isWritten = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
	const count = Number(value);
	return isWritten && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
