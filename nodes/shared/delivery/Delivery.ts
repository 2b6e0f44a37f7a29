import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import {
	asServiceError,
	isAboutMessages,
	ServiceError,
	type HistorySays,
} from '../client/ServiceError';
import type { MessageRecord } from '../client/types';
import { digitsOf } from '../validation/recipient';
import { AccountMemory } from './AccountMemory';
import { findZone, listZones } from './createdAt';
import { Doubts, type Judge } from './Doubts';
import { halve, sendInParts } from './halves';
import type { Ledger } from './ledger';
import { LookBack } from './LookBack';
import { lookUp, type Lookup } from './lookUp';
import {
	isInDoubt,
	isUndecided,
	toBatches,
	toRounds,
	toOutcomeUnknown,
	type Channel,
	type Outgoing,
	type Responses,
} from './Outgoing';
import { Recognition } from './Recognition';
import { deliveryTiming } from './timing';

let requestsBegun = 0;

/**
 * Brings the messages of a run to the service, each of them once. A request that ended without a clear response leaves
 * its messages in doubt (`Doubts`). What is decided of a message is told once, as its `outcome`.
 */
export class Delivery implements Judge {
	/** What history says of messages before they are sent. */
	readonly lookBack: LookBack;
	private readonly account: AccountMemory;
	private readonly recognition: Recognition;
	/** Requests that the service has accepted, and how many have failed in a row since. */
	private acceptances = 0;
	private failuresInARow = 0;
	private readonly begun = new Set<Promise<void>>();
	private readonly doubts: Doubts;
	/** In which the service can write times: all that are known, until a response of this run tells which one it is. */
	zones: string[];
	private isStopped = false;
	/** Whether the service has accepted a request of this run. */
	private isAccepting = false;
	/** The service refuses all messages of the run. */
	private refusal?: ServiceError;
	private separating: Promise<void> = Promise.resolve();

	/** @param onDecided called once for each message */
	constructor(
		private readonly client: MessagingServiceClient,
		ledger: Ledger,
		private readonly channel: Channel,
		private readonly onDecided: (message: Outgoing) => void = () => undefined,
	) {
		this.account = AccountMemory.of(client.account);
		this.recognition = new Recognition(this.account, ledger.scope, channel, ledger.records());
		this.lookBack = new LookBack(client, ledger, channel, this.recognition);
		this.zones = listZones(client.serviceTimeZone);
		this.doubts = new Doubts(client, this);
	}

	/** Begins no further request. */
	stop(): void {
		this.isStopped = true;
	}

	/** Decides all messages. Never rejects. */
	async deliver(messages: Outgoing[]): Promise<void> {
		for (const message of messages) this.recall(message);
		const found = await this.lookBack.find(messages).catch((error: Error) => error);
		if (found instanceof Error) return this.fail(messages, found);
		for (const [message, record] of found) {
			if (record instanceof Error) this.fail([message], record);
			else this.accept(message, record);
		}
		for (const round of toRounds(messages.filter(isUndecided), this.channel.keyOf)) {
			const doubtful = round.filter(isInDoubt);
			const earlier = this.doubts
				.settle(doubtful)
				.catch((error: Error) => this.fail(doubtful, error));
			await this.sendAll(round.filter((message) => !isInDoubt(message)));
			await earlier;
			await this.sendAll(doubtful.filter(isUndecided));
		}
	}

	/** What the memory of the execution tells without history. */
	private recall(message: Outgoing): void {
		const { record, state, saved } = message.entry;
		const { account } = this.client;
		if (record) this.decide(message, record);
		else if (state === 'inDoubt' && (saved.sent?.account ?? account) !== account)
			this.reportUnknown(message, undefined, 'otherAccount');
	}

	/** For `Doubts`. */
	recognise(message: Outgoing, lookup: Lookup): 'found' | 'uncertain' | 'absent' {
		const match = this.recognition.match(message, lookup, message.entry.window, true);
		if (typeof match === 'string') return match;
		this.recognition.take(match.found, true);
		this.accept(message, match.found);
		return 'found';
	}

	/** Sends messages in requests of the right size, as soon as there is room for each. */
	private async sendAll(messages: Outgoing[]): Promise<void> {
		const { batchSize, pauseMs } = this.channel;
		const { pool } = this.client;
		for (const batch of toBatches(messages, batchSize)) {
			if (!this.isAccepting) await this.separating;
			await this.waitForRoom();
			const bringing = this.bring(batch).catch((error: Error) => this.giveUp(batch, error));
			this.begun.add(bringing);
			void bringing.then(() => this.begun.delete(bringing));
			// A stopped execution ends the pause; the requests themselves then find out.
			if (pauseMs > 0) await pool.rest(pauseMs).catch(() => undefined);
		}
		await Promise.all(this.begun);
	}

