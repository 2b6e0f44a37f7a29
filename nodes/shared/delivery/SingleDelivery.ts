import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { RequestPool } from '../client/RequestPool';
import { ServiceError } from '../client/ServiceError';
import type { MessageRecord, SendRequest } from '../client/types';
import { isSameNumber } from '../validation/recipient';
import { isClaimed, isClaimedByHistory } from './claims';
import { lookUntilFound, windowOf } from './clearUp';
import { filtersFor, RecentHistory, searchHistory } from './historySearch';
import type { Ledger, LedgerEntry } from './ledger';
import { OutageBrake } from './OutageBrake';
import { comparableText } from './pairing';
import { ServiceClock } from './ServiceClock';
import { deliveryTiming } from './timing';

/** More than the steps from an item to its request, or from an answer to what it does to the run. */
const stepsOfOthers = 50;

/** Takes microseconds: only what is ready to go on goes on, without a timer. */
async function letOthersGoOn(): Promise<void> {
	for (let step = 0; step < stepsOfOthers; step += 1) await Promise.resolve();
}

export interface Outgoing {
	request: SendRequest & { clientReference: string };
	surface: 'rest' | 'http';
	entry: LedgerEntry;
	/** Whether the reference is the user's: older messages may carry the same one. */
	isUsersReference: boolean;
	/** Option Skip If Already Sent: any message with this reference and number stands for this one. */
	isSkipping?: boolean;
}

export interface Delivered {
	record: MessageRecord;
	/** Nothing was sent, since the message was there before. */
	wasThere: boolean;
}

/**
 * Brings single messages to the service, each exactly once. A send whose outcome is unknown is looked up in
 * history by its reference before anything is sent again; what cannot be cleared up is reported as unknown.
 */
