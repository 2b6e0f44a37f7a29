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
import { findZone, listZones, readWallTime } from './createdAt';
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
 * Delivers the messages of a run to the service, each once. A request without a clear response leaves its messages
 * in doubt (`Doubts`). The `outcome` of each message is set and reported once.
 */
export class Delivery implements Judge {
	/** Of the run: the same in every attempt. */
	readonly scope: string;
	/** Lookups before messages are sent. */
	readonly lookBack: LookBack;
	private readonly account: AccountMemory;
	private readonly recognition: Recognition;
	private failuresInARow = 0;
	private readonly begun = new Set<Promise<void>>();
	private readonly doubts: Doubts;
	/** Time zones in which the service may write times: all known ones until a response of this run shows which. */
	zones: string[];
	private isStopped = false;
	/** Whether a response has accepted a message of this run. */
	private isAccepting = false;
	/** Set once the service rejects all messages of the run. */
	private rejection?: ServiceError;
	private separating: Promise<void> = Promise.resolve();

	/** @param onDecided called once for each message */
	constructor(
		private readonly client: MessagingServiceClient,
		ledger: Ledger,
		private readonly channel: Channel,
		private readonly onDecided: (message: Outgoing) => void = () => undefined,
	) {
		this.scope = ledger.scope;
		this.account = AccountMemory.of(client.account);
		this.recognition = new Recognition(this.account, ledger.scope, channel, ledger.records());
		this.lookBack = new LookBack(client, ledger, channel, this.recognition);
		this.zones = listZones(client.serviceTimeZone);
		this.doubts = new Doubts(client, this);
	}

	/** Starts no further messages. */
	stop(): void {
		this.isStopped = true;
	}

