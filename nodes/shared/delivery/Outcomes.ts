import { ServiceError, type HistorySays } from '../client/ServiceError';
import type { MessageRecord } from '../client/types';
import type { KnownAccount } from './KnownAccount';
import type { Outgoing } from './Outgoing';
import type { OutageBrake } from './OutageBrake';

/** What became of the messages of a delivery: each of them is told once. */
export class Outcomes<T extends Outgoing> {
	constructor(
		private readonly known: KnownAccount,
		private readonly brake: OutageBrake,
	) {}

	/** Those of which nothing was told yet. */
	left(messages: T[]): T[] {
		return messages.filter((message) => !message.isSettled);
	}

	/** Tells those that are accepted by now, also in a late answer to an earlier try of the node. */
	tellAccepted(messages: T[]): void {
		for (const message of messages) {
			const { record } = message.entry;
			if (record) this.settle(message, record);
		}
	}

	/** @param by how it became known: by the answer to the request, or by a look into history */
	accept(message: T, record: MessageRecord, by: 'answer' | 'history'): void {
		message.entry.accept(record);
		this.known.noteRecordOfSend(record, by);
		this.brake.noteAcceptance();
		this.settle(message, record);
	}

	settle(message: T, outcome: MessageRecord | Error): void {
		if (message.isSettled) return;
		message.isSettled = true;
		message.settle(outcome);
	}

	fail(messages: T[], failure: Error): void {
		for (const message of messages) {
			const { to, clientReference } = message;
			const isOfService = failure instanceof ServiceError;
			this.settle(message, isOfService ? failure.with({ to, clientReference }) : failure);
		}
	}

	/** @param isOutage whether the service took no other message either */
	leaveUnclear(
		message: T,
		failure: ServiceError | undefined,
		says: HistorySays,
		isOutage = false,
	): void {
		if (failure?.kind === 'cancelled') return this.settle(message, failure);
		const { entry } = message;
		const facts = {
			...failure?.facts,
			mayHaveActed: true,
			requests: entry.requests,
			waitedMs: Date.now() - entry.endedAt,
			history: entry.isRequestTaken ? ('partly' as const) : says,
		};
		this.fail([message], new ServiceError(isOutage ? 'unavailable' : 'outcomeUnknown', facts));
	}
}
