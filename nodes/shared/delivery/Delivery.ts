import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import {
	asServiceError,
	type HistorySays,
	isCancelled,
	isUnknown,
	ServiceError,
} from '../client/failure';
import type { MessageRecord } from '../client/types';
import { AccountMemory, keyOf, Recognition } from './records';
import type { Ledger } from './ledger';
import { AlreadySent } from './alreadySent';
import { digitsOf } from '../input/recipient';
import { groupBy, type Lookup, lookUp, type Shown } from './history';
import type { Event } from './message';
import {
	isInDoubt,
	isUndecided,
	toParts,
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
	private readAt = -Infinity;
	/**
	 * What a response of this run has shown of the service's times. Without it, each doubt about a bulk message would
	 * end as unknown at a service that writes UTC.
	 */
	private newest?: Shown;
	/** How many messages of a request history has shown. */
	private readonly shown = new Map<string, number>();
	private failuresInARow = 0;
	private hasAccepted = false;
	/** Of bulk requests, and of the parts in which they are sent again. */
	private rejectionsInARow = 0;
	private isStopped = false;
	/** Set while the service rejects one request after the other. */
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
		const found = await this.alreadySent.find(messages).catch((error: Error) => error);
		if (found instanceof Error)
			return this.giveUp(messages, toFailureBeforeSend(found), 'unreadable');
		for (const [message, record] of found) {
			if (record instanceof Error) this.giveUp([message], record);
			else this.accept(message, record);
		}
		const left = messages.filter(isUndecided);
		const isNamed = (message: Outgoing) => keyOf(message, this.channel) !== undefined;
		await Promise.all([
			this.bring(left.filter((message) => !isNamed(message))),
			this.bringInTurns(left.filter(isNamed)),
		]).catch((error: Error) => this.giveUp(messages, error));
	}

	/** Looks up what is in doubt and sends what is open, in turn, until all are decided. */
	private async bring(messages: Outgoing[]): Promise<void> {
		for (let left = messages; left.length > 0; left = left.filter(isUndecided)) {
			await this.settle(left);
			await this.sendOnce(left.filter(isUndecided));
		}
	}

	/** Looks messages up until history shows them, or their doubt ends: they are then told, or open again. */
	private async settle(messages: Outgoing[]): Promise<void> {
		for (;;) {
			const doubtful = messages.filter(({ pollAt }) => pollAt !== undefined);
			if (doubtful.length === 0) return;
			const due = doubtful.reduce((first, { pollAt = 0 }) => Math.min(first, pollAt), Infinity);
			await this.client.pool.rest(
				Math.max(due, this.readAt + deliveryTiming.polls[0]) - this.ledger.now(),
			);
			const at = this.ledger.now();
			const since = doubtful.reduce((first, { entry }) => Math.min(first, entry.window.from), at);
			const numbers = new Set(doubtful.map(({ request }) => digitsOf(request.to)));
			const shows = await lookUp(this.client, numbers, {
				...{ since, shown: this.newest, now: this.ledger.now },
			}).catch(asServiceError);
			this.readAt = this.ledger.now();
			if (isCancelled(shows)) throw shows;
			this.noteLookup(doubtful, shows, shows instanceof ServiceError ? this.readAt : at);
		}
	}

	/** One request for each message, in parts. After many failures in a row, those in doubt are looked up first. */
	private async sendOnce(open: Outgoing[]): Promise<void> {
		const { batchSize, pauseMs } = this.channel;
		const { pool } = this.client;
		if (this.isOutage) {
			const requests = this.failuresInARow;
			return this.giveUp(open, new ServiceError('unavailable', { code: 'heldBack', requests }));
		}
		const begun: Array<Promise<void>> = [];
		for (const part of toParts(open, batchSize)) {
			await pool.waitForRoom();
			if (this.isOutage) break;
			begun.push(this.send(part).catch((error: Error) => this.giveUp(part, error)));
			// Stopping the execution ends the pause; the next request then fails as cancelled.
			if (pauseMs > 0) await pool.rest(pauseMs).catch(() => undefined);
		}
		await Promise.all(begun);
	}

	private async bringInTurns(messages: Outgoing[]): Promise<void> {
		const begun: Array<Promise<void>> = [];
		for (const message of messages) {
			await this.client.pool.waitForRoom();
			begun.push(this.bringInTurn(message, keyOf(message, this.channel) ?? ''));
		}
		await Promise.all(begun);
	}

	/** Nobody should watch for minutes how a service is down that has accepted nothing yet. */
	private get isWatched(): boolean {
		return this.client.isWatched && !this.hasAccepted;
	}

	private get isOutage(): boolean {
		return this.failuresInARow >= (this.isWatched ? 1 : deliveryTiming.outageAfter);
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

	private async send(part: Outgoing[]): Promise<void> {
		const { account, pool } = this.client;
		await pool.run(async () => {
			const isDivided = part[0].most !== undefined;
			const hasAccepted = this.ledger.records().length > 0;
			if (this.rejection && (isDivided || !hasAccepted)) throw this.rejection;
			const isNew = !isDivided && !isInDoubt(part[0]);
			if (isNew && this.isStopped) throw new ServiceError('cancelled');
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
			if (isFailure) this.noteFailure(part, responses);
			else this.noteResponses(part, responses);
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

	private noteFailure(part: Outgoing[], failure: ServiceError): void {
		if (failure.isOfService) this.failuresInARow += 1;
		const is = failure.isUnclearFor(part.length) ? 'unclear' : 'rejected';
		for (const message of part) this.note(message, { is, failure });
		const isDivided = part[0].most !== undefined;
		if (failure.isOfMessages && (isDivided || part.length > 1)) this.divide(part, failure);
	}

	/** A rejected request is sent again in parts, ten of ten for a hundred, then each message alone, whatever the words. */
	private divide(part: Outgoing[], failure: ServiceError): void {
		const most = part[0].most === undefined ? Math.ceil(Math.sqrt(part.length)) : 1;
		for (const message of part) message.most = most;
		this.rejectionsInARow += 1;
		const requests = this.rejectionsInARow;
		if (requests >= deliveryTiming.mostRejections)
			this.rejection = failure.with({ code: 'rejectedInARow', requests });
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
				this.newest = { createdAt: response.createdAt, at: this.ledger.now() };
				this.accept(message, response);
			} else this.note(message, { is: 'unclear', failure });
		});
		if (!isAccepted) return;
		this.rejectionsInARow = 0;
		this.rejection = undefined;
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
