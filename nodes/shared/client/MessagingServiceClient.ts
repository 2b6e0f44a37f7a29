import type { IDataObject } from 'n8n-workflow';

import { serviceTimeToUtc } from '../validation/scheduledAt';
import { readCheck } from './confirmation';
import { endpoints, type Endpoint } from './endpoints';
import { isRecord } from './json';
import {
	effectiveStatus,
	isAcceptance,
	isIssued,
	isSuccess,
	readRecords,
	toFailure,
	toRefusal,
} from './answer';
import { isRefusal } from './refusal';
import { RequestPool } from './RequestPool';
import { retryTiming, waitBeforeRetry } from './retry';
import { secretsInQuery } from './secrets';
import { asServiceError, ServiceError } from './ServiceError';
import {
	openTransport,
	type N8nContext,
	type ServiceAnswer,
	type ServiceCall,
	type Transport,
} from './transport';
import type {
	Balance,
	BulkMessage,
	HistoryFilters,
	HistoryPage,
	MessageRecord,
	OtpCheck,
	OtpRequest,
	PageSize,
	SendRequest,
} from './types';

export interface ClientOptions {
	/** Requests in flight at the same time. */
	parallelRequests: number;
	/** Milliseconds. */
	timeout: number;
}

/** A send that the service accepted, with its clock at that time where it told it. */
export interface Accepted {
	record: MessageRecord;
	serviceTime?: number;
}

/** The answer to a bulk send: refusals are among the records (`isRefusal`). */
export interface BulkAnswer {
	records: MessageRecord[];
	toRefusal(record: MessageRecord): ServiceError;
}

export interface Listing extends HistoryPage {
	serviceTime?: number;
}

/** One method for each endpoint of the service; every failure is a ServiceError. */
export class MessagingServiceClient {
	private constructor(
		private readonly transport: Transport,
		private readonly timeout: number,
		readonly pool: RequestPool,
	) {}

	static async open(context: N8nContext, options: ClientOptions): Promise<MessagingServiceClient> {
		const transport = await openTransport(context);
		const pool = new RequestPool(options.parallelRequests, transport.signal);
		return new MessagingServiceClient(transport, options.timeout, pool);
	}

	/** Base address and key: what is learnt of one account holds for no other. */
	get account(): string {
		return this.transport.account;
	}

	/** In which the service reads schedules. */
	get serviceTimeZone(): string {
		return this.transport.serviceTimeZone;
	}

	/** A digest that only this credential can make: what was sealed cannot be found out by trying. */
	seal(...parts: string[]): string {
		return this.transport.seal(parts);
	}

	/** `rest /send`, or `http /send` where everything travels in the query ("Query-parameter sending surface"). */
	async send(request: SendRequest, surface: 'rest' | 'http'): Promise<Accepted> {
		const { encryptKey, deliveryReceiptUrl } = request;
		const secrets = encryptKey ? [encryptKey] : [];
		if (deliveryReceiptUrl) secrets.push(...secretsInQuery(deliveryReceiptUrl));
		const fields = { ...request } as IDataObject;
		const call =
			surface === 'rest'
				? { endpoint: endpoints.send, body: fields, secrets }
				: { endpoint: endpoints.sendByQuery, query: fields, secrets };
		return await this.sendAndRead(call, (answer) => {
			const [record] = readRecords(answer);
			if (isRefusal(record)) throw toRefusal(record, answer);
			if (!isAcceptance(record)) throw toFailure(answer);
			return { record: this.withUtc(record), serviceTime: answer.serviceTime };
		});
	}

	/** `rest /send/bulk`: one record for each recipient, in any order. */
	async sendBulk(messages: BulkMessage[]): Promise<BulkAnswer> {
		const body = { messages: messages.map((message) => ({ ...message })) };
		const judge = (error: unknown): never => {
			const failure = asServiceError(error);
			throw failure.with({ mayHaveActed: isDoubtAboutBulk(failure, messages) });
		};
		const read = async (answer: ServiceAnswer) => ({
			records: readRecords(answer),
			toRefusal: (record: MessageRecord) => toRefusal(record, answer),
		});
		return await this.sendAndRead(
			{ endpoint: endpoints.sendBulk, body },
			async (answer) => await read(answer).catch(judge),
		).catch(judge);
	}

	/** A late answer to a send is read like one in time. */
	private async sendAndRead<T>(
		call: Omit<ServiceCall, 'timeout'>,
		read: (answer: ServiceAnswer) => T | Promise<T>,
	): Promise<T> {
		const patience = retryTiming.patienceWithSendsMs;
		const answer = await this.callUntilTaken({ ...call, patience }).catch((error: unknown) => {
			throw asServiceError(error).mapLate(read);
		});
		return await read(answer);
	}

