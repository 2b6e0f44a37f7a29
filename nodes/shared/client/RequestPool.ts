import { sleep } from 'n8n-workflow';

import { ServiceError } from './ServiceError';

/** The longest piece of a wait, so that a stopped execution is noticed within a moment. */
const napMs = 250;

/** Bounds the requests in flight, together with what their responses decide, and holds them back during a pause. */
export class RequestPool {
	private inFlight = 0;
	private readonly queue: Array<() => void> = [];
	private pausedUntil = 0;

	constructor(
		readonly limit: number,
		private readonly signal?: AbortSignal,
	) {}

	get isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	async run<T>(request: () => Promise<T>): Promise<T> {
		await this.takeSlot();
		try {
			while (this.pausedUntil > Date.now()) await this.rest(this.pausedUntil - Date.now());
			this.stopIfCancelled();
			return await request();
		} finally {
			this.freeSlot();
		}
	}

	/** Resolves when a slot is free that nobody waits for; a request that is run at once gets it. */
	async waitForRoom(): Promise<void> {
		while (this.inFlight >= this.limit) {
			await this.takeSlot();
			this.freeSlot();
		}
	}

	pause(ms: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + ms);
	}

	/** Waits without holding a slot; ends early when the execution is stopped. */
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

	private async takeSlot(): Promise<void> {
		if (this.inFlight < this.limit) this.inFlight += 1;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
	}

	/** The slot goes straight to the next in the queue, so that the limit holds at every moment. */
	private freeSlot(): void {
		const next = this.queue.shift();
		if (next) next();
		else this.inFlight -= 1;
	}
}
