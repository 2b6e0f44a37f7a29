import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { isRefusal } from '../client/outcome';
import { ServiceError } from '../client/ServiceError';
import type { BulkMessage, HistoryFilters, MessageRecord } from '../client/types';
import { filtersFor, searchHistory } from './historySearch';
import type { Ledger, LedgerEntry } from './ledger';
import { digitsOf, groupBy, pairAnswers, type SentMessage } from './pairing';
import { ServiceClock } from './ServiceClock';
import { deliveryTiming } from './timing';

export interface BulkOutgoing extends SentMessage {
	entry: LedgerEntry;
	/** Called once, with what became of the message. */
	settle(outcome: MessageRecord | ServiceError): void;
}

/** The same text from the same sender ID is one entry with several recipients. */
export function collapse(outgoing: SentMessage[]): BulkMessage[] {
	const entries = new Map<string, BulkMessage>();
	for (const { to, message, from } of outgoing) {
		const key = JSON.stringify([from, message]);
		const entry = entries.get(key);
		if (entry) entry.to.push(to);
		else entries.set(key, { to: [to], message, from });
	}
	return [...entries.values()];
}

/**
 * Brings messages to the service in bulk requests, each message exactly once. Bulk messages carry no reference
 * ("Bulk send request"), so a request whose outcome is unknown is cleared up by number, text, sender ID and time:
 * what history holds from the time since the request went out, and is no other message's record, was taken.
 * Never is a message sent a second time before history was asked for it. No two messages of one delivery that
 * are under way at the same time may be alike; the caller sees to it.
 */
