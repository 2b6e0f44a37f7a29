import type { IExecuteFunctions } from 'n8n-workflow';

import type { Endpoint, Method } from './address';
import { Brake } from './brake';
import { asServiceError, ServiceError, waitBeforeRetry } from './failure';
import { sendByMethod } from './method';
import { RequestPool } from './RequestPool';
import {
	effectiveStatus,
	isSuccess,
	toFailure,
	unwrapResponse,
	type ServiceResponse,
} from './response';
import { openTransport, type ServiceCall, type Transport } from './transport';

const watchOutageEveryMs = 250;

/** What a request takes up, such as a place below a limit. */
export interface Claim {
	/** Called when a request is made, also if the one before did nothing. What it throws ends the call. */
	take(): void;
	/** Called before a wait, because the request did nothing. */
	release(): void;
}

type Call = Omit<ServiceCall, 'timeout'> & { claim?: Claim };

export interface CallOptions {
	parallelRequests: number;
	/** Milliseconds. */
	timeout: number;
}

/** Calls the service: once, or until it accepts, and not while it is down. */
export class Caller {
	/** @param deadline nothing is waited for beyond this moment, by `performance.now()` */
	private constructor(
		readonly transport: Transport,
		readonly pool: RequestPool,
		private readonly brake: Brake,
		private readonly timeout: number,
		private readonly deadline = Infinity,
	) {}

	static async open(context: IExecuteFunctions, options: CallOptions): Promise<Caller> {
		const transport = await openTransport(context);
		const pool = new RequestPool(options.parallelRequests, transport.signal);
		const brake = new Brake(transport.account, transport.timeZone);
		return new Caller(transport, pool, brake, options.timeout);
	}

	/** The same, which makes no further attempt and waits for no outage to end after some milliseconds. */
	within(ms: number): Caller {
		const { transport, pool, brake, timeout } = this;
		return new Caller(transport, pool, brake, timeout, performance.now() + ms);
	}

	/**
	 * @param requireStart throws why the request is not to be made, if it need not be waited for
	 * @throws ServiceError while the service is down: at once for a new execution, else when the wait was in vain
	 */
	async waitOutOutage(endpoint: Endpoint, requireStart = () => {}): Promise<void> {
		for (;;) {
			requireStart();
			const held = this.brake.hold(endpoint);
			if (!held) return;
			const isOver = performance.now() >= this.deadline;
			const outage = held === 'wait' && isOver ? this.brake.findOutage(endpoint) : held;
			if (outage instanceof ServiceError) throw outage;
			if (isOver) return;
			await this.pool.rest(watchOutageEveryMs);
			await this.pool.waitOutPause();
		}
	}

	/** Waits while the service is down, then as `callUntilAccepted`. */
	async request(call: Call): Promise<ServiceResponse> {
		await this.waitOutOutage(call.endpoint);
		return await this.callUntilAccepted(call);
	}

	/**
	 * Retries only where nothing can happen twice. @throws ServiceError unless a response is a 2xx
	 * @param messages several can be accepted in part
	 */
	async callUntilAccepted(call: Call, messages = 1): Promise<ServiceResponse> {
		const begunAt = performance.now();
		for (let attempts = 1; ; attempts += 1) {
			const result = await this.callAndNote(call);
			if (!(result instanceof ServiceError)) return result;
			const elapsed = performance.now() - begunAt;
			const isUnclear = messages > 1 && result.isUnclearFor(messages);
			const wait = isUnclear
				? undefined
				: this.waitBeforeRetry(result, call.endpoint, attempts, elapsed);
			if (result.isAskingToWait) this.pool.pause(wait ?? result.facts.retryAfterMs ?? 0);
			if (wait === undefined) throw result;
			call.claim?.release();
			await this.pool.rest(wait);
		}
	}

	/** One request, whatever its response says. */
	async call(call: Call): Promise<ServiceResponse> {
		const { endpoint, claim } = call;
		const { transport, timeout, pool } = this;
		const exchange = async (method: Method) => {
			await pool.waitOutPause();
			claim?.take();
			return await transport.send({ ...call, timeout }, method);
		};
		const send = async () =>
			unwrapResponse(await sendByMethod(transport.account, endpoint, exchange), endpoint);
		return endpoint.isRead ? await pool.run(send) : await send();
	}

	private async callAndNote(call: Call): Promise<ServiceResponse | ServiceError> {
		const { endpoint } = call;
		const result = await this.call(call).then(
			(response) => asResponseOrFailure(response, endpoint),
			asServiceError,
		);
		if (result instanceof ServiceError) this.brake.noteFailure(endpoint, result);
		else this.brake.noteSuccess(endpoint);
		return result;
	}

	/** Milliseconds; `undefined` for no retry. */
	private waitBeforeRetry(
		failure: ServiceError,
		endpoint: Endpoint,
		attempts: number,
		elapsed: number,
	): number | undefined {
		const isHopeless = failure.kind === 'unavailable' && this.brake.findOutage(endpoint);
		if (isHopeless || (failure.isTimeOut && this.transport.isWatched)) return undefined;
		const wait = waitBeforeRetry(failure, attempts, endpoint.isRead, { elapsed });
		return performance.now() + (wait ?? 0) > this.deadline ? undefined : wait;
	}
}

/** A page, as of a proxy, does not show that the service works, and to a read only JSON does. */
function asResponseOrFailure(
	response: ServiceResponse,
	{ isRead }: Endpoint,
): ServiceResponse | ServiceError {
	const isReadable = isRead ? response.body !== undefined : response.isPage !== true;
	return isSuccess(effectiveStatus(response)) && isReadable ? response : toFailure(response);
}
