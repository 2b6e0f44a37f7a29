import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { describeSchedule } from '../input/time';
import { endpoints } from './address';
import { Caller, type CallOptions } from './Caller';
import { isRecord } from './json';
import type { RequestPool } from './RequestPool';
import { toFailure } from './response';
import type { Transport } from './transport';
import type { HistoryFilters, HistoryPage, MessageRecord, PageSize } from './types';

/** The endpoints that send nothing. Failures are ServiceErrors. */
export class ReadingClient {
	constructor(protected readonly caller: Caller) {}

	/** Of this class, or of the one that extends it. */
	static async open<C>(
		this: new (caller: Caller) => C,
		context: IExecuteFunctions,
		options: CallOptions,
	): Promise<C> {
		return new this(await Caller.open(context, options));
	}

	get pool(): RequestPool {
		return this.caller.pool;
	}

	get serviceTimeZone(): string {
		return this.transport.serviceTimeZone;
	}

	protected get transport(): Transport {
		return this.caller.transport;
	}

	/** `rest /messages`: one page, counted from 1. `links` are never followed (field note 12). */
	async listMessages(filters: HistoryFilters, limit: PageSize, page: number): Promise<HistoryPage> {
		const query = { ...filters, limit, page };
		const response = await this.caller.request({ endpoint: endpoints.listMessages, query });
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

	/** `rest /account/get-balance`: `balance` and `currency`, as the service returns them. */
	async getBalance(): Promise<IDataObject> {
		const response = await this.caller.request({ endpoint: endpoints.getBalance });
		const { body } = response;
		if (!isRecord(body) || !('balance' in body)) throw toFailure(response);
		return body as IDataObject;
	}

	/** Adds the time zone of a schedule, because the service returns it without one. */
	protected withZone(record: MessageRecord): MessageRecord {
		return { ...record, ...describeSchedule(record.scheduledAt, this.serviceTimeZone) };
	}
}

function toCount(value: unknown): number | undefined {
	const isWritten = typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
	const count = Number(value);
	return isWritten && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
