import { asServiceError, type HistorySays, ServiceError } from '../client/failure';
import { describeFailure } from '../client/texts';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import { toRecipientKey } from '../input/number';
import type { History } from './history';
import { isUndecided, noteDoubt, noteRequest, toOutcomeUnknown, toParts } from './message';
import type { Channel, Outgoing, Responses } from './message';
import { noteServiceTime } from './serviceClock';
import { deliveryTiming } from './timing';

let requestsBegun = 0;

/** Makes the requests that send. The outcome of each message is set and reported once. */
export class Sending {
	hasAccepted = false;
	isStopped = false;
	/** Money, a permission or the rate has run out halfway through a request, or the first one was rejected. */
	private isHeldUp = false;
	/** Requests in a row that have shown nothing, and why the last has not. */
	private unclearInARow = 0;
	private failure?: ServiceError;
	private isProbing = false;
	/** Of single messages of rejected requests. */
	private rejections = 0;
	private rejection?: ServiceError;
	/** The last request to each number. */
	private readonly leaving = new Map<string, Promise<void>>();

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly channel: Channel,
		private readonly history: History,
		private readonly onDecided: (message: Outgoing) => void,
	) {}

	/** Whether the service accepts nothing: what is in doubt is looked up before more is sent. */
	get isFailing(): boolean {
		return this.unclearInARow >= (this.isWatched ? 1 : deliveryTiming.mostUnclear);
	}

	/** Why the rest is not sent then. */
	toOutage(): ServiceError {
		const requests = this.unclearInARow;
		const { message: note } = describeFailure(this.failure!);
		return new ServiceError('unavailable', { code: 'heldBack', requests, note });
	}

	/** History, or a response, shows that the service accepts messages, or why it does not. */
	noteClear(): void {
		this.unclearInARow = 0;
	}

	/**
	 * One request for each message, in parts, unless it turns out that they should wait.
	 * @param isProbe one request at most, which shows whether the service works again
	 */
	async sendOnce(messages: Outgoing[], isProbe = false): Promise<void> {
		const { pool } = this.client;
		const { batchSize, pauseMs } = this.channel;
		const begun: Array<Promise<void>> = [];
		this.isHeldUp = false;
		this.isProbing = isProbe;
		const parts = toParts(this.choose(messages), batchSize);
		for (const part of isProbe ? parts.slice(0, 1) : parts) {
			await pool.waitForRoom();
			if (this.isWaiting) break;
			begun.push(this.sendInOrder(part).catch((error: Error) => this.giveUp(part, error)));
			// Stopping the execution ends the pause; the next request then fails as cancelled.
			if (pauseMs > 0) await pool.rest(pauseMs).catch(() => undefined);
		}
		await Promise.all(begun);
	}

	/** Until something is accepted, one rejected request is tried to its end: a wrong sender ID shows itself after one. */
	private choose(messages: Outgoing[]): Outgoing[] {
		const [first] = this.hasAccepted ? [] : messages.filter((one) => one.rejected);
		return first ? messages.filter(({ rejected }) => rejected === first.rejected) : messages;
	}

	/** Messages to one number leave in the order of the items, each after the response to the one before. */
	private async sendInOrder(part: Outgoing[]): Promise<void> {
		const numbers = new Set(part.map(({ request }) => toRecipientKey(request.to)));
		const before = [...numbers].flatMap((number) => this.leaving.get(number) ?? []);
		// A request that need not wait takes its place in the pool at once.
		const sending =
			before.length === 0
				? this.send(part)
				: Promise.allSettled(before).then(async () => await this.send(part));
		for (const number of numbers) this.leaving.set(number, sending);
		await sending;
	}

	private async send(part: Outgoing[]): Promise<void> {
		const { account, pool } = this.client;
		await pool.run(async () => {
			if (this.isWaiting) return;
			this.requireStart();
			requestsBegun += 1;
			const id = `${Date.now()}-${requestsBegun}`;
			for (const message of part) noteRequest(message, id, account);
			const responses = await this.channel.send(part).catch(asServiceError);
			if (responses instanceof ServiceError) this.noteFailure(part, responses);
			else this.noteResponses(part, responses);
		});
	}

	private get isWaiting(): boolean {
		return this.isHeldUp || (!this.isProbing && this.isFailing);
	}

	private noteUnclear(failure: ServiceError): void {
		this.unclearInARow += 1;
		this.failure = failure;
	}

	/** @throws why nothing more is sent */
	private requireStart(): void {
		if (this.rejection && !this.hasAccepted) throw this.rejection;
		if (this.isStopped) throw new ServiceError('cancelled');
	}

	private noteFailure(part: Outgoing[], failure: ServiceError): void {
		const isOfOne = part.length === 1;
		const { kind, mayHaveActed } = failure;
		this.isHeldUp ||= failure.canComeHalfway && !isOfOne;
		const isDown = kind === 'unavailable' || kind === 'notService';
		if (mayHaveActed || isDown || (kind === 'rateLimited' && isOfOne)) this.noteUnclear(failure);
		else if (kind !== 'rateLimited') this.noteClear();
		const isUnclear = failure.isUnclearFor(part.length);
		for (const message of part) this.noteOne(message, failure, isUnclear);
		if (failure.isOfMessages) this.noteRejection(part, failure);
	}

	/** What a response shows as accepted is never sent again, even if it is not clear which message is whose. */
	private noteResponses(part: Outgoing[], { each, isAccepted }: Responses): void {
		if (isAccepted) {
			for (const { note } of part) note.doubt!.isPartlyAccepted = true;
			this.hasAccepted = true;
		}
		const unclear = new ServiceError('unreadable', { mayHaveActed: true });
		if (isAccepted || each.some(Boolean)) this.noteClear();
		else this.noteUnclear(unclear);
		for (const [n, message] of part.entries()) {
			const response = each[n] ?? unclear;
			if (response instanceof ServiceError) {
				this.noteOne(message, response, response === unclear);
				continue;
			}
			noteServiceTime(this.client.account, response);
			this.accept(message, response);
		}
	}

	private noteOne(message: Outgoing, failure: ServiceError, isUnclear: boolean): void {
		if (isUnclear) return noteDoubt(message, failure, this.isWatched);
		message.note.doubt = message.before;
		this.giveUp([message], failure);
	}

	/** A rejected request is sent again in parts, ten of ten for a hundred, then each message alone. */
	private noteRejection(part: Outgoing[], failure: ServiceError): void {
		const { length, [0]: first } = part;
		const requests = (this.rejections += length === 1 && first.rejected ? 1 : 0);
		if (requests >= deliveryTiming.mostRejections)
			this.rejection = failure.with({ code: 'nothingAccepted', requests });
		if (length === 1) return;
		this.isHeldUp ||= !this.hasAccepted;
		const most = first.rejected ? 1 : Math.ceil(Math.sqrt(length));
		for (const message of part)
			Object.assign(message, { most, rejected: message.rejected ?? part });
	}

	/** Nobody should watch for minutes how a service is down that has accepted nothing yet. */
	get isWatched(): boolean {
		return this.client.isWatched && !this.hasAccepted;
	}

	accept(message: Outgoing, record: MessageRecord): void {
		const { note } = message;
		this.hasAccepted = true;
		note.record = record;
		note.acceptedAt = Date.now();
		note.doubt = undefined;
		this.history.claim(record);
		this.decide(message, record);
	}

	tellUnknown(message: Outgoing, says: HistorySays, cause = message.failure): void {
		this.decide(message, toOutcomeUnknown(message.note, says, cause));
	}

	/** What may have been accepted is never reported as not sent. */
	giveUp(messages: Outgoing[], failure: Error): void {
		for (const message of messages) {
			const isDoubtful = message.note.doubt && failure instanceof ServiceError;
			if (isDoubtful) this.tellUnknown(message, message.seen ?? 'unreadable', failure);
			else this.decide(message, failure);
		}
	}

	decide(message: Outgoing, outcome: MessageRecord | Error): void {
		if (!isUndecided(message)) return;
		const { to, clientReference } = message.request;
		const isFailure = outcome instanceof ServiceError;
		message.outcome = isFailure ? outcome.with({ to, clientReference }) : outcome;
		this.onDecided(message);
	}
}
