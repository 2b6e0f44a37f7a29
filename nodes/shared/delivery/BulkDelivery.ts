import type { BulkAnswer, MessagingServiceClient } from '../client/MessagingServiceClient';
import { isRefusal } from '../client/outcome';
import { ServiceError } from '../client/ServiceError';
import type { BulkMessage, MessageRecord } from '../client/types';
import { isClaimed, isClaimedByHistory } from './claims';
import { lookUntilFound, windowOf } from './clearUp';
import { RecentHistory } from './historySearch';
import type { Ledger, LedgerEntry } from './ledger';
import { OutageBrake } from './OutageBrake';
import { comparableText, digitsOf, groupBy, pairAnswers, type SentMessage } from './pairing';
import { ServiceClock } from './ServiceClock';
import { deliveryTiming } from './timing';

export interface BulkOutgoing extends SentMessage {
	entry: LedgerEntry;
	/** Called with what became of the message; only the first call counts. */
	settle(outcome: MessageRecord | Error): void;
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

/** Up to this many messages are looked up by number; more of them by what their senders sent since. */
const mostLookUpsByNumber = 5;

const isUndecided = ({ entry }: BulkOutgoing) => entry.state === 'sending';
const isOpen = ({ entry }: BulkOutgoing) => entry.state === 'open';

/**
 * Brings messages to the service in bulk requests, each message exactly once. Bulk messages carry no reference
 * ("Bulk send request"), so a request whose outcome is unknown is cleared up by number, text, sender ID and time:
 * what history holds from the time since the request went out, and is no other message's record, was taken.
 * Never is a message sent a second time before history was asked for it. No two messages of one delivery that
 * are under way at the same time may be alike; the caller sees to it.
 */
export class BulkDelivery {
	private readonly clock: ServiceClock;
	private readonly brake = new OutageBrake();
	private readonly history: RecentHistory;
	/** All messages that were begun, by number: a record that is like none of them is a riddle. */
	private readonly begun = new Map<string, BulkOutgoing[]>();

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
	) {
		this.clock = ServiceClock.of(client.account);
		this.history = new RecentHistory(client, this.clock);
	}

	/** Sends one request and settles every message of it. Never rejects. */
	async deliver(chunk: BulkOutgoing[]): Promise<void> {
		await this.deliverChunk(chunk).catch((error: unknown) => settleAll(chunk, error as Error));
	}

	private async deliverChunk(chunk: BulkOutgoing[]): Promise<void> {
		for (const outgoing of chunk) this.noteBegun(outgoing);
		// What an earlier try of the node has left undecided.
		await this.clearUp(chunk);
		const open = chunk.filter(isOpen);
		if (open.length > 0) await this.brake.run(async () => await this.sendUntilDecided(open));
	}

	/** @throws ServiceError that holds for all messages that are not settled yet */
	private async sendUntilDecided(chunk: BulkOutgoing[]): Promise<void> {
		let open = chunk;
		let failure: ServiceError | undefined;
		for (let sends = 0; sends < deliveryTiming.mostSends; sends += 1) {
			failure = await this.trySend(open);
			if (!failure) return;
			await this.clearUp(open, failure);
			open = open.filter(isOpen);
			if (open.length === 0) return;
		}
		throw toUnknown(failure);
	}

	/** Sends one request. Gives back why messages of it are undecided; a failure that is certain is thrown. */
	private async trySend(chunk: BulkOutgoing[]): Promise<ServiceError | undefined> {
		const sentAt = Date.now();
		for (const { entry, message, from } of chunk) {
			entry.firstSentAt ??= sentAt;
			entry.state = 'sending';
			entry.underWay = { message, from };
		}
		const answer = await this.client.sendBulk(collapse(chunk)).catch(asFailure);
		const answeredAt = Date.now();
		for (const { entry } of chunk) entry.lastSentAt = answeredAt;
		if (answer instanceof ServiceError) {
			this.brake.noteFailure(answer);
			this.clock.learnFromHeader(answer.facts.serviceTime, answeredAt);
			if (answer.mayHaveActed) return answer;
			for (const { entry } of chunk) entry.state = 'open';
			throw answer;
		}
		this.takeAnswer(chunk, answer, sentAt, answeredAt);
		const words = 'The answer of the service left this recipient out';
		return chunk.some(isUndecided) ? new ServiceError('unreadable', { words }) : undefined;
	}

	private takeAnswer(
		chunk: BulkOutgoing[],
		answer: BulkAnswer,
		sentAt: number,
		answeredAt: number,
	): void {
		this.brake.noteAcceptance();
		pairAnswers(chunk, answer.records).forEach((record, index) => {
			if (!record) return;
			const { entry, settle, to } = chunk[index];
			if (isRefusal(record)) {
				entry.state = 'open';
				return settle(answer.toRefusal(record).with({ to }));
			}
			this.clock.learnFromRecord(record, sentAt, answeredAt);
			// An alike message of another execution was looked for, and took this record: history tells what is left.
			if (isNamed(record) && !isClaimedByHistory(record)) this.accept(chunk[index], record);
		});
	}

