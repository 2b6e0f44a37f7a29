import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { RequestPool } from '../client/RequestPool';
import { isPassing, ServiceError, type HistorySays } from '../client/ServiceError';
import type { MessageRecord } from '../client/types';
import { isDoubtOver, nextLookAt } from './doubt';
import { RecentHistory, type RecordsByNumber } from './historySearch';
import { KnownAccount } from './KnownAccount';
import type { Ledger, LedgerEntry } from './ledger';
import { OutageBrake } from './OutageBrake';
import { digitsOf, type SentMessage } from './pairing';
import type { Window } from './ServiceClock';
import { deliveryTiming } from './timing';

export interface Outgoing extends SentMessage {
	entry: LedgerEntry;
	/** Bulk messages carry none. */
	clientReference?: string;
	/** No second request goes out while the outcome of one is unknown. */
	isSentOnce: boolean;
	/** Option Skip If Already Sent. */
	isSkipping: boolean;
	/** Called once, with what became of the message. */
	settle(outcome: MessageRecord | Error): void;
}

/** What the service answered for each message of a request; `undefined` for one that the answer left out. */
export type Answers = Array<MessageRecord | ServiceError | undefined>;

/** `riddle`: nobody can say whether a record is this message. */
export type Match = { found: MessageRecord } | 'absent' | 'riddle';

/** What differs between single messages, which carry a reference, and bulk, where only the content tells. */
export interface Way<T extends Outgoing> {
	/** Sends one request. @throws ServiceError that holds for all of its messages */
	send(messages: T[]): Promise<Answers>;
	/** Finds a message among the records to its number, as one that was created in the window. */
	recognise(message: T, records: MessageRecord[], window: Window): Match;
	/** Skip If Already Sent: the record of a message that is there already. */
	findEarlier(message: T): Promise<MessageRecord | undefined>;
}

let requestsBegun = 0;

const isDoubtful = ({ entry }: Outgoing) => entry.state === 'doubtful';

/**
 * Brings messages to the service. A request that ended without an answer leaves its messages in doubt: history is
 * asked until it shows them, or until it is improbable that they were taken. Only then, and only where the user
 * lets it, is a message sent again. What stays in doubt is told as unknown, and every later try asks history first.
 */