	/** `rest /messages`: one page, counted from 1. `links` are never followed (field note 12). */
	async listMessages(filters: HistoryFilters, limit: PageSize, page: number): Promise<Listing> {
		const query = { ...filters, limit, page };
		const answer = await this.callUntilTaken({ endpoint: endpoints.listMessages, query });
		const { body } = answer;
		if (!isSuccess(effectiveStatus(answer)) || !isRecord(body) || !Array.isArray(body.messages)) {
			throw toFailure(answer);
		}
		const messages = (body.messages as unknown[])
			.filter(isRecord)
			.map((record) => this.withUtc(record));
		return {
			messages,
			limit: toCount(body.limit) || limit,
			records: toCount(body.records),
			serviceTime: answer.serviceTime,
		};
	}

	/** `rest /account/get-balance` */
	async getBalance(): Promise<Balance> {
		const answer = await this.callUntilTaken({ endpoint: endpoints.getBalance });
		const { body } = answer;
		if (!isSuccess(effectiveStatus(answer)) || !isRecord(body) || !('balance' in body)) {
			throw toFailure(answer);
		}
		return body as unknown as Balance;
	}

	/**
	 * `otp /request`: the code goes out by SMS, or by e-mail when `to` is an address. Of the answer nothing is passed on
	 * but the result: whatever else a service tells could hold the code.
	 */
	async requestOtp(request: OtpRequest): Promise<IDataObject> {
		const query = { ...request } as unknown as IDataObject;
		const answer = await this.callUntilTaken({ endpoint: endpoints.requestOtp, query });
		if (!isIssued(answer)) throw toFailure(answer);
		const { channel, requestId, to, createdAt, expireAt } = answer.body as IDataObject;
		return { channel, requestId, to, createdAt, expireAt };
	}

	/**
	 * `otp /verify`. Whatever leaves open whether the code is right is thrown. The request is never repeated: each
	 * one counts as an attempt.
	 */
	async verifyOtp(requestId: string, code: string): Promise<OtpCheck> {
		const query = { requestId, code };
		const isCheckOfCode = true;
		const answer = await this.call({
			endpoint: endpoints.verifyOtp,
			query,
			secrets: [code],
		}).catch((error: unknown) => {
			throw asServiceError(error).with({ isCheckOfCode });
		});
		const check = readCheck(answer, requestId);
		if (check.verified !== null) return check;
		throw toFailure({ ...answer, status: check.statusCode }, { isCheckOfCode });
	}

	/** The schedule of a record in UTC beside it: nobody can see in which zone the service has written it. */
	private withUtc(record: MessageRecord): MessageRecord {
		const scheduledAtUtc = serviceTimeToUtc(record.scheduledAt, this.serviceTimeZone);
		return scheduledAtUtc === null ? record : { ...record, scheduledAtUtc };
	}

	private async call(call: Omit<ServiceCall, 'timeout'>): Promise<ServiceAnswer> {
		return await this.pool.run(
			async () => await this.transport.send({ ...call, timeout: this.timeout }),
		);
	}

	/** Calls, and calls again after a wait where nothing can have happened twice by it. */
	private async callUntilTaken(call: Omit<ServiceCall, 'timeout'>): Promise<ServiceAnswer> {
		const { isRead }: Endpoint = call.endpoint;
		for (let tries = 1; ; tries += 1) {
			const result = await this.call(call).then(
				(answer) => asAnswerOrFailure(answer, isRead),
				asServiceError,
			);
			if (!(result instanceof ServiceError)) return result;
			const wait = waitBeforeRetry(result, tries, isRead);
			const isAskedToWait =
				result.kind === 'rateLimited' || result.facts.retryAfterMs !== undefined;
			if (isAskedToWait) this.pool.pause(wait ?? result.facts.retryAfterMs ?? 0);
			if (wait === undefined) throw result;
			await this.pool.rest(wait);
		}
	}
}

/** A read is answered only when there is something to read. */
function asAnswerOrFailure(answer: ServiceAnswer, isRead: boolean): ServiceAnswer | ServiceError {
	const isReadable = !isRead || answer.body !== undefined;
	return isSuccess(effectiveStatus(answer)) && isReadable ? answer : toFailure(answer);
}

/**
 * A refusal of a whole bulk request says nothing certain of its messages, unless it is about the request itself or
 * there is but one.
 */
function isDoubtAboutBulk(
	{ mayHaveActed, facts: { status = 0 } }: ServiceError,
	[first, ...more]: BulkMessage[],
): boolean {
	const isOfRequest = [401, 403, 404, 405, 413, 429].includes(status);
	const isOfOne = first.to.length === 1 && more.length === 0;
	return mayHaveActed || (status >= 400 && status < 500 && !isOfRequest && !isOfOne);
}

function toCount(value: unknown): number | undefined {
	const isWritten = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
	const count = Number(value);
	return isWritten && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
