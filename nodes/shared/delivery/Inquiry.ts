import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { asServiceError, isPassing, ServiceError, type HistorySays } from '../client/ServiceError';
import type { MessageRecord } from '../client/types';
import { digitsOf } from '../validation/recipient';
import { isDoubtOver, nextLookAt } from './doubt';
import { RecentHistory, type RecordsByNumber } from './historySearch';
import type { KnownAccount } from './KnownAccount';
import type { Outcomes } from './Outcomes';
import { isDoubtful, noteRequestTaken, type Match, type Outgoing, type Way } from './Outgoing';
import type { Window } from './ServiceClock';
import { deliveryTiming } from './timing';

export interface Doubt {
	/** Why the messages are in doubt; unknown for what an earlier try has left. */
	failure?: ServiceError;
	/** Whether another request can follow, for which the doubt has to be over. */
	isSendingOn?: boolean;
	/** Resolves when a late answer has told something; with why they are in doubt still. */
	late?: Promise<ServiceError | undefined>;
}

/** Asks message history what became of messages. */
export class Inquiry<T extends Outgoing> {
	private readonly history: RecentHistory;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly known: KnownAccount,
		private readonly way: Way<T>,
		private readonly outcomes: Outcomes<T>,
	) {
		this.history = new RecentHistory(client, known);
	}

	/** Accepts what another retry of the same execution has sent: n8n begins each from the memory of the first. */
	async findSince(messages: T[], since: number): Promise<void> {
		if (messages.length === 0) return;
		const records = await this.search(messages, since).catch((error: unknown) => {
			// Who may not read history could never retry anything.
			if (isPassing(error)) throw error;
			return new Map<string, MessageRecord[]>();
		});
		const window = { from: since, to: Date.now() };
		for (const message of messages) this.match(message, records, window);
	}

	/**
	 * Asks for messages that are in doubt, until history shows them or the doubt is over. What nobody can say anything
	 * of is settled as unknown; what is left may be sent again.
	 */
	async findOutcomes(messages: T[], doubt: Doubt = {}): Promise<void> {
		const riddles = new Set<T>();
		let { late, failure } = doubt;
		void late?.then((told) => {
			late = undefined;
			failure = told ?? failure;
		});
		let lookedAt = -Infinity;
		for (;;) {
			this.outcomes.tellAccepted(messages);
			const left = this.outcomes.left(messages).filter(isDoubtful);
			if (left.length === 0) return;
			const endedAt = left.reduce((latest, { entry }) => Math.max(latest, entry.endedAt), 0);
			await this.rest(nextLookAt(endedAt, lookedAt), late);
			lookedAt = Date.now();
			const lookFailure = await this.look(left, riddles);
			const undecided = left.filter(isDoubtful);
			const isFinal = lookFailure !== undefined && !canPass(lookFailure);
			const isOver = (one: T) => this.isOver(one, lookedAt, doubt, lookFailure);
			if (isFinal || undecided.every(isOver)) {
				for (const message of undecided) {
					const isRiddle = riddles.has(message);
					const says = lookFailure ? 'unreadable' : isRiddle ? 'riddle' : 'nothing';
					this.conclude(message, failure ?? lookFailure, says);
				}
				return;
			}
		}
	}

	private isOver(
		{ entry, isSentOnce }: T,
		lookedAt: number,
		{ isSendingOn = true }: Doubt,
		lookFailure: ServiceError | undefined,
	): boolean {
		if (isSendingOn || isSentOnce) {
			return isDoubtOver(entry, lookedAt, lookFailure ? undefined : this.known.lag);
		}
		return lookedAt - entry.endedAt >= deliveryTiming.evidence.shortestMs;
	}

	/** What becomes of a message that history did not show in time: unknown, refused, or to be sent again. */
	private conclude(message: T, failure: ServiceError | undefined, says: HistorySays): void {
		const { entry, isSentOnce } = message;
		const { status = 0 } = failure?.facts ?? {};
		if (says !== 'nothing' || isSentOnce || entry.isRequestTaken) {
			this.outcomes.leaveUnclear(message, failure, says);
		} else if (failure && status >= 400 && status < 500) {
			const waitedMs = Date.now() - entry.endedAt;
			this.outcomes.fail([message], failure.with({ history: says, waitedMs }));
		}
	}

	/** Looks once. Gives back why history could not be read. */
	private async look(messages: T[], riddles: Set<T>): Promise<ServiceError | undefined> {
		const since = messages.reduce(
			(first, { entry }) => Math.min(first, entry.window.from),
			Infinity,
		);
		const records = await this.search(messages, since).catch(asServiceError);
		if (records instanceof ServiceError) {
			if (records.kind === 'cancelled') throw records;
			return records;
		}
		const requestOf = new Map(messages.map((message) => [message, message.entry.request]));
		for (const message of messages) {
			const isRiddle = this.match(message, records, message.entry.window) === 'riddle';
			if (isRiddle) riddles.add(message);
			else riddles.delete(message);
		}
		const found = messages.filter(({ entry }) => entry.record);
		if (found.length === 0) return undefined;
		const taken = new Set(found.map((message) => requestOf.get(message)));
		noteRequestTaken(messages.filter((one) => isDoubtful(one) && taken.has(one.entry.request)));
		return undefined;
	}

	private async search(messages: T[], since: number): Promise<RecordsByNumber> {
		return await this.history.search(
			messages.map(({ to }) => digitsOf(to)),
			since,
		);
	}

	private match(message: T, records: RecordsByNumber, window: Window): Match {
		const match = this.way.recognise(message, records.get(digitsOf(message.to)) ?? [], window);
		if (typeof match === 'object') this.outcomes.accept(message, match.found, 'history');
		return match;
	}

	private async rest(until: number, late: Doubt['late']): Promise<void> {
		const rest = this.client.pool.rest(Math.max(until - Date.now(), 0));
		await (late ? Promise.race([rest, late]) : rest);
	}
}

/** A gateway points elsewhere for a while; the doubt lasts long enough to see whether it goes on. */
function canPass(lookFailure: ServiceError): boolean {
	return isPassing(lookFailure) || lookFailure.kind === 'redirected';
}
