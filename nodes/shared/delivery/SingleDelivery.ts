import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { RequestPool } from '../client/RequestPool';
import { isPassing, ServiceError } from '../client/ServiceError';
import type { MessageRecord, SendRequest } from '../client/types';
import { isSameNumber } from '../validation/recipient';
import { filtersFor, searchHistory } from './historySearch';
import type { Ledger, LedgerEntry } from './ledger';
import { ServiceClock } from './ServiceClock';
import { deliveryTiming } from './timing';

export interface Outgoing {
	request: SendRequest & { clientReference: string };
	surface: 'rest' | 'http';
	entry: LedgerEntry;
	/** Whether the reference is the user's: older messages may carry the same one. */
	isUsersReference: boolean;
}

/**
 * Brings single messages to the service, each exactly once. A send whose outcome is unknown is looked up in
 * history by its reference before anything is sent again; what cannot be cleared up is reported as unknown.
 */
export class SingleDelivery {
	private readonly clock = new ServiceClock();
	private readonly lastOfReference = new Map<string, Promise<unknown>>();
	private readonly undecided: RequestPool;
	private failuresInARow = 0;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
	) {
		this.undecided = new RequestPool(deliveryTiming.mostUndecided);
	}

	/** Resolves when the next message may be begun: neither requests nor unknown outcomes pile up. */
	async hasRoom(): Promise<void> {
		await this.client.pool.hasRoom();
		await this.undecided.hasRoom();
	}

	/** Messages with the same reference to the same number go one after the other, to be told apart. */
	async deliver(outgoing: Outgoing): Promise<MessageRecord> {
		const { to, clientReference } = outgoing.request;
		const key = `${to} ${clientReference}`;
		const before = this.lastOfReference.get(key) ?? Promise.resolve();
		const delivery = this.undecided.run(async () => {
			await before;
			return await this.deliverNow(outgoing);
		});
		const ended = delivery.then(
			() => undefined,
			() => undefined,
		);
		this.lastOfReference.set(key, ended);
		return await delivery;
	}

	/** The message that history already knows by this reference and number, whenever it was sent. */
	async findEarlier(outgoing: Outgoing): Promise<MessageRecord | undefined> {
		const { to, from } = outgoing.request;
		const records = await searchHistory(this.client, filtersFor({ to, from }), this.clock, (page) =>
			page.some((record) => isSameMessage(record, outgoing)),
		);
		return records.find((record) => isSameMessage(record, outgoing));
	}

	private async deliverNow(outgoing: Outgoing): Promise<MessageRecord> {
		const { entry } = outgoing;
		let failure: ServiceError | undefined;
		for (let sends = 0; entry.record === undefined; sends += 1) {
			if (entry.state === 'sending') await this.clearUp(outgoing, failure);
			if (entry.record !== undefined) break;
			if (sends >= deliveryTiming.mostSends) throw toUnknown(outgoing, failure);
			this.holdBackInOutage(sends);
			failure = await this.trySend(outgoing);
		}
		return entry.record;
	}

	/** Sends once. Returns the failure that leaves the outcome open; a certain one is thrown. */
	private async trySend(outgoing: Outgoing): Promise<ServiceError | undefined> {
		const { entry, request, surface } = outgoing;
		const sentAt = Date.now();
		entry.firstSentAt ??= sentAt;
		entry.state = 'sending';
		const result = await this.client.send(request, surface).catch(asFailure);
		entry.lastSentAt = Date.now();
		if (!(result instanceof ServiceError)) {
			this.failuresInARow = 0;
			this.clock.learnFromRecord(result.record, sentAt, entry.lastSentAt);
			this.ledger.accept(entry, result.record);
			return undefined;
		}
		this.clock.learnFromHeader(result.facts.serviceTime, entry.lastSentAt);
		if (isPassing(result)) this.failuresInARow += 1;
		if (result.mayHaveActed && result.kind !== 'cancelled') return result;
		if (!result.mayHaveActed) entry.state = 'open';
		throw result.with({ to: request.to, clientReference: request.clientReference });
	}

	/** Asks history until the message is found, or until it would have appeared there. */
	private async clearUp(outgoing: Outgoing, failure: ServiceError | undefined): Promise<void> {
		const { entry } = outgoing;
		const since = entry.lastSentAt ?? entry.firstSentAt ?? Date.now();
		for (const [look, after] of deliveryTiming.looks.entries()) {
			const wait = since + after - Date.now();
			const isLastLook = look === deliveryTiming.looks.length - 1;
			// After a pause between two tries, the looks whose time is long over make one.
			if (wait <= 0 && !isLastLook && look > 0) continue;
			await this.client.pool.rest(Math.max(wait, 0));
			const found = await this.lookUp(outgoing).catch((error: unknown) => {
				throw toUnknown(outgoing, failure ?? asFailure(error));
			});
			if (found) return this.ledger.accept(entry, found);
		}
		entry.state = 'open';
	}

	private async lookUp(outgoing: Outgoing): Promise<MessageRecord | undefined> {
		const { entry, request, isUsersReference } = outgoing;
		const since = entry.firstSentAt ?? Date.now();
		const records = await searchHistory(
			this.client,
			filtersFor({ to: request.to, from: request.from, since }),
			this.clock,
		);
		const candidates = records.filter(
			(record) => isSameMessage(record, outgoing) && !this.ledger.isClaimed(record),
		);
		if (!isUsersReference) return candidates[0];
		const window = { from: since, to: Date.now() };
		const placed = candidates.map((record) => this.clock.place(record.createdAt, window));
		const inside = placed.indexOf('inside');
		if (inside === -1 && placed.includes('unclear')) {
			throw new ServiceError('unreadable', {
				words: 'History holds a message with this reference, but not whether it is this one',
			});
		}
		return candidates[inside];
	}

	private holdBackInOutage(sends: number): void {
		if (sends === 0 && this.failuresInARow >= deliveryTiming.outageAfter) {
			throw new ServiceError('unavailable', { code: 'heldBack' });
		}
	}
}

function isSameMessage(record: MessageRecord, { request }: Outgoing): boolean {
	return (
		record.clientReference === request.clientReference &&
		isSameNumber(String(record.to), request.to)
	);
}

function asFailure(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

function toUnknown({ request }: Outgoing, failure: ServiceError | undefined): ServiceError {
	if (failure?.kind === 'cancelled') return failure;
	return new ServiceError('outcomeUnknown', {
		...failure?.facts,
		mayHaveActed: true,
		to: request.to,
		clientReference: request.clientReference,
	});
}