	private accept(outgoing: BulkOutgoing, record: MessageRecord, by?: 'history'): void {
		this.ledger.accept(outgoing.entry, record, by);
		outgoing.settle(record);
	}

	/**
	 * Looks the undecided messages up. Those that were not taken are open afterwards; those that nobody can say it of
	 * are settled as unknown and stay undecided.
	 */
	private async clearUp(chunk: BulkOutgoing[], failure?: ServiceError): Promise<void> {
		const undecided = () => chunk.filter(isUndecided);
		if (undecided().length === 0) return;
		const ends = undecided().map(({ entry }) => entry.lastSentAt ?? entry.firstSentAt ?? 0);
		const since = ends.reduce((latest, end) => Math.max(latest, end));
		let riddles = new Set<BulkOutgoing>();
		const look = async () => {
			riddles = await this.lookUp(undecided());
			return undecided().length === 0;
		};
		await lookUntilFound(this.client.pool, since, look).then(
			() => {
				const words = 'History does not tell this message from another one of the same time';
				settleAll([...riddles], toUnknown(failure, { words }));
				for (const outgoing of undecided())
					if (!riddles.has(outgoing)) outgoing.entry.state = 'open';
			},
			(error: unknown) => settleAll(undecided(), toUnknown(failure ?? asFailure(error))),
		);
	}

	/** Accepts what history holds. Gives back the messages of which nobody can say whether it holds them. */
	private async lookUp(undecided: BulkOutgoing[]): Promise<Set<BulkOutgoing>> {
		const starts = undecided.map(({ entry }) => entry.firstSentAt ?? Date.now());
		const since = starts.reduce((earliest, start) => Math.min(earliest, start));
		const isByNumber = undecided.length <= mostLookUpsByNumber;
		const wanted = new Map(
			undecided.map(({ to, from, entry }) => {
				const one = { to: isByNumber ? to : '', from: entry.underWay?.from ?? from, since };
				return [JSON.stringify(one), one] as const;
			}),
		);
		const lists = await Promise.all([...wanted.values()].map((one) => this.history.search(one)));
		const byNumber = groupBy(lists.flat(), ({ to }) => digitsOf(to));
		return new Set(undecided.filter((outgoing) => this.match(outgoing, byNumber) === 'riddle'));
	}

	private match(
		outgoing: BulkOutgoing,
		byNumber: Map<string, MessageRecord[]>,
	): 'found' | 'absent' | 'riddle' {
		const number = digitsOf(outgoing.to);
		const window = windowOf(outgoing.entry);
		const placed = (byNumber.get(number) ?? [])
			.filter((record) => isWithoutReference(record) && !isClaimed(record))
			.map((record) => ({ record, place: this.clock.place(record.createdAt, window) }))
			.filter(({ place }) => place !== 'outside');
		const alike = placed.filter(({ record }) => isAlike(record, outgoing));
		const found = alike.find(({ place }) => place === 'inside');
		if (found) {
			this.accept(outgoing, found.record, 'history');
			this.brake.noteAcceptance();
			return 'found';
		}
		// A service that changes texts or sender IDs must not make us send a second time.
		const isOfNone = ({ record }: { record: MessageRecord }) =>
			!this.begun.get(number)?.some((sent) => isAlike(record, sent));
		const isRiddle =
			alike.length > 0 || placed.some((one) => one.place === 'inside' && isOfNone(one));
		return isRiddle ? 'riddle' : 'absent';
	}

	private noteBegun(outgoing: BulkOutgoing): void {
		const number = digitsOf(outgoing.to);
		const sent = this.begun.get(number);
		if (sent) sent.push(outgoing);
		else this.begun.set(number, [outgoing]);
	}
}

/** Compares with what is under way where an earlier try has sent another text than this one would. */
function isAlike(record: MessageRecord, outgoing: BulkOutgoing): boolean {
	const { message, from } = outgoing.entry.underWay ?? outgoing;
	return record.from === from && comparableText(record.message) === comparableText(message);
}

function isWithoutReference({ clientReference }: MessageRecord): boolean {
	return clientReference === undefined || clientReference === null || clientReference === '';
}

function isNamed({ messageId }: MessageRecord): boolean {
	return messageId !== undefined && messageId !== null && String(messageId) !== '';
}

function settleAll(chunk: BulkOutgoing[], failure: Error): void {
	for (const { settle, to } of chunk) {
		settle(failure instanceof ServiceError ? failure.with({ to }) : failure);
	}
}

function asFailure(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}

function toUnknown(failure: ServiceError | undefined, facts = {}): ServiceError {
	if (failure?.kind === 'cancelled') return failure;
	return new ServiceError('outcomeUnknown', { ...failure?.facts, ...facts, mayHaveActed: true });
}
