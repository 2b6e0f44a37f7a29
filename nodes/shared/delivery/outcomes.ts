import { type HistorySays, ServiceError } from '../client/failure';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import type { History } from './history';
import { isUndecided, toOutcomeUnknown, type Outgoing } from './message';

/** What becomes of the messages of a run. The outcome of each is set and reported once. */
export class Outcomes {
	hasAccepted = false;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly history: History,
		private readonly onDecided: (message: Outgoing) => void,
	) {}

	/** Nobody should watch for minutes how a service is down that has accepted nothing yet. */
	get isWatched(): boolean {
		return this.client.isWatched && !this.hasAccepted;
	}

	accept(message: Outgoing, record: MessageRecord): void {
		const { note } = message;
		this.hasAccepted = true;
		note.record = record;
		note.acceptedAt = Date.now();
		note.doubt = undefined;
		this.history.claim(record);
		this.decide(message, record);
	}

	tellUnknown(message: Outgoing, says: HistorySays, cause = message.failure): void {
		this.decide(message, toOutcomeUnknown(message.note, says, cause));
	}

	/** What may have been accepted is never reported as not sent. */
	giveUp(messages: Outgoing[], failure: Error): void {
		for (const message of messages) {
			const isDoubtful = message.note.doubt && failure instanceof ServiceError;
			if (isDoubtful) this.tellUnknown(message, message.seen ?? 'unreadable', failure);
			else this.decide(message, failure);
		}
	}

	decide(message: Outgoing, outcome: MessageRecord | Error): void {
		if (!isUndecided(message)) return;
		const { to, clientReference } = message.request;
		const isFailure = outcome instanceof ServiceError;
		message.outcome = isFailure ? outcome.with({ to, clientReference }) : outcome;
		this.onDecided(message);
	}
}