	private get isOutage(): boolean {
		return this.failuresInARow >= deliveryTiming.outageAfter;
	}

	/** An outage is not to leave thousands in doubt: until a message is accepted, those before are waited for. */
	private async waitForRoom(): Promise<void> {
		await this.client.pool.waitForRoom();
		while (this.isOutage && this.begun.size > 0) {
			await Promise.race(this.begun);
			await this.client.pool.waitForRoom();
		}
	}

	private async bring(batch: Outgoing[]): Promise<void> {
		if (this.isStopped) throw new ServiceError('cancelled');
		if (this.isOutage) throw new ServiceError('unavailable', { code: 'heldBack' });
		const [first] = batch;
		if (!first.isUsersReference) return await this.sendUntilDecided(batch);
		await this.sendInTurn(first, this.channel.keyOf(first) ?? '');
	}

	/** A reference to a number is in flight once in this process: nothing would tell two of them apart. */
	private async sendInTurn(message: Outgoing, key: string): Promise<void> {
		const before = this.account.findSend(key);
		const sending = (async () => {
			const duplicate = await before;
			if (message.isSkipping && duplicate) await this.followDuplicate(message, duplicate);
			if (isUndecided(message)) await this.sendUntilDecided([message]);
		})().catch((error: Error) => this.fail([message], error));
		const ended = sending.then(() => message.outcome ?? new ServiceError('cancelled'));
		this.account.noteSend(key, ended, this.client.toInstant(message.request.scheduledAt));
		await sending;
	}

	/** Skip If Already Sent, where another execution has sent the same a moment ago. */
	private async followDuplicate(
		message: Outgoing,
		duplicate: MessageRecord | Error,
	): Promise<void> {
		if (!(duplicate instanceof Error))
			return this.accept(message, { ...duplicate, alreadySent: true });
		// Whether the duplicate was accepted, and this message is to be skipped, nobody knows.
		if (!(duplicate instanceof ServiceError) || !duplicate.mayHaveActed) return;
		const lookup = await lookUp(this.client, new Set([digitsOf(message.request.to)]));
		const earlier = this.recognition.findEarlier(message, lookup, Date.now());
		if (!earlier || earlier instanceof Error) throw earlier ?? duplicate;
		this.accept(message, { ...earlier, alreadySent: true });
	}

	private async sendUntilDecided(batch: Outgoing[]): Promise<void> {
		const { acceptances } = this;
		let failure: ServiceError | undefined;
		for (let sends = 1; sends <= deliveryTiming.mostSends; sends += 1) {
			const left = batch.filter(isUndecided);
			if (left.length === 0) return;
			failure = await this.send(left, sends === 1);
			if (failure && this.isToSeparate(left, failure)) return await this.separate(left, failure);
			await this.doubts.settle(left, { failure });
		}
		// It responded, and accepted nothing of this run: a cut connection or a time-out says less.
		const isRefusing =
			failure?.kind === 'unavailable' && !failure.isTimeOut && failure.facts.status !== undefined;
		const isOutage = isRefusing && this.acceptances === acceptances;
		for (const message of batch.filter(isUndecided))
			this.reportUnknown(message, failure, 'nothing', isOutage);
	}

	/**
	 * A refused request is sent again in halves, until the refused messages stand alone and the others are accepted. That
	 * history shows one of its messages means that it was accepted all the same.
	 */
	private async separate(batch: Outgoing[], refusal: ServiceError): Promise<void> {
		const { refusalLookMs, doubtLastsMs } = deliveryTiming;
		const isReported = batch.some(({ isSentOnce }) => isSentOnce);
		const refusedForMs = isReported ? doubtLastsMs : refusalLookMs;
		const before = this.separating;
		const own = (async () => {
			await this.doubts.settle(batch, { failure: refusal, refusedForMs });
			const left = batch.filter(isUndecided);
			for (const { entry } of left) entry.refuse();
			// Until one is accepted, a single request at a time finds out whether all are refused.
			if (!this.isAccepting) await before;
			const rest = await sendInParts(
				halve(left),
				refusal,
				async (part) => await this.sendPart(part),
			);
			if (rest && !this.isAccepting) this.refusal = rest.failure;
			if (rest) this.fail(rest.messages, rest.failure);
		})();
		this.separating = own.catch(() => undefined);
		await own;
	}

