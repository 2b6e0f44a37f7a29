import { asServiceError, type HistorySays, ServiceError } from '../client/failure';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { digitsOf } from '../input/recipient';
import { type Lookup, lookUp } from './history';
import type { Ledger } from './memory';
import type { Outgoing } from './Outgoing';
import type { Outcomes } from './outcomes';
import type { Recognition } from './recognition';
import { deliveryTiming } from './timing';

/** Looks up messages in doubt. */
export class Settling {
	private readAt = -Infinity;
	/** How far the service's clock was ahead at each lookup of the run. */
	private readonly skews: number[] = [];
	/** Requests of which history has shown a message. */
	private readonly shown = new Set<string>();

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly recognition: Recognition,
		private readonly outcomes: Outcomes,
	) {}

	/** Looks messages up until history shows them, or their doubt ends: they are then told, or open again. */
	async settle(messages: Outgoing[]): Promise<void> {
		for (;;) {
			const doubtful = messages.filter(({ pollAt }) => pollAt !== undefined);
			if (doubtful.length === 0) return;
			const due = doubtful.reduce((least, { pollAt = 0 }) => Math.min(least, pollAt), Infinity);
			const restUntil = Math.max(due, this.readAt + deliveryTiming.polls[0]);
			await this.client.pool.rest(restUntil - this.ledger.now());
			const at = this.ledger.now();
			const lookup = await this.lookUp(doubtful, at);
			this.readAt = this.ledger.now();
			if (lookup instanceof ServiceError) this.noteFailure(doubtful, lookup);
			else this.noteLookup(doubtful, lookup, at);
		}
	}

	/** Not beyond the moment when a doubt is told if the service is down. */
	private async lookUp(doubtful: Outgoing[], at: number): Promise<Lookup | ServiceError> {
		const first = (momentOf: (message: Outgoing) => number) =>
			doubtful.reduce((least, message) => Math.min(least, momentOf(message)), Infinity);
		const since = Math.min(
			first(({ entry }) => entry.window.from),
			at,
		);
		const client = this.client.within(first(({ entry }) => entry.toldUnreadAt) - at);
		const numbers = new Set(doubtful.map(({ request }) => digitsOf(request.to)));
		const { now } = this.ledger;
		return await lookUp(client, numbers, { since, now, skews: this.skews }).catch(asServiceError);
	}

	private noteFailure(doubtful: Outgoing[], failure: ServiceError): void {
		for (const message of doubtful)
			this.outcomes.note(message, { is: 'notSeen', says: 'unreadable', failure }, this.readAt);
	}

	private noteLookup(doubtful: Outgoing[], lookup: Lookup, at: number): void {
		const unseen: Array<[Outgoing, HistorySays]> = [];
		for (const message of doubtful) {
			const { window, saved } = message.entry;
			const match = this.recognition.match(message, lookup, window, true);
			if (typeof match === 'string') {
				unseen.push([message, match === 'uncertain' ? match : 'nothing']);
			} else {
				this.shown.add(String(saved.request));
				this.recognition.claim(match.found, true);
				this.ledger.noteAccount(this.client.account);
				this.outcomes.accept(message, match.found);
			}
		}
		for (const [message, says] of unseen) {
			if (this.shown.has(String(message.entry.saved.request)))
				this.outcomes.note(message, { is: 'othersAccepted' });
			this.noteUnseen(message, says, lookup, at);
		}
	}

	private noteUnseen(message: Outgoing, says: HistorySays, lookup: Lookup, at: number): void {
		const earlier = this.recognition.findEarlier(message, lookup, at);
		const isSure = !(earlier instanceof Error);
		const sentSince = isSure ? earlier : undefined;
		const event = { is: 'notSeen', says: isSure ? says : 'uncertain', sentSince } as const;
		this.outcomes.note(message, event, at);
	}
}
