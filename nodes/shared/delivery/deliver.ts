import { asServiceError, isUnknown, ServiceError } from '../client/failure';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { retryTiming } from '../client/retry';
import type { MessageRecord } from '../client/types';
import { InputError } from '../input/InputError';
import { decide } from './decision';
import { History, type Found, type Seen } from './history';
import { readListing } from './listing';
import type { Ledger } from './memory';
import { isInDoubt, isUndecided, latestAcceptanceMs } from './message';
import { resumeDoubt, windowOf, type Channel, type Outgoing } from './message';
import { Sending } from './send';
import { deliveryTiming } from './timing';
import { Turns } from './turns';

/**
 * Delivers messages, each once: what was requested is not requested again before message history had a minute to show
 * it. What history shows is accepted, what it does not show is sent.
 */
export class Delivery {
	/** Records that were counted as messages of an earlier retry, although another run may have sent them. */
	readonly adopted: MessageRecord[] = [];
	private readonly history: History;
	private readonly sending: Sending;

	/** @param messages all of the run that have no record yet */
	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly channel: Channel,
		private readonly messages: Outgoing[],
		onDecided: (message: Outgoing) => void = () => undefined,
	) {
		this.history = new History(client, ledger, channel, messages);
		this.sending = new Sending(client, channel, this.history, onDecided);
	}

	/** Makes no further request that sends. */
	stop(): void {
		this.sending.isStopped = true;
	}

	/** Decides all messages. Never rejects. */
	async deliver(): Promise<void> {
		const { messages, sending } = this;
		this.resume();
		const decided = this.lookBack().then(async () => await this.bringAll());
		await decided.catch((error: Error) => {
			const isBeforeSend = messages.every(({ tries }) => !tries);
			const isOfService = error instanceof ServiceError && isBeforeSend;
			sending.giveUp(messages, isOfService ? error.with({ isBeforeSend }) : error);
		});
	}

	/** What Skip If Already Sent finds. @throws ServiceError if history cannot be read */
	async findEarlier(): Promise<Found> {
		const skipping = this.messages.filter(({ isSkipping }) => isSkipping);
		if (skipping.length === 0) return new Map();
		const { lookBackMs = Infinity } = this.channel;
		const listing = await readListing(this.client, skipping, Date.now() - lookBackMs, false);
		return this.history.findEarlier(skipping, listing);
	}

	/** Takes up what an earlier attempt left in doubt. */
	private resume(): void {
		for (const message of this.messages) {
			const { doubt } = message.note;
			const isOther = doubt && doubt.sent.account !== this.client.account;
			if (isOther) this.sending.tellUnknown(message, 'otherAccount');
			else if (doubt) resumeDoubt(message, doubt);
		}
	}

	/** Looks up, before anything is sent, what another retry or, with Skip If Already Sent, another execution has sent. */
	private async lookBack(): Promise<void> {
		const { isRetry, page } = this.ledger;
		const { startedAt, lost } = page;
		const fresh = this.messages.filter((one) => isUndecided(one) && !isInDoubt(one));
		const skipping = fresh.filter(({ isSkipping }) => isSkipping);
		const wanted = isRetry ? fresh : skipping;
		if (wanted.length === 0) return;
		if (lost && lost !== 'notes' && skipping.length < fresh.length) throw toLost(lost);
		const now = Date.now();
		const { lookBackMs = Infinity } = this.channel;
		const skipsFrom = skipping.length > 0 ? now - lookBackMs : now;
		const since = Math.min(skipsFrom, isRetry ? startedAt : now);
		const listing = await readListing(this.client, wanted, since, isRetry).catch(asServiceError);
		if (listing instanceof ServiceError) {
			// A key without access to history must still be able to retry.
			if (skipping.length > 0 || !listing.isOfAccess) throw listing;
			return this.warnOnce(listing);
		}
		for (const [message, found] of this.history.findEarlier(skipping, listing))
			this.sending.decide(message, found);
		if (!isRetry) return;
		const window = { from: startedAt, to: now + latestAcceptanceMs };
		const left = wanted.filter(isUndecided);
		for (const [message, seen] of this.history.find(left, listing, () => window, false)) {
			if (seen === 'uncertain') this.sending.tellUnknown(message, seen);
			if (typeof seen === 'string') continue;
			const isNamed = this.channel.hasReference && !message.isUsersReference;
			if (!isNamed && !this.history.isOwn(seen)) this.adopted.push(seen);
			this.sending.accept(message, seen);
		}
	}

	/** The first retry fails and warns that another retry may have sent the messages; a retry of that one sends them. */
	private warnOnce(failure: ServiceError): void {
		if (!this.ledger.tellBlindness()) return;
		const kind = this.ledger.page.lost ? 'outcomeUnknown' : failure.kind;
		throw new ServiceError(kind, { ...failure.facts, code: 'blindRetry' });
	}

	/** With Skip If Already Sent, equal messages of this process go out one after the other. */
	private async bringAll(): Promise<void> {
		const { client, ledger, channel, messages } = this;
		const turns = new Turns(
			client,
			ledger,
			channel,
			messages.filter(({ isSkipping }) => isSkipping),
		);
		try {
			await this.bring(messages.filter((one) => isUndecided(one) && !turns.later.has(one)));
			for await (const [message, outcome, note] of turns.outcomesBefore()) {
				if (isUnknown(outcome) && note?.doubt) {
					Object.assign(message.note, { ...note, doubt: { ...note.doubt } });
					resumeDoubt(message, note.doubt);
				} else if (isUnknown(outcome)) this.sending.decide(message, outcome);
				else if (!(outcome instanceof Error) && this.history.isFree(outcome))
					this.sending.accept(message, { ...outcome, alreadySent: true });
			}
			await this.bring([...turns.later.keys()].filter(isUndecided));
		} finally {
			turns.end();
		}
	}

	/** Looks up what is in doubt and sends what is open, in turn, until all are decided. */
	private async bring(messages: Outgoing[]): Promise<void> {
		for (let left = messages; left.length > 0; left = left.filter(isUndecided)) {
			await this.settle(left);
			const open = left.filter(isUndecided);
			if (this.sending.isFailing) await this.bringInOutage(open);
			else await this.sending.sendOnce(open);
		}
	}

	/** The service accepts nothing, as far as history shows: one request more, and the rest is not sent. */
	private async bringInOutage(open: Outgoing[]): Promise<void> {
		const { sending } = this;
		const again = open.filter(({ note }) => note.doubt);
		await sending.sendOnce(again, true);
		if (!sending.isFailing) return;
		const outage = sending.toOutage();
		for (const message of open.filter((one) => !isInDoubt(one)))
			if (message.note.doubt) sending.tellUnknown(message, 'nothing');
			else sending.decide(message, outage);
	}

	/** Looks messages up until history shows them, or their doubt ends. @throws ServiceError once the execution is stopped */
	private async settle(messages: Outgoing[]): Promise<void> {
		for (let wait = deliveryTiming.firstLookMs; ; wait *= 2) {
			const doubtful = messages.filter((one) => isUndecided(one) && isInDoubt(one));
			if (doubtful.length === 0) return;
			const end = least(doubtful, ({ lookUp }) => lookUp!.until);
			await this.client.pool.rest(Math.min(wait, Math.max(end - performance.now(), 0)));
			const at = performance.now();
			const seen = await this.look(doubtful).catch(asServiceError);
			for (const message of doubtful)
				this.conclude(message, seen instanceof ServiceError ? seen : seen.get(message)!, at);
		}
	}

	private async look(doubtful: Outgoing[]): Promise<Map<Outgoing, Seen>> {
		const since = least(doubtful, (message) => windowOf(message).from);
		const { watchedLastsMs, unreadableLastsMs } = deliveryTiming;
		const client = this.client.within(this.sending.isWatched ? watchedLastsMs : unreadableLastsMs);
		const listing = await readListing(client, doubtful, since, true);
		const seen = this.history.find(doubtful, listing, windowOf, true);
		const shown = doubtful.filter((message) => isMessageRecord(seen.get(message)!));
		const requests = new Set(shown.map(({ note }) => note.doubt!.request));
		for (const { note } of doubtful)
			if (requests.has(note.doubt!.request)) note.doubt!.isPartlyAccepted = true;
		return seen;
	}

	/** What a look into history, begun at a moment, says of a message in doubt. */
	private conclude(message: Outgoing, seen: Seen | ServiceError, at: number): void {
		if (isMessageRecord(seen)) {
			this.sending.noteClear();
			return this.sending.accept(message, seen);
		}
		const { from, until } = message.lookUp!;
		const isUnread = seen instanceof ServiceError;
		message.seen = isUnread ? 'unreadable' : seen;
		const isDown = isUnread && performance.now() - from >= deliveryTiming.unreadableLastsMs;
		const isEnd = isUnread && (!seen.canPassInDoubt || (seen.kind === 'unavailable' && isDown));
		if (at < until && !isEnd) return;
		const decision = decide(message, seen);
		if (decision === 'takeBack') this.takeBack(message);
		else if (decision === 'sendAgain') message.lookUp = undefined;
		else this.sending.tellUnknown(message, decision);
	}

	private takeBack(message: Outgoing): void {
		const { failure, tries = 0 } = message;
		message.lookUp = undefined;
		message.note.doubt = undefined;
		const isRepeated = failure?.kind === 'rateLimited' && tries < retryTiming.attemptsOfUnsent;
		if (failure?.canComeHalfway && !isRepeated) this.sending.decide(message, failure);
	}
}

function toLost(lost: 'start' | 'form'): InputError {
	const how = lost === 'start' ? 'crashed' : 'failed under an earlier version';
	const outcome = 'Nothing was sent in this attempt; messages may have been sent before.';
	const hint = 'Start the workflow again with Skip If Already Sent, or search SMS History first.';
	return new InputError('skipIfAlreadySent', `This execution ${how}`, hint, { outcome });
}

function isMessageRecord(seen: Seen | ServiceError): seen is MessageRecord {
	return typeof seen !== 'string' && !(seen instanceof ServiceError);
}

function least<T>(all: T[], momentOf: (one: T) => number): number {
	return all.reduce((least, one) => Math.min(least, momentOf(one)), Infinity);
}