	/** @returns the refusal of a part that can be divided further, or stands alone */
	private async sendPart(part: Outgoing[]): Promise<ServiceError | undefined> {
		const failure = await this.send(part, false);
		if (failure && isAboutMessages(failure)) {
			for (const { entry } of part) if (entry.state === 'inDoubt') entry.refuse();
			return failure;
		}
		await this.doubts.settle(part, { failure });
		await this.sendUntilDecided(part);
		return undefined;
	}

	private isToSeparate(messages: Outgoing[], failure: ServiceError): boolean {
		return messages.length > 1 && isAboutMessages(failure);
	}

	/** Sends one request. @returns why messages of it are undecided */
	private async send(wanted: Outgoing[], isFirst: boolean): Promise<ServiceError | undefined> {
		const { account, pool } = this.client;
		return await pool.run(async () => {
			if (this.refusal) throw this.refusal;
			if (isFirst && this.isStopped) throw new ServiceError('cancelled');
			const sentAt = Date.now();
			requestsBegun += 1;
			for (const { entry, request } of wanted) {
				const { message, from, scheduledAt, test } = request;
				const sent = { message, from, scheduledAt, test, account };
				entry.begin(sentAt, sent, `${sentAt}-${requestsBegun}`);
			}
			const responses = await this.channel.send(wanted).catch(asServiceError);
			return responses instanceof ServiceError
				? this.noteFailure(wanted, responses)
				: this.noteResponses(wanted, responses);
		});
	}

	private noteResponses(messages: Outgoing[], responses: Responses): ServiceError | undefined {
		this.noteAcceptance();
		messages.forEach((message, index) => {
			const response = responses[index];
			if (response instanceof ServiceError) {
				message.entry.refuse();
				this.fail([message], response);
			} else if (response && this.recognition.take(response, false)) {
				this.isAccepting = true;
				this.accept(message, response);
				this.learnZone(response);
			} else {
				// A record that another run has found in history belongs to that run.
				message.entry.doubt(Date.now(), false);
			}
		});
		const left = messages.filter(isUndecided);
		if (left.length === 0) return undefined;
		const isAccepted = messages.some(({ entry }) => entry.record);
		if (isAccepted) for (const { entry } of left) entry.noteRequestAccepted();
		return new ServiceError('unreadable', {
			words: 'The response of the service left this recipient out',
			mayHaveActed: true,
		});
	}

	private noteAcceptance(): void {
		this.acceptances += 1;
		this.failuresInARow = 0;
	}

	private learnZone({ createdAt }: MessageRecord): void {
		const zone = this.zones.length > 1 ? findZone(this.zones, createdAt) : undefined;
		if (zone) this.zones = [zone];
	}

	private noteFailure(messages: Outgoing[], failure: ServiceError): ServiceError {
		const isOfService = ['unavailable', 'rateLimited'].includes(failure.kind);
		if (failure.mayHaveActed || isOfService) this.failuresInARow += 1;
		const isOpen = failure.mayHaveActed || this.isToSeparate(messages, failure);
		for (const { entry } of messages) {
			if (isOpen) entry.doubt(Date.now(), failure.isTimeOut);
			else entry.refuse();
		}
		if (!isOpen) this.fail(messages, failure);
		return failure;
	}

	private accept(message: Outgoing, record: MessageRecord): void {
		message.entry.accept(record);
		this.noteAcceptance();
		this.decide(message, record);
	}

	private decide(message: Outgoing, outcome: MessageRecord | Error): void {
		if (!isUndecided(message)) return;
		message.outcome = outcome;
		this.onDecided(message);
	}

	private fail(messages: Outgoing[], failure: Error): void {
		for (const message of messages) {
			const { to, clientReference } = message.request;
			const isOfService = failure instanceof ServiceError;
			this.decide(message, isOfService ? failure.with({ to, clientReference }) : failure);
		}
	}

	/** What an earlier request has left in doubt is not said to be unsent. */
	private giveUp(messages: Outgoing[], failure: Error): void {
		const isKnown = !(failure instanceof ServiceError) || failure.kind === 'cancelled';
		for (const message of messages) {
			if (isKnown || !isInDoubt(message)) this.fail([message], failure);
			else this.reportUnknown(message, failure, 'nothing');
		}
	}

	/** @param isOutage whether the service accepted no other message either */
	reportUnknown(
		message: Outgoing,
		failure: ServiceError | undefined,
		says: HistorySays,
		isOutage = false,
	): void {
		this.fail([message], toOutcomeUnknown(message, failure, says, isOutage));
	}
}