export class Delivery<T extends Outgoing> {
	private readonly known: KnownAccount;
	private readonly brake = new OutageBrake();
	private readonly history: RecentHistory;
	private readonly undecided: RequestPool;
	private readonly settled = new WeakSet<T>();

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly way: Way<T>,
		mostUndecided: number,
	) {
		this.known = KnownAccount.of(client.account);
		this.history = new RecentHistory(client, this.known);
		this.undecided = new RequestPool(mostUndecided);
		for (const record of ledger.records()) this.known.claim(record, 'answer');
	}

	/** Resolves when the next message may be begun: neither requests nor unknown outcomes pile up. */
	async hasRoom(): Promise<void> {
		await this.client.pool.hasRoom();
		await this.undecided.hasRoom();
	}

	/** Sends messages in one request, and settles each of them. Never rejects. */
	async deliver(messages: T[], isStopped = () => false): Promise<void> {
		await this.undecided
			.run(async () => {
				if (isStopped()) throw new ServiceError('cancelled');
				await this.bring(messages);
			})
			.catch((error: unknown) => this.fail(messages, error as Error));
	}

	private async bring(messages: T[]): Promise<void> {
		for (const message of messages) {
			const { record } = message.entry;
			if (record) this.settle(message, record);
		}
		await this.lookBack(this.left(messages));
		const left = this.left(messages);
		if (left.length > 0) await this.brake.run(async () => await this.sendUntilDecided(left));
	}

	/** History comes first wherever an earlier try, another retry or an earlier execution can have sent a message. */
	private async lookBack(messages: T[]): Promise<void> {
		const fresh = messages.filter(({ entry }) => entry.state === 'open');
		const skipping = fresh.filter(({ isSkipping }) => isSkipping);
		await Promise.all(
			skipping.map(async (message) => {
				const record = await this.way.findEarlier(message);
				if (record) this.accept(message, { ...record, alreadySent: true }, 'history');
			}),
		);
		if (this.ledger.isRetry) await this.findOfOtherRetries(this.left(fresh));
		await this.clearUp(this.left(messages));
	}

	/** A failed execution can be retried several times, each time from the memory of the first. */
	private async findOfOtherRetries(messages: T[]): Promise<void> {
		if (messages.length === 0) return;
		const window = { from: this.ledger.startedAt, to: Date.now() };
		const records = await this.search(messages, window.from).catch((error: unknown) => {
			// Who may not read history could never retry anything.
			if (isPassing(error)) throw error;
			return new Map<string, MessageRecord[]>();
		});
		for (const message of messages) this.match(message, records, window);
	}

	private async sendUntilDecided(messages: T[]): Promise<void> {
		const { acceptances } = this.brake;
		const { mostSends } = deliveryTiming;
		let left = messages;
		let failure: ServiceError | undefined;
		for (let sends = 1; left.length > 0 && sends <= mostSends; sends += 1) {
			failure = await this.send(left);
			await this.clearUp(left, failure, sends < mostSends);
			left = this.left(left);
		}
		const isOutage = failure?.kind === 'unavailable' && this.brake.acceptances === acceptances;
		for (const message of left) this.settleUnclear(message, failure, 'nothing', isOutage);
	}

	/** Sends one request. Gives back why messages of it are in doubt. */
	private async send(messages: T[]): Promise<ServiceError | undefined> {
		const sentAt = Date.now();
		requestsBegun += 1;
		const request = `${sentAt}-${requestsBegun}`;
		for (const { entry, message, from } of messages)
			entry.begin(sentAt, { message, from }, request);
		const answers = await this.way.send(messages).catch(asFailure);
		return this.take(messages, answers, sentAt);
	}

	private take(
		messages: T[],
		answers: Answers | ServiceError,
		sentAt: number,
	): ServiceError | undefined {
		const answeredAt = Date.now();
		if (answers instanceof ServiceError) return this.takeFailure(messages, answers, answeredAt);
		this.brake.noteAcceptance();
		messages.forEach((message, index) => {
			const answer = answers[index];
			if (message.entry.record) return;
			if (answer instanceof ServiceError) {
				message.entry.refuse();
				this.settleWith(message, answer);
			} else if (answer === undefined || this.known.isClaimedByHistory(answer)) {
				// Where an alike message was looked for and took this record, history tells what is left.
				message.entry.doubt(answeredAt, false);
			} else {
				this.known.clock.learnFromRecord(answer, sentAt, answeredAt);
				if (!answer.scheduledAt) this.known.lag.watch(answer, sentAt);
				this.accept(message, answer, 'answer');
			}
		});
		const left = messages.filter(isDoubtful);
		if (left.length === 0) return undefined;
		if (messages.some(({ entry }) => entry.record)) noteRequestTaken(left);
		return new ServiceError('unreadable', {
			words: 'The answer of the service left this recipient out',
			mayHaveActed: true,
		});
	}

	private takeFailure(messages: T[], failure: ServiceError, at: number): ServiceError {
		this.brake.noteFailure(failure);
		this.known.clock.learnFromHeader(failure.facts.serviceTime, at);
		for (const { entry } of messages) {
			if (failure.mayHaveActed) entry.doubt(at, failure.isTimeOut);
			else entry.refuse();
		}
		if (!failure.mayHaveActed) this.fail(messages, failure);
		return failure;
	}

	/**
	 * Asks history for the messages that are in doubt, until it shows them or the doubt is over. What nobody can say
	 * anything of is settled as unknown; what is left may be sent again.
	 * @param isSendingOn whether another request can follow, for which the doubt has to be over
	 */
	private async clearUp(messages: T[], failure?: ServiceError, isSendingOn = true): Promise<void> {
		const riddles = new Set<T>();
		let late: Promise<void> | undefined = failure?.late && this.awaitLate(messages, failure);
		void late?.then(() => (late = undefined));
		let lookedAt = -Infinity;
		for (;;) {
			const left = this.left(messages).filter(isDoubtful);
			if (left.length === 0) return;
			const endedAt = left.reduce((latest, { entry }) => Math.max(latest, entry.endedAt), 0);
			await this.rest(nextLookAt(endedAt, lookedAt), late);
			lookedAt = Date.now();
			const lookFailure = await this.look(left, riddles);
			const undecided = left.filter(isDoubtful);
			const isOver = undecided.every(({ entry, isSentOnce }) =>
				isSendingOn || isSentOnce
					? isDoubtOver(entry, lookedAt, lookFailure ? undefined : this.known.lag)
					: lookedAt - entry.endedAt >= deliveryTiming.evidence.shortestMs,
			);
			if (lookFailure && !canPass(lookFailure)) {
				for (const one of undecided) this.settleUnclear(one, failure ?? lookFailure, 'unreadable');
				return;
			}
			if (!isOver) continue;
			for (const one of undecided) {
				const isRiddle = riddles.has(one);
				const says = lookFailure ? 'unreadable' : isRiddle ? 'riddle' : 'nothing';
				this.conclude(one, failure ?? lookFailure, says);
			}
			return;
		}
	}

	/** What becomes of a message that history did not show in time: unknown, refused, or to be sent again. */
	private conclude(message: T, failure: ServiceError | undefined, says: HistorySays): void {
		const { entry, isSentOnce } = message;
		const { status = 0 } = failure?.facts ?? {};
		if (says !== 'nothing' || isSentOnce || entry.isRequestTaken) {
			this.settleUnclear(message, failure, says);
		} else if (failure && status >= 400 && status < 500) {
			this.settleWith(
				message,
				failure.with({ history: says, waitedMs: Date.now() - entry.endedAt }),
			);
		}
	}

	/** Looks once. Gives back why history could not be read. */
	private async look(messages: T[], riddles: Set<T>): Promise<ServiceError | undefined> {
		const since = messages.reduce(
			(first, { entry }) => Math.min(first, entry.window.from),
			Infinity,
		);
		const records = await this.search(messages, since).catch(asFailure);
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
		if (typeof match === 'object') this.accept(message, match.found, 'history');
		return match;
	}

	/** An answer that comes after the time-out is better than any look. */
	private async awaitLate(messages: T[], { late }: ServiceError): Promise<void> {
		const answers = await late?.catch((error: unknown) => error);
		const isForGood = answers instanceof ServiceError && answers.kind !== 'cancelled';
		const isAnswer = isForGood || Array.isArray(answers);
		if (isAnswer && messages.every(isDoubtful)) {
			this.take(messages, answers as Answers | ServiceError, Date.now());
		}
	}

	private async rest(until: number, late: Promise<void> | undefined): Promise<void> {
		const rest = this.client.pool.rest(Math.max(until - Date.now(), 0));
		await (late ? Promise.race([rest, late]) : rest);
	}

	private accept(message: T, record: MessageRecord, by: 'answer' | 'history'): void {
		message.entry.accept(record);
		this.known.claim(record, by);
		this.brake.noteAcceptance();
		this.settle(message, record);
	}

	private left(messages: T[]): T[] {
		return messages.filter((message) => !this.settled.has(message));
	}

	private settle(message: T, outcome: MessageRecord | Error): void {
		if (this.settled.has(message)) return;
		this.settled.add(message);
		message.settle(outcome);
	}

	private settleWith(message: T, failure: ServiceError): void {
		const { to, clientReference } = message;
		this.settle(message, failure.with({ to, clientReference }));
	}

	private settleUnclear(
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
		const kind = isOutage ? 'unavailable' : 'outcomeUnknown';
		this.settleWith(message, new ServiceError(kind, facts));
	}

	private fail(messages: T[], failure: Error): void {
		for (const message of messages) {
			if (failure instanceof ServiceError) this.settleWith(message, failure);
			else this.settle(message, failure);
		}
	}
}

/** One of the messages of a request is known to have been taken, so the request was. */
function noteRequestTaken(messages: Outgoing[]): void {
	for (const { entry } of messages) entry.noteRequestTaken();
}

/** A gateway points elsewhere for a while; the doubt lasts long enough to see whether it goes on. */
function canPass(lookFailure: ServiceError): boolean {
	return isPassing(lookFailure) || lookFailure.kind === 'redirected';
}

function asFailure(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	throw error;
}