export class BulkDelivery {
	private readonly clock = new ServiceClock();
	private failuresInARow = 0;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
	) {}

	/** Sends one request and settles every message of it. Never rejects. */
	async deliver(chunk: BulkOutgoing[]): Promise<void> {
		let open = chunk;
		let failure: ServiceError | undefined;
		for (let sends = 0; open.length > 0; sends += 1) {
			open = await this.clearUp(open, failure);
			if (open.length === 0) return;
			if (sends >= deliveryTiming.mostSends) return settleAll(open, toUnknown(failure));
			if (sends === 0 && this.failuresInARow >= deliveryTiming.outageAfter) {
				return settleAll(open, new ServiceError('unavailable', { code: 'heldBack' }));
			}
			failure = await this.trySend(open);
			if (failure && !failure.mayHaveActed) return settleAll(open, failure);
			open = open.filter(({ entry }) => entry.state === 'sending');
			// The service answered but said nothing of these: they are looked up, and not sent again.
			if (!failure && open.length > 0) return await this.settleUnanswered(open);
		}
	}

	private async settleUnanswered(open: BulkOutgoing[]): Promise<void> {
		const missing = await this.clearUp(open, undefined);
		for (const { entry } of missing) entry.state = 'sending';
		const words = 'The answer of the service left this recipient out';
		settleAll(missing, new ServiceError('outcomeUnknown', { words, mayHaveActed: true }));
	}

	private async trySend(chunk: BulkOutgoing[]): Promise<ServiceError | undefined> {
		const sentAt = Date.now();
		for (const { entry } of chunk) {
			entry.firstSentAt ??= sentAt;
			entry.state = 'sending';
		}
		const answer = await this.client.sendBulk(collapse(chunk)).catch(asFailure);
		const answeredAt = Date.now();
		for (const { entry } of chunk) entry.lastSentAt = answeredAt;
		if (answer instanceof ServiceError) {
			this.failuresInARow += 1;
			this.clock.learnFromHeader(answer.facts.serviceTime, answeredAt);
			if (!answer.mayHaveActed) for (const { entry } of chunk) entry.state = 'open';
			return answer;
		}
		this.failuresInARow = 0;
		pairAnswers(chunk, answer.records).forEach((record, index) => {
			if (!record) return;
			if (isRefusal(record)) return this.refuse(chunk[index], answer.toRefusal(record));
			this.clock.learnFromRecord(record, sentAt, answeredAt);
			this.accept(chunk[index], record);
		});
		return undefined;
	}

	private accept({ entry, settle }: BulkOutgoing, record: MessageRecord): void {
		this.ledger.accept(entry, record);
		settle(record);
	}

	private refuse({ entry, settle, to }: BulkOutgoing, refusal: ServiceError): void {
		entry.state = 'open';
		settle(refusal.with({ to }));
	}

	/** Looks the messages of unknown outcome up; gives back those that certainly were not taken. */
	private async clearUp(
		chunk: BulkOutgoing[],
		failure: ServiceError | undefined,
	): Promise<BulkOutgoing[]> {
		let unknown = chunk.filter(({ entry }) => entry.state === 'sending');
		const since = Math.max(
			...unknown.map(({ entry }) => entry.lastSentAt ?? entry.firstSentAt ?? 0),
		);
		for (const [look, after] of deliveryTiming.looks.entries()) {
			if (unknown.length === 0) break;
			const wait = since + after - Date.now();
			const isLastLook = look === deliveryTiming.looks.length - 1;
			if (wait <= 0 && !isLastLook && look > 0) continue;
			const isLookedUp = await this.client.pool
				.rest(Math.max(wait, 0))
				.then(async () => await this.lookUp(unknown))
				.then(
					() => true,
					(error: unknown) => this.giveUp(unknown, failure ?? asFailure(error)),
				);
			if (!isLookedUp) return chunk.filter(({ entry }) => entry.state === 'open');
			unknown = unknown.filter(({ entry }) => entry.state === 'sending');
		}
		for (const { entry } of unknown) entry.state = 'open';
		return chunk.filter(({ entry }) => entry.state === 'open');
	}

	private giveUp(unknown: BulkOutgoing[], failure: ServiceError): false {
		const open = unknown.filter(({ entry }) => entry.state === 'sending');
		settleAll(open, failure.kind === 'cancelled' ? failure : toUnknown(failure));
		return false;
	}

	private async lookUp(unknown: BulkOutgoing[]): Promise<void> {
		const since = Math.min(...unknown.map(({ entry }) => entry.firstSentAt ?? Date.now()));
		const isOld = ({ createdAt }: MessageRecord) =>
			this.clock.place(createdAt, { from: since, to: Date.now() }) === 'outside';
		for (const filters of filtersForAll(unknown, since)) {
			// New messages are added in front (field note 11): behind a page of old ones come only old ones.
			const records = await searchHistory(this.client, filters, this.clock, (page) =>
				page.every(isOld),
			);
			const byNumber = groupBy(records, (record) => digitsOf(record.to));
			for (const outgoing of unknown) this.match(outgoing, byNumber);
		}
	}

	private match(outgoing: BulkOutgoing, byNumber: Map<string, MessageRecord[]>): void {
		if (outgoing.entry.state !== 'sending') return;
		const candidates = (byNumber.get(digitsOf(outgoing.to)) ?? []).filter(
			(record) => isSameMessage(record, outgoing) && !this.ledger.isClaimed(record),
		);
		const window = { from: outgoing.entry.firstSentAt ?? 0, to: Date.now() };
		const placed = candidates.map((record) => this.clock.place(record.createdAt, window));
		const inside = placed.indexOf('inside');
		if (inside >= 0) return this.accept(outgoing, candidates[inside]);
		if (placed.includes('unclear')) {
			throw new ServiceError('unreadable', {
				words: 'History holds the same message, but not whether it is this one or an earlier one',
			});
		}
	}
}

/** Up to this many messages are looked up by number; more of them by what their senders sent since. */
const mostLookUpsByNumber = 5;

function filtersForAll(unknown: BulkOutgoing[], since: number): HistoryFilters[] {
	const all = unknown.map(({ to, from }) =>
		unknown.length <= mostLookUpsByNumber
			? filtersFor({ to, from, since })
			: filtersFor({ to: '', from, since }),
	);
	return [...new Map(all.map((filters) => [JSON.stringify(filters), filters])).values()];
}

function isSameMessage(record: MessageRecord, { message, from }: SentMessage): boolean {
	return record.message === message && record.from === from;
}

function settleAll(chunk: BulkOutgoing[], failure: ServiceError): void {
	for (const { settle, to } of chunk) settle(failure.with({ to }));
}

function asFailure(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

function toUnknown(failure: ServiceError | undefined): ServiceError {
	return new ServiceError('outcomeUnknown', { ...failure?.facts, mayHaveActed: true });
}