	/** Decides all messages. Never rejects. */
	async deliver(messages: Outgoing[]): Promise<void> {
		for (const message of messages) this.recall(message);
		const found = await this.lookBack.find(messages).catch((error: Error) => error);
		if (found instanceof Error)
			return this.fail(messages, toFailureBeforeSend(found), 'unreadable');
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

	/** Decides a message from the memory of the execution, without a lookup. */
	private recall(message: Outgoing): void {
		const { record, state, saved } = message.entry;
		const { account } = this.client;
		if (record) this.decide(message, record);
		else if (state === 'inDoubt' && (saved.sent?.account ?? account) !== account)
			this.reportUnknown(message, undefined, 'otherAccount');
	}

	recognise(message: Outgoing, lookup: Lookup): 'found' | 'uncertain' | 'absent' {
		const match = this.recognition.match(message, lookup, message.entry.window, true);
		if (typeof match === 'string') return match;
		this.recognition.claim(match.found, true);
		this.accept(message, match.found);
		return 'found';
	}

	/** Sends messages in batches, each as soon as a slot is free. */
	private async sendAll(messages: Outgoing[]): Promise<void> {
		const { batchSize, pauseMs } = this.channel;
		const { pool } = this.client;
		for (const batch of toBatches(messages, batchSize)) {
			if (!this.isAccepting) await this.separating;
			await this.waitForRoom();
			const bringing = this.bring(batch).catch((error: Error) => this.fail(batch, error));
			this.begun.add(bringing);
			void bringing.then(() => this.begun.delete(bringing));
			// Stopping the execution ends the pause; the next request then fails as cancelled.
			if (pauseMs > 0) await pool.rest(pauseMs).catch(() => undefined);
		}
		await Promise.all(this.begun);
	}

	private get isOutage(): boolean {
		return this.failuresInARow >= deliveryTiming.outageAfter;
	}

	/** During an outage, batches already started must end first, so that it can't leave thousands in doubt. */
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

	/** One send at a time per user's reference and phone number in this process: history can't tell two apart. */
	private async sendInTurn(message: Outgoing, key: string): Promise<void> {
		const before = this.account.findSend(key, { scope: this.scope, attempt: this });
		const sending = (async () => {
			const duplicate = before && (await this.client.pool.waitFor(before));
			if (message.isSkipping && duplicate) await this.followDuplicate(message, duplicate);
			if (isUndecided(message)) await this.sendUntilDecided([message]);
		})().catch((error: Error) => this.fail([message], error));
		const ended = sending.then(() => message.outcome ?? new ServiceError('cancelled'));
		const scheduledAt = this.client.toInstant(message.request.scheduledAt);
		this.account.noteSend(key, { ended, scope: this.scope, by: this, scheduledAt });
		await sending;
	}

	/** Skip If Already Sent: another execution has just sent the same message. */
	private async followDuplicate(
		message: Outgoing,
		duplicate: MessageRecord | Error,
	): Promise<void> {
		if (!(duplicate instanceof Error))
			return this.accept(message, { ...duplicate, alreadySent: true });
		// Only a duplicate in doubt needs a lookup; one that was not accepted doesn't count.
		if (!(duplicate instanceof ServiceError) || !duplicate.mayHaveActed) return;
		const lookup = await lookUp(this.client, new Set([digitsOf(message.request.to)])).catch(
			(error: Error) => {
				throw toFailureBeforeSend(error);
			},
		);
		const earlier = this.recognition.findEarlier(message, lookup, Date.now());
		if (!earlier || earlier instanceof Error) throw earlier ?? duplicate;
		this.accept(message, { ...earlier, alreadySent: true });
	}

	/** @param isPart whether the batch is part of one that is being separated, and so must not wait for it */
	private async sendUntilDecided(batch: Outgoing[], isPart = false): Promise<void> {
		let failure: ServiceError | undefined;
		for (let isFirst = !isPart; ; isFirst = false) {
			const left = batch.filter(isToSend);
			if (left.length === 0) break;
			failure = await this.send(left, isFirst);
			if (failure && this.isToSeparate(left, failure))
				return isPart ? await this.sendHalves(left, failure) : await this.separate(left, failure);
			await this.doubts.settle(left, { failure });
		}
		for (const message of batch.filter(isUndecided))
			this.reportUnknown(message, failure, 'nothing');
	}

	/** Until a message is accepted, separates one batch at a time: the service may reject all of them. */
	private async separate(batch: Outgoing[], rejection: ServiceError): Promise<void> {
		const own = this.sendHalves(batch, rejection, this.separating);
		this.separating = own.catch(() => undefined);
		await own;
	}

	/**
	 * Sends a rejected request again in halves until rejected messages stand alone and the others are accepted.
	 * @param before ends before the first half is sent
	 */
	private async sendHalves(
		batch: Outgoing[],
		rejection: ServiceError,
		before?: Promise<void>,
	): Promise<void> {
		await this.reopen(batch, rejection);
		if (!this.isAccepting) await before;
		const rest = await sendInParts(
			halve(batch.filter(isUndecided)),
			rejection,
			async (part) => await this.sendPart(part),
		);
		if (rest && !this.isAccepting) this.rejection = rest.failure;
		if (rest) this.fail(rest.messages, rest.failure);
	}

	/** Opens the messages of a rejected request again. If history shows one of them, the request was accepted after all. */
	private async reopen(batch: Outgoing[], rejection: ServiceError): Promise<void> {
		const { rejectionLookMs, doubtLastsMs } = deliveryTiming;
		const isReported = batch.some(({ isSentOnce }) => isSentOnce);
		const rejectedForMs = isReported ? doubtLastsMs : rejectionLookMs;
		await this.doubts.settle(batch, { failure: rejection, rejectedForMs });
		for (const { entry } of batch.filter(isUndecided)) entry.reject();
	}

	/** @returns the rejection if it is about the messages of the part; `undefined` once they are decided otherwise */
	private async sendPart(part: Outgoing[]): Promise<ServiceError | undefined> {
		const failure = await this.send(part, false);
		if (failure && isAboutMessages(failure)) {
			await this.reopen(part.filter(isUndecided), failure);
			return failure;
		}
		await this.doubts.settle(part, { failure });
		await this.sendUntilDecided(part, true);
		return undefined;
	}

	private isToSeparate(messages: Outgoing[], failure: ServiceError): boolean {
		return messages.length > 1 && isAboutMessages(failure);
	}

	/** Sends one request. @returns its failure, or why some of its messages are undecided */
	private async send(wanted: Outgoing[], isFirst: boolean): Promise<ServiceError | undefined> {
		const { account, pool } = this.client;
		return await pool.run(async () => {
			if (this.rejection) throw this.rejection;
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
		this.failuresInARow = 0;
		messages.forEach((message, index) => {
			const response = responses[index];
			if (response instanceof ServiceError) {
				message.entry.reject();
				this.fail([message], response);
			} else if (response && this.recognition.claim(response, false)) {
				this.isAccepting = true;
				this.accept(message, response);
				this.learnZone(response);
			} else {
				// The response left the message out, or another run has found its record in history.
				message.entry.doubt(Date.now(), false);
			}
		});
		const left = messages.filter(isUndecided);
		if (left.length === 0) return undefined;
		const isAccepted = messages.some(({ entry }) => entry.record);
		if (isAccepted) for (const { entry } of left) entry.noteRequestAccepted();
		return new ServiceError('unreadable', {
			note: 'The response of the service left this recipient out.',
			mayHaveActed: true,
		});
	}

	/** A service whose times fit no known zone dates nothing in a way that could be relied on. */
	private learnZone({ createdAt }: MessageRecord): void {
		if (readWallTime(createdAt) === undefined) return;
		const zone = findZone(this.zones, createdAt);
		this.zones = zone === undefined ? [] : [zone];
	}

	private noteFailure(messages: Outgoing[], failure: ServiceError): ServiceError {
		const isOfService = ['unavailable', 'rateLimited'].includes(failure.kind);
		if (failure.mayHaveActed || isOfService) this.failuresInARow += 1;
		const isOpen = failure.mayHaveActed || this.isToSeparate(messages, failure);
		for (const { entry } of messages) {
			if (isOpen) entry.doubt(Date.now(), failure.isTimeOut);
			else entry.reject();
		}
		if (!isOpen) this.fail(messages, failure);
		return failure;
	}

	private accept(message: Outgoing, record: MessageRecord): void {
		message.entry.accept(record);
		this.failuresInARow = 0;
		this.decide(message, record);
	}

	private decide(message: Outgoing, outcome: MessageRecord | Error): void {
		if (!isUndecided(message)) return;
		message.outcome = outcome;
		this.onDecided(message);
	}

	/** A message that an earlier request left in doubt is never reported as not sent. */
	private fail(messages: Outgoing[], failure: Error, says: HistorySays = 'nothing'): void {
		for (const message of messages) {
			if (!(failure instanceof ServiceError)) this.decide(message, failure);
			else if (isInDoubt(message)) this.reportUnknown(message, failure, says);
			else this.decide(message, failure.with(namesOf(message)));
		}
	}

	reportUnknown(message: Outgoing, failure: ServiceError | undefined, says: HistorySays): void {
		this.decide(message, toOutcomeUnknown(message, failure, says).with(namesOf(message)));
	}
}

function isToSend(message: Outgoing): boolean {
	return isUndecided(message) && message.entry.unclear < deliveryTiming.mostSends;
}

function namesOf({ request: { to, clientReference } }: Outgoing) {
	return { to, clientReference };
}

/** A lookup that failed before the messages were sent. */
function toFailureBeforeSend(failure: Error): Error {
	return failure instanceof ServiceError
		? failure.with({ isBeforeSend: true, mayHaveActed: false })
		: failure;
}
