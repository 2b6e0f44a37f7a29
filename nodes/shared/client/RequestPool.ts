import { sleep } from 'n8n-workflow';

import { ServiceError } from './failure';

/** Longest single sleep, so that a stopped execution is noticed promptly. */
const napMs = 250;

/**
 * Limits the requests in flight, each until its response is handled, and delays them during a pause. Our own, since no
 * pool of a library pauses all of its work and keeps a slot until a response is handled, and what ships has no dependency.
 */
export class RequestPool {
	private inFlight = 0;
	private readonly queue: Array<() => void> = [];
	private pausedUntil = 0;

	constructor(
		readonly limit: number,
		private readonly stop?: AbortSignal,
	) {}

	async run<T>(request: () => Promise<T>): Promise<T> {
		await this.takeSlot();
		try {
			await this.waitOutPause();
			return await request();
		} finally {
			this.freeSlot();
		}
	}

	/** Resolves when a slot is free and no request is queued for it. A request that runs immediately gets the slot. */
	async waitForRoom(): Promise<void> {
		if (this.inFlight < this.limit) return;
		await this.takeSlot();
		this.freeSlot();
	}

	pause(ms: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
	}

	/** A request in a slot that is made again obeys the pause, too. @throws ServiceError once the execution is stopped */
	async waitOutPause(): Promise<void> {
		do await this.rest(this.pausedUntil - performance.now());
		while (this.pausedUntil > performance.now());
	}

	/** Waits for something that can't be stopped. @throws ServiceError as soon as the execution is stopped */
	async waitFor<T>(other: Promise<T>): Promise<T> {
		let isOver = false;
		const end = other.finally(() => (isOver = true));
		while (!isOver) await Promise.race([end, this.rest(napMs)]);
		return await end;
	}

	/** Waits without taking a slot. @throws ServiceError as soon as the execution is stopped */
	async rest(ms: number): Promise<void> {
		const end = performance.now() + ms;
		for (let left = ms; left > 0 && !this.stop?.aborted; left = end - performance.now())
			await sleep(Math.min(left, napMs));
		this.stopIfCancelled();
	}

	stopIfCancelled(): void {
		if (this.stop?.aborted) throw new ServiceError('cancelled');
	}

	private async takeSlot(): Promise<void> {
		if (this.inFlight < this.limit) this.inFlight += 1;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	/** Passes the slot directly to the next in the queue, so that the limit is never exceeded. */
	private freeSlot(): void {
		const next = this.queue.shift();
		if (next) next();
		else this.inFlight -= 1;
	}
}
