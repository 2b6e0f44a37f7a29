import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { asServiceError, isCancelled, ServiceError } from '../client/failure';
import type { MessageRecord } from '../client/types';
import { digitsOf } from '../validation/recipient';
import type { Shown } from './createdAt';
import { lookUp, type Lookup } from './lookUp';
import type { Outgoing } from './Outgoing';
import { deliveryTiming, type Now } from './timing';

/** A longer rest would delay messages that come into doubt meanwhile. */
const longestRestMs = 250;

export interface Look {
	/** What history showed, or why it could not be read. */
	shows: Lookup | ServiceError;
	/** When the lookup began or, if it failed, ended, in milliseconds since 1970. */
	at: number;
}

/** A request whose messages are in doubt. */
interface Waiting {
	messages: Outgoing[];
	at: number;
	resolve(look: Look): void;
	reject(error: Error): void;
}

/** The lookups of messages in doubt. One at a time serves all requests of the run. */
export class Looks {
	private readonly waiting = new Set<Waiting>();
	private isReading = false;
	private readAt = -Infinity;
	/**
	 * What a response of this run has shown of the service's times. Without it, each doubt about a bulk message would
	 * end as unknown at a service that writes UTC.
	 */
	private shown?: Shown;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly now: Now = Date.now,
	) {}

	/** Notes the time of a record that has just been created. */
	noteNew({ createdAt }: MessageRecord): void {
		this.shown = { createdAt, at: this.now() };
	}

	/**
	 * The first lookup that is due at some time, or an earlier one for others.
	 * @throws ServiceError when the execution is stopped
	 */
	async next(messages: Outgoing[], at: number): Promise<Look> {
		const look = new Promise<Look>((resolve, reject) => {
			this.waiting.add({ messages, at, resolve, reject });
		});
		if (!this.isReading) void this.readWhileAwaited();
		return await look;
	}

	private async readWhileAwaited(): Promise<void> {
		this.isReading = true;
		while (this.waiting.size > 0) {
			await this.rest()
				.then(async () => await this.readOnce())
				.then(
					({ served, look }) => this.end(served, ({ resolve }) => resolve(look)),
					(error: Error) => this.end([...this.waiting], ({ reject }) => reject(error)),
				);
		}
		this.isReading = false;
	}

	private end(served: Waiting[], settle: (one: Waiting) => void): void {
		for (const one of served) this.waiting.delete(one);
		served.forEach(settle);
	}

	private async rest(): Promise<void> {
		for (;;) {
			let next = Infinity;
			for (const { at } of this.waiting) next = Math.min(next, at);
			const wait = Math.max(next, this.readAt + deliveryTiming.looks[0]) - this.now();
			if (wait <= 0) return this.client.pool.stopIfCancelled();
			await this.client.pool.rest(Math.min(wait, longestRestMs));
		}
	}

	private async readOnce(): Promise<{ served: Waiting[]; look: Look }> {
		const { now, shown } = this;
		const at = now();
		const served = [...this.waiting];
		const all = served.flatMap(({ messages }) => messages);
		const since = all.reduce((first, { entry }) => Math.min(first, entry.window.from), at);
		const numbers = new Set(all.map(({ request }) => digitsOf(request.to)));
		const shows = await lookUp(this.client, numbers, { since, shown, now }).catch(asServiceError);
		this.readAt = this.now();
		if (shows instanceof ServiceError && isCancelled(shows)) throw shows;
		// One that failed shows nothing: its doubts may have ended meanwhile.
		return { served, look: { shows, at: shows instanceof ServiceError ? this.readAt : at } };
	}
}
