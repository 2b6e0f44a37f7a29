import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { asServiceError, type HistorySays, isUnknown, ServiceError } from '../client/failure';
import type { MessageRecord } from '../client/types';
import { AccountMemory, keyOf, Recognition } from './records';
import type { Ledger } from './ledger';
import { AlreadySent } from './alreadySent';
import { groupBy, type Lookup } from './history';
import { DoubtPoller } from './doubtPoller';
import type { Event } from './message';
import {
	divide,
	isInDoubt,
	isUndecided,
	toBatches,
	toRounds,
	type Channel,
	type Outgoing,
	type Responses,
} from './Outgoing';
import { deliveryTiming } from './timing';

let requestsBegun = 0;

/** For how many others of its request a record in history speaks: it may be that of another n8n process. */
const mostPerRecord = 9;

/**
 * Delivers the messages of a run to the service, each once. `message.ts` decides about each message; here is what is
 * done for it. The `outcome` of each message is set and reported once.
 */
export class Delivery {
	/** Lookups before messages are sent. */
	readonly alreadySent: AlreadySent;
	private readonly account: AccountMemory;
	private readonly recognition: Recognition;
	/** Lookups of messages in doubt. */
	private readonly poller: DoubtPoller;
	/** How many messages of a request history has shown. */
	private readonly shown = new Map<string, number>();
	private failuresInARow = 0;
	private hasAccepted = false;
	/** Of bulk requests, and of the parts in which they are sent again. */
	private rejectionsInARow = 0;
	private readonly begun = new Set<Promise<void>>();
	private isStopped = false;
	private letOthersBegin: () => void = () => undefined;
	/** The first batch goes alone until a response shows that the service does not reject all of them. */
	private readonly othersMayBegin = new Promise<void>((resolve) => (this.letOthersBegin = resolve));
	/** Set once the service rejects all messages of the run. */
	private rejection?: ServiceError;

