import { type HistorySays, ServiceError } from '../client/failure';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import type { Event } from './message';
import { isUndecided, type Outgoing } from './Outgoing';

/** Notes what happens to each message of a run until its outcome, which is set and reported once. */
export class Outcomes {
	private hasAccepted = false;

	/**
	 * @param reserve keeps the record of a message for its run, until what it returns is called
	 * @param onDecided called once for each message
	 */
	constructor(
		private readonly client: MessagingServiceClient,
		private readonly reserve: (message: Outgoing) => () => void,
		private readonly onDecided: (message: Outgoing) => void,
	) {}

	/** Nobody should watch for minutes how a service is down that has accepted nothing yet. */
	get isWatched(): boolean {
		return this.client.isWatched && !this.hasAccepted;
	}

	note(message: Outgoing, event: Event, now?: number): void {
		if (!isUndecided(message)) return;
		const { entry, request, isSentOnce } = message;
		const next = entry.note(event, now, { isSentOnce, isWatched: this.isWatched });
		// Other runs of this process leave its record to a message that was sent and is undecided.
		if (entry.state !== 'open') message.release ??= this.reserve(message);
		message.pollAt = typeof next === 'object' && 'pollAt' in next ? next.pollAt : undefined;
		if (typeof next === 'string' || !('tell' in next)) return;
		const { to, clientReference } = request;
		const { tell } = next;
		message.outcome = tell instanceof ServiceError ? tell.with({ to, clientReference }) : tell;
		message.release?.();
		this.onDecided(message);
	}

	accept(message: Outgoing, record: MessageRecord): void {
		this.hasAccepted = true;
		this.note(message, { is: 'accepted', record });
	}

	giveUp(messages: Outgoing[], failure: Error, says?: HistorySays): void {
		for (const message of messages) this.note(message, { is: 'stopped', failure, says });
	}
}
