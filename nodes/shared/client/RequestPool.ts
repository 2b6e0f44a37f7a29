import { sleep } from 'n8n-workflow';

import { ServiceError } from './ServiceError';

/** The longest piece of a wait, so that a stopped execution is noticed within a moment. */
const napMs = 250;

/**
 * Bounds the requests in flight and keeps them away from the service while it asks for a pause (429 with
 * Retry-After). A message that waits for something else than an answer holds no place here.
 */
export class RequestPool {
	private inFlight = 0;
	private readonly queue: Array<() => void> = [];
	private readonly readers: Array<() => void> = [];
	private pausedUntil = 0;

	constructor(
		readonly limit: number,
		private readonly signal?: AbortSignal,
	) {}

	get isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	/** Whether somebody waits for a place. */
	get isWanted(): boolean {
		return this.queue.length > 0;
	}

	/** Runs a request as soon as there is a place for it; those that asked first go first. */
	async run<T>(request: () => Promise<T>): Promise<T> {
		await this.takePlace();
		try {
			await this.waitOutPause();
			this.stopIfCancelled();
			return await request();
		} finally {
			this.givePlaceBack();
		}
	}

	/** Resolves when nobody waits for a place: the moment to read the next item, and not thousands ahead. */
	async hasRoom(): Promise<void> {
		if (this.inFlight < this.limit) return;
		await this.takePlace();
		this.givePlaceBack();
	}

	/** Resolves when each place has one that waits for it at most: then a place that becomes free is taken at once. */
	async hasRoomAhead(): Promise<void> {
		while (this.queue.length >= this.limit)
			await new Promise<void>((resolve) => this.readers.push(resolve));
	}

	pause(ms: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + ms);
	}

	/** Resolves when no pause is asked for; at once where none is. */
	async waitOutPause(): Promise<void> {
		while (this.pausedUntil > Date.now()) await this.rest(this.pausedUntil - Date.now());
	}

	/** Waits without holding a place; ends early when the execution is stopped. */
	async rest(ms: number): Promise<void> {
		const end = Date.now() + ms;
		for (let left = ms; left > 0 && !this.isCancelled; left = end - Date.now()) {
			await sleep(Math.min(left, napMs));
		}
		this.stopIfCancelled();
	}

	stopIfCancelled(): void {
		if (this.isCancelled) throw new ServiceError('cancelled');
	}

	private async takePlace(): Promise<void> {
		if (this.inFlight < this.limit) {
			this.inFlight += 1;
			return;
		}
		await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	/** The place goes straight to the next in the queue, so that the limit holds at every moment. */
	private givePlaceBack(): void {
		const next = this.queue.shift();
		if (next) next();
		else this.inFlight -= 1;
		for (const goOn of this.readers.splice(0)) goOn();
	}
}