	/** @param onDecided called once for each message */
	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly channel: Channel,
		private readonly onDecided: (message: Outgoing) => void = () => undefined,
	) {
		this.account = new AccountMemory(client.account);
		this.recognition = new Recognition(this.account, ledger, channel);
		this.alreadySent = new AlreadySent(client, ledger, channel, this.recognition);
		this.poller = new DoubtPoller(client, ledger.now, (...told) => this.noteLookup(...told));
	}

	/** Starts no further messages. */
	stop(): void {
		this.isStopped = true;
	}

	/** Decides all messages. Never rejects. */
	async deliver(messages: Outgoing[]): Promise<void> {
		const { account } = this.client;
		this.recognition.expect(messages);
		for (const message of messages) this.note(message, { is: 'begun', account });
		if (this.client.isWatched) this.tellRepeatedClicks(messages);
		const found = await this.alreadySent.find(messages).catch((error: Error) => error);
		if (found instanceof Error)
			return this.giveUp(messages, toFailureBeforeSend(found), 'unreadable');
		for (const [message, record] of found) {
			if (record instanceof Error) this.giveUp([message], record);
			else this.accept(message, record);
		}
		for (const round of toRounds(messages.filter(isUndecided), (one) => keyOf(one, this.channel))) {
			const doubtful = round.filter(isInDoubt);
			const open = round.filter((message) => !isInDoubt(message));
			const earlier = this.poller
				.settle(doubtful)
				.catch((error: Error) => this.giveUp(doubtful, error));
			await this.bringAll(open);
			await earlier;
			await this.bringAll(doubtful.filter(isUndecided));
		}
	}

	/** Brings messages to the service in batches, each as soon as a slot is free. */
	private async bringAll(messages: Outgoing[]): Promise<void> {
		const { batchSize, pauseMs } = this.channel;
		const { pool } = this.client;
		for (const batch of toBatches(messages, batchSize)) {
			if (batch.length > 1 && this.begun.size > 0) await this.othersMayBegin;
			await this.waitForRoom();
			const key = batch[0].isUsersReference ? keyOf(batch[0], this.channel) : undefined;
			const bringing = (
				key === undefined ? this.bring(batch) : this.bringInTurn(batch[0], key)
			).catch((error: Error) => this.giveUp(batch, error));
			this.begun.add(bringing);
			void bringing.then(() => {
				this.begun.delete(bringing);
				this.letOthersBegin();
			});
			// Stopping the execution ends the pause; the next request then fails as cancelled.
			if (pauseMs > 0) await pool.rest(pauseMs).catch(() => undefined);
		}
		await Promise.all(this.begun);
	}

	/** Nobody should watch for minutes how a service is down that has accepted nothing yet. */
	private get isWatched(): boolean {
		return this.client.isWatched && !this.hasAccepted;
	}

	private get isOutage(): boolean {
		return this.failuresInARow >= (this.isWatched ? 1 : deliveryTiming.outageAfter);
	}

	/** A message that a click left in doubt may still be accepted, so the next click sends it only after that time. */
	private tellRepeatedClicks(messages: Outgoing[]): void {
		for (const message of messages) {
			const unknown = isInDoubt(message) ? undefined : this.account.findClick(message.request);
			if (unknown) this.giveUp([message], unknown);
		}
	}

	/** During an outage, batches already started must end first, so that it can't leave thousands in doubt. */
	private async waitForRoom(): Promise<void> {
		await this.client.pool.waitForRoom();
		while (this.isOutage && this.begun.size > 0) {
			await Promise.race(this.begun);
			await this.client.pool.waitForRoom();
		}
	}

	/**
	 * One send at a time per user's reference and phone number in this process: history can't tell two apart. Skip If
	 * Already Sent: what the one before has sent, or may have sent, is not sent again.
	 */
	private async bringInTurn(message: Outgoing, key: string): Promise<void> {
		const scheduledAt = this.client.toInstant(message.request.scheduledAt);
		const own = { scope: this.ledger.scope, by: this, scheduledAt };
		await this.account.takeTurn(key, own, async (ended) => {
			const before = ended && (await this.client.pool.waitFor(ended));
			const isSkipped = message.isSkipping && before !== undefined;
			if (isSkipped && isUnknown(before)) this.giveUp([message], before);
			else if (isSkipped && !(before instanceof Error))
				this.accept(message, { ...before, alreadySent: true });
			else {
				await this.bring([message]).catch((error: Error) => this.giveUp([message], error));
				return message.outcome;
			}
			return undefined;
		});
	}

	/**
	 * Brings the messages of a batch to the service until all are decided. A rejected request is sent again in parts,
	 * each rejected part one by one, whatever the words: one wrong message of a hundred takes 21 requests, twenty 211.
	 */
	private async bring(batch: Outgoing[]): Promise<void> {
		if (this.isOutage)
			throw new ServiceError('unavailable', { code: 'heldBack', requests: this.failuresInARow });
		const parts = [batch];
		for (let part = parts.shift(); part; part = parts.shift()) {
			const failure = await this.send(part, part === batch);
			if (!failure?.isOfMessages) this.letOthersBegin();
			await this.poller.settle(part);
			const left = part.filter(isUndecided);
			if (!failure?.isOfMessages || batch.length === 1) {
				if (left.length > 0) parts.unshift(left);
				continue;
			}
			this.rejectionsInARow += 1;
			parts.unshift(...divide(left, part === batch));
			if (this.rejectionsInARow < deliveryTiming.mostRejections) continue;
			const requests = this.rejectionsInARow;
			const rejection = failure.with({ code: 'rejectedInARow', requests });
			if (this.ledger.records().length === 0) this.rejection = rejection;
			return this.giveUp(parts.flat(), rejection);
		}
	}

	/** Sends one request. @returns its failure */
	private async send(part: Outgoing[], isFirst: boolean): Promise<ServiceError | undefined> {
		const { account, pool } = this.client;
		return await pool.run(async () => {
			if (this.rejection) throw this.rejection;
			if (isFirst && this.isStopped) throw new ServiceError('cancelled');
			const sentAt = this.ledger.now();
			requestsBegun += 1;
			for (const message of part) {
				const { message: text, from, scheduledAt, test, encrypt } = message.request;
				const own = message.isUsersReference && {
					clientReference: message.request.clientReference,
				};
				const sent = { message: text, from, scheduledAt, test, encrypt, ...own, account };
				this.note(message, { is: 'sent', sent, request: `${sentAt}-${requestsBegun}` });
			}
			const responses = await this.channel.send(part).catch(asServiceError);
			const isFailure = responses instanceof ServiceError;
			if (!isFailure || responses.mayHaveActed || responses.isOfMessages)
				this.ledger.noteAccount(account);
			if (isFailure) return this.noteFailure(part, responses);
			this.noteResponses(part, responses);
			return undefined;
		});
	}

	/** Other runs of this process leave its record to a message that has been sent and is undecided. */
	private reserve(message: Outgoing): () => void {
		const isOf = (record: MessageRecord) => {
			const likeness = this.recognition.compare(message, record, true);
			return likeness === 'certain' || (likeness !== 'other' && !isInDoubt(message));
		};
		return this.account.reserve({ scope: this.ledger.scope, to: message.request.to, isOf });
	}

	private noteFailure(part: Outgoing[], failure: ServiceError): ServiceError {
		if (failure.isOfService) this.failuresInARow += 1;
		const is = failure.isUnclearFor(part.length) ? 'unclear' : 'rejected';
		for (const message of part) this.note(message, { is, failure });
		return failure;
	}

	/** What a response shows as accepted is never sent again, even if it is not clear which message is whose. */
	private noteResponses(part: Outgoing[], { each, isAccepted }: Responses): void {
		this.failuresInARow = 0;
		const failure = new ServiceError('unreadable', { mayHaveActed: true });
		part.forEach((message, index) => {
			const response = each[index];
			if (response instanceof ServiceError)
				this.note(message, { is: 'rejected', failure: response });
			else if (response) {
				this.recognition.claim(response, false);
				this.poller.noteNew(response);
				this.accept(message, response);
			} else this.note(message, { is: 'unclear', failure });
		});
		if (!isAccepted) return;
		this.rejectionsInARow = 0;
		for (const message of part) this.note(message, { is: 'othersAccepted' });
	}

	private noteLookup(doubtful: Outgoing[], lookup: Lookup | ServiceError, at: number): void {
		if (lookup instanceof ServiceError) {
			const event: Event = { is: 'notSeen', says: 'unreadable', failure: lookup };
			for (const message of doubtful) this.note(message, event, at);
			return;
		}
		const unseen: Array<[Outgoing, HistorySays]> = [];
		for (const message of doubtful) {
			const { window, saved } = message.entry;
			const match = this.recognition.match(message, lookup, window, true);
			if (typeof match === 'string') {
				unseen.push([message, match === 'uncertain' ? match : 'nothing']);
			} else {
				const request = String(saved.request);
				this.shown.set(request, (this.shown.get(request) ?? 0) + 1);
				this.recognition.claim(match.found, true);
				this.accept(message, match.found);
			}
		}
		const left = groupBy(unseen, ([{ entry }]) => String(entry.saved.request));
		for (const [request, others] of left) {
			const isAccepted = others.length <= mostPerRecord * (this.shown.get(request) ?? 0);
			for (const [message, says] of others) {
				if (isAccepted) this.note(message, { is: 'othersAccepted' });
				const earlier = this.recognition.findEarlier(message, lookup, at);
				const isSure = !(earlier instanceof Error);
				const sentSince = isSure ? earlier : undefined;
				this.note(message, { is: 'notSeen', says: isSure ? says : 'uncertain', sentSince }, at);
				if (sentSince && message.outcome === sentSince) this.recognition.use(sentSince);
			}
		}
	}

	private accept(message: Outgoing, record: MessageRecord): void {
		this.failuresInARow = 0;
		this.hasAccepted = true;
		this.note(message, { is: 'accepted', record });
	}

	private giveUp(messages: Outgoing[], failure: Error, says?: HistorySays): void {
		for (const message of messages) this.note(message, { is: 'stopped', failure, says });
	}

	private note(message: Outgoing, event: Event, now?: number): void {
		if (!isUndecided(message)) return;
		const { entry, request, isSentOnce } = message;
		const next = entry.note(event, now, { isSentOnce, isWatched: this.isWatched });
		if (entry.state !== 'open') message.release ??= this.reserve(message);
		message.pollAt = typeof next === 'object' && 'pollAt' in next ? next.pollAt : undefined;
		if (typeof next === 'string' || !('tell' in next)) return;
		const { to, clientReference } = request;
		const { tell } = next;
		if (this.client.isWatched && event.is === 'unclear' && tell instanceof ServiceError)
			this.account.noteClick(request, tell, entry.inDoubtUntil);
		message.outcome = tell instanceof ServiceError ? tell.with({ to, clientReference }) : tell;
		message.release?.();
		this.onDecided(message);
	}
}

/** A lookup that failed before the messages were sent. */
function toFailureBeforeSend(failure: Error): Error {
	return failure instanceof ServiceError
		? failure.with({ isBeforeSend: true, mayHaveActed: false })
		: failure;
}