export class SingleDelivery {
	private readonly clock: ServiceClock;
	private readonly brake = new OutageBrake();
	private readonly history: RecentHistory;
	private readonly lastOfReference = new Map<string, Promise<Delivered>>();
	private readonly undecided: RequestPool;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
	) {
		this.clock = ServiceClock.of(client.account);
		this.history = new RecentHistory(client, this.clock);
		this.undecided = new RequestPool(deliveryTiming.mostUndecided);
	}

	/** Resolves when the next message may be begun: neither requests nor unknown outcomes pile up. */
	async hasRoom(): Promise<void> {
		// What was begun before gets its turn first, to take its place.
		await letOthersGoOn();
		await this.client.pool.hasRoom();
		await this.undecided.hasRoom();
		// And so does the answer that made the room: it can be the refusal that stops the run.
		await letOthersGoOn();
	}

	async deliver(outgoing: Outgoing): Promise<MessageRecord> {
		return (await this.deliverOrSkip(outgoing)).record;
	}

	/** Messages with the same reference to the same number go one after the other, to be told apart. */
	async deliverOrSkip(outgoing: Outgoing): Promise<Delivered> {
		const { to, clientReference } = outgoing.request;
		const key = `${to} ${clientReference}`;
		const before = this.lastOfReference.get(key);
		const delivery = this.undecided.run(async () => {
			const twin = await before?.catch((error: unknown) => {
				// Whether the twin is there, and this message to be skipped, nobody knows.
				if (outgoing.isSkipping && isLeftUndecided(error)) throw error;
			});
			if (outgoing.isSkipping && twin) return { record: twin.record, wasThere: true };
			return await this.deliverNow(outgoing);
		});
		if (outgoing.isUsersReference) this.lastOfReference.set(key, delivery);
		return await delivery;
	}

	private async deliverNow(outgoing: Outgoing): Promise<Delivered> {
		const { entry, isSkipping } = outgoing;
		if (isSkipping && entry.state === 'open') {
			const earlier = await this.findEarlier(outgoing);
			if (earlier) return { record: earlier, wasThere: true };
		}
		if (entry.state === 'sending') await this.clearUp(outgoing);
		const record =
			entry.record ?? (await this.brake.run(async () => await this.sendUntilDecided(outgoing)));
		return { record, wasThere: false };
	}

	/** The message that history already knows by this reference and number, whenever it was sent. */
	private async findEarlier(outgoing: Outgoing): Promise<MessageRecord | undefined> {
		const { to, from } = outgoing.request;
		const records = await searchHistory(this.client, filtersFor({ to, from }), this.clock, (page) =>
			page.some((record) => isSameMessage(record, outgoing)),
		);
		return records.find((record) => isSameMessage(record, outgoing));
	}

	private async sendUntilDecided(outgoing: Outgoing): Promise<MessageRecord> {
		const { entry } = outgoing;
		let failure: ServiceError | undefined;
		for (let sends = 0; sends < deliveryTiming.mostSends; sends += 1) {
			failure = await this.trySend(outgoing);
			if (failure) await this.clearUp(outgoing, failure);
			if (entry.record) return entry.record;
		}
		throw toUnknown(outgoing, failure);
	}

	/** Sends once. Gives back the failure that leaves the outcome open; a certain one is thrown. */
	private async trySend(outgoing: Outgoing): Promise<ServiceError | undefined> {
		const { request, surface, entry, isUsersReference } = outgoing;
		const sentAt = Date.now();
		entry.firstSentAt ??= sentAt;
		entry.state = 'sending';
		const result = await this.client.send(request, surface).catch(asFailure);
		entry.lastSentAt = Date.now();
		if (result instanceof ServiceError) {
			this.brake.noteFailure(result);
			this.clock.learnFromHeader(result.facts.serviceTime, entry.lastSentAt);
			if (result.mayHaveActed) return result;
			entry.state = 'open';
			throw result.with({ to: request.to, clientReference: request.clientReference });
		}
		this.brake.noteAcceptance();
		this.clock.learnFromRecord(result.record, sentAt, entry.lastSentAt);
		// A message of another execution with the same reference was looked for, and took this record.
		if (isUsersReference && isClaimedByHistory(result.record)) {
			return new ServiceError('unreadable');
		}
		this.ledger.accept(entry, result.record);
		return undefined;
	}

	/** Asks history until the message is found, or until it would have appeared there. */
	private async clearUp(outgoing: Outgoing, failure?: ServiceError): Promise<void> {
		const { entry } = outgoing;
		const since = entry.lastSentAt ?? entry.firstSentAt ?? Date.now();
		const look = async () => {
			const found = await this.lookUp(outgoing);
			if (found) this.ledger.accept(entry, found, 'history');
			return found !== undefined;
		};
		const isFound = await lookUntilFound(this.client.pool, since, look).catch((error: unknown) => {
			throw toUnknown(outgoing, failure ?? asFailure(error));
		});
		if (isFound) this.brake.noteAcceptance();
		else entry.state = 'open';
	}

	private async lookUp(outgoing: Outgoing): Promise<MessageRecord | undefined> {
		const { entry, request, isUsersReference, isSkipping } = outgoing;
		const { to, from } = request;
		const window = windowOf(entry);
		const records = await this.history.search({ to, from, since: window.from });
		const candidates = records.filter((record) => isSameMessage(record, outgoing));
		if (!isUsersReference || isSkipping) {
			const [found] = candidates;
			if (!found) this.refuseRiddle(records, outgoing);
			return found;
		}
		const placed = candidates
			.filter((record) => !isClaimed(record))
			.map((record) => ({ record, place: this.clock.place(record.createdAt, window) }));
		const inside = placed.find(({ place }) => place === 'inside');
		if (!inside && placed.some(({ place }) => place === 'unclear')) throw riddle;
		return inside?.record;
	}

	/** A history that leaves references out must not make us send a second time. */
	private refuseRiddle(records: MessageRecord[], { request, entry }: Outgoing): void {
		const window = windowOf(entry);
		const isLikeIt = (record: MessageRecord) =>
			!record.clientReference &&
			isSameNumber(String(record.to), request.to) &&
			comparableText(record.message) === comparableText(request.message) &&
			!isClaimed(record) &&
			this.clock.place(record.createdAt, window) === 'inside';
		if (records.some(isLikeIt)) throw riddle;
	}
}

const riddle = new ServiceError('unreadable', {
	words: 'History does not tell this message from another one of the same time',
});

function isSameMessage(record: MessageRecord, { request }: Outgoing): boolean {
	return (
		record.clientReference === request.clientReference &&
		isSameNumber(String(record.to), request.to)
	);
}

function isLeftUndecided(error: unknown): boolean {
	return error instanceof ServiceError && error.mayHaveActed;
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
