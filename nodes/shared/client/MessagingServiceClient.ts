import type { IDataObject } from 'n8n-workflow';

import { isMasked } from '../input/comparison';
import { serviceTimeToUtc } from '../input/time';
import { endpoints, type Endpoint } from './address';
import type { Claim } from './Caller';
import { readCheck } from './confirmation';
import { asServiceError, type ServiceError } from './failure';
import { readOnlySendTo } from './onlySendTo';
import { ReadingClient } from './ReadingClient';
import {
	isAcceptance,
	isIssued,
	isRejection,
	readRecords,
	readRequestId,
	toFailure,
	toRejection,
} from './response';
import { secretsInQuery } from './secrets';
import type { Transport } from './transport';
import {
	flagNames,
	type BulkMessage,
	type MessageRecord,
	type OtpCheck,
	type OtpRequest,
	type SendRequest,
} from './types';

/** The response to a bulk send. Rejections are among the records (`isRejection`). */
export interface BulkResponse {
	records: MessageRecord[];
	toRejection(record: MessageRecord): ServiceError;
}

/** One method for each endpoint, those that only read included. Failures are ServiceErrors, except those of `requireReachable`. */
export class MessagingServiceClient extends ReadingClient {
	private requireOnList?: (recipients: string[]) => void;

	/** The same client, which makes no further attempt and waits for no outage to end after some milliseconds. */
	within(ms: number): MessagingServiceClient {
		return new MessagingServiceClient(this.caller.within(ms));
	}

	/** Waits while the service is down. @throws ServiceError if it stays so, or as soon as `requireStart` does */
	async waitToSend(surface: 'rest' | 'http', requireStart: () => void): Promise<void> {
		await this.caller.waitOutOutage(toEndpoint(surface), requireStart);
	}

	get account(): string {
		return this.transport.account;
	}

	get baseUrl(): string {
		return this.transport.baseUrl;
	}

	get isWatched(): boolean {
		return this.transport.isWatched;
	}

	get defaults(): Transport['defaults'] {
		return this.transport.defaults;
	}

	seal(...parts: string[]): string {
		return this.transport.seal(parts);
	}

	/** Checked again before each request that sends. @throws InputError for a recipient not on Only Send To */
	requireReachable(recipients: string[]): void {
		this.requireOnList ??= readOnlySendTo(this.transport.onlySendTo);
		this.requireOnList(recipients);
	}

	/** A scheduled time in milliseconds since 1970; 0 if there is none. */
	toInstant(scheduledAt: string | undefined): number {
		const utc = serviceTimeToUtc(scheduledAt, this.serviceTimeZone);
		return utc === null ? 0 : Date.parse(utc);
	}

	/** `rest /send`, or `http /send` with all fields in the query. Callers must run it in the pool, after `waitToSend`. */
	async send(request: SendRequest, surface: 'rest' | 'http'): Promise<MessageRecord> {
		this.requireReachable([request.to]);
		const { encryptKey, deliveryReceiptUrl } = request;
		const secrets = encryptKey ? [encryptKey] : [];
		if (deliveryReceiptUrl) secrets.push(...secretsInQuery(deliveryReceiptUrl));
		const fields = this.withFlags(request);
		const isRest = surface === 'rest';
		const response = await this.caller.callUntilAccepted({
			...(isRest ? { body: fields } : { query: fields }),
			endpoint: toEndpoint(surface),
			secrets,
		});
		const [record] = readRecords(response);
		if (isRejection(record)) throw toRejection(record, response);
		if (!isAcceptance(record)) throw toFailure(response);
		return this.withZone(record);
	}

	/** `rest /send/bulk`: one record for each recipient, in any order. Callers must run it in the pool, after `waitToSend`. */
	async sendBulk(messages: BulkMessage[]): Promise<BulkResponse> {
		const recipients = messages.flatMap(({ to }) => to);
		this.requireReachable(recipients);
		const body = { messages: messages.map((message) => this.withFlags(message)) };
		const call = { endpoint: endpoints.sendBulk, body };
		const response = await this.caller.callUntilAccepted(call, recipients.length);
		return {
			records: readRecords(response),
			toRejection: (record) => toRejection(record, response),
		};
	}

	/** `otp /request`. Returns only these fields: any other could hold the code. A masked recipient is shown whole. */
	async requestOtp(request: OtpRequest, claim?: Claim): Promise<IDataObject> {
		this.requireReachable([request.to]);
		const query: IDataObject = { ...request };
		const response = await this.caller.request({ endpoint: endpoints.requestOtp, query, claim });
		if (!isIssued(response)) throw toFailure(response);
		const body = response.body as IDataObject;
		const { channel, createdAt, expireAt } = body;
		const to = isMasked(body.to) ? request.to : body.to;
		return { channel, requestId: readRequestId(body) as string, to, createdAt, expireAt };
	}

	/** `otp /verify`. Never retried: each request is an attempt. @throws ServiceError if the code was not checked */
	async verifyOtp(requestId: string, code: string): Promise<OtpCheck> {
		const isCheckOfCode = true;
		const call = { endpoint: endpoints.verifyOtp, query: { requestId, code }, secrets: [code] };
		const response = await this.caller.call(call).catch((error: unknown) => {
			throw asServiceError(error).with({ isCheckOfCode });
		});
		const check = readCheck(response, requestId);
		if (check.verified !== null) return check;
		throw toFailure({ ...response, status: check.statusCode }, { isCheckOfCode });
	}

	/** As the account expects its flags: on as 1 and off not at all, or always (field notes 2 and 21). */
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
}

function toEndpoint(surface: 'rest' | 'http'): Endpoint {
	return surface === 'rest' ? endpoints.send : endpoints.sendByQuery;
}
