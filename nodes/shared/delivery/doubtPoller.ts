import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { asServiceError, isCancelled, ServiceError } from '../client/failure';
import type { MessageRecord } from '../client/types';
import { digitsOf } from '../validation/recipient';
import { lookUp, type Lookup, type Shown } from './history';
import type { Outgoing } from './Outgoing';
import { deliveryTiming, type Now } from './timing';

/** A longer rest would delay messages that come into doubt meanwhile. */
const longestRestMs = 250;

/** Looks up the messages in doubt. One lookup at a time serves all requests of the run. */
export class DoubtPoller {
	private readonly doubtful = new Set<Outgoing>();
	private polling?: Promise<void>;
	private readAt = -Infinity;
	/**
	 * What a response of this run has shown of the service's times. Without it, each doubt about a bulk message would
	 * end as unknown at a service that writes UTC.
	 */
	private shown?: Shown;

	/**
	 * @param tell what history showed of the messages, or why it could not be read, and when the lookup began or, if it
	 * failed, ended: the doubts may have ended meanwhile
	 */
	constructor(
		private readonly client: MessagingServiceClient,
		private readonly now: Now,
		private readonly tell: (messages: Outgoing[], shows: Lookup | ServiceError, at: number) => void,
	) {}

	/** Notes the time of a record that has just been created. */
	noteNew({ createdAt }: MessageRecord): void {
		this.shown = { createdAt, at: this.now() };
	}

	/** Polls until none of the messages is in doubt any more, or it may be sent again. @throws ServiceError if stopped */
	async settle(messages: Outgoing[]): Promise<void> {
		const findDoubtful = () => messages.filter(({ pollAt }) => pollAt !== undefined);
		for (let left = findDoubtful(); left.length > 0; left = findDoubtful()) {
			for (const message of left) this.doubtful.add(message);
			this.polling ??= this.poll().finally(() => (this.polling = undefined));
			await this.polling;
		}
	}

	private async poll(): Promise<void> {
		const { now } = this;
		await this.waitUntilDue();
		const at = now();
		const messages = [...this.doubtful];
		this.doubtful.clear();
		const since = messages.reduce((first, { entry }) => Math.min(first, entry.window.from), at);
		const numbers = new Set(messages.map(({ request }) => digitsOf(request.to)));
		const more = { since, shown: this.shown, now };
		const shows = await lookUp(this.client, numbers, more).catch(asServiceError);
		this.readAt = now();
		if (isCancelled(shows)) throw shows;
		this.tell(messages, shows, shows instanceof ServiceError ? this.readAt : at);
	}

	private async waitUntilDue(): Promise<void> {
		for (;;) {
			let next = Infinity;
			for (const { pollAt = Infinity } of this.doubtful) next = Math.min(next, pollAt);
			const wait = Math.max(next, this.readAt + deliveryTiming.polls[0]) - this.now();
			if (wait <= 0) return this.client.pool.stopIfCancelled();
			await this.client.pool.rest(Math.min(wait, longestRestMs));
		}
	}
}
