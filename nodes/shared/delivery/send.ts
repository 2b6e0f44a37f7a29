import { asServiceError, ServiceError } from '../client/failure';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { digitsOf } from '../input/recipient';
import type { Ledger } from './memory';
import type { Sent } from './state';
import { toParts, type Channel, type Outgoing, type Responses } from './Outgoing';
import type { Outcomes } from './outcomes';
import type { Recognition } from './recognition';
import { noteShown } from './serviceTimes';
import { deliveryTiming } from './timing';

let requestsBegun = 0;

/** Sends messages, in requests of the channel, and notes what the responses say of each. */
export class Sending {
	/** Of bulk requests, and of the parts in which they are sent again. */
	private rejectionsInARow = 0;
	/** The last request to each number. */
	private readonly leaving = new Map<string, Promise<void>>();
	/** Makes no further request that sends. */
	isStopped = false;
	/** Whether a request failed because of the service. */
	private hasFailed = false;
	/** Set while the service rejects one request after the other. */
	private rejection?: ServiceError;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly channel: Channel,
		private readonly recognition: Recognition,
		private readonly outcomes: Outcomes,
	) {}

	/** One request for each message, in parts. */
	async sendOnce(open: Outgoing[]): Promise<void> {
		const { batchSize, pauseMs } = this.channel;
		const { pool } = this.client;
		const begun: Array<Promise<void>> = [];
		for (const part of toParts(open, batchSize)) {
			await pool.waitForRoom();
			if (open.some(isHoldingUp)) break;
			begun.push(this.sendInOrder(part).catch((error: Error) => this.outcomes.giveUp(part, error)));
			// Stopping the execution ends the pause; the next request then fails as cancelled.
			if (pauseMs > 0) await pool.rest(pauseMs).catch(() => undefined);
		}
		await Promise.all(begun);
	}

	/** Messages to one number leave in the order of the items, each after the response to the one before. */
	private async sendInOrder(part: Outgoing[]): Promise<void> {
		const numbers = new Set(part.map(({ request }) => digitsOf(request.to)));
		const before = [...numbers].flatMap((number) => this.leaving.get(number) ?? []);
		const sending = before.length === 0 ? this.send(part) : this.sendAfter(before, part);
		for (const number of numbers) this.leaving.set(number, sending);
		await sending;
	}

	private async sendAfter(before: Array<Promise<void>>, part: Outgoing[]): Promise<void> {
		await Promise.allSettled(before);
		await this.send(part);
	}

	private async send(part: Outgoing[]): Promise<void> {
		const { account, pool } = this.client;
		await pool.run(async () => {
			await this.client.waitToSend(part[0].surface, () => this.requireStart(part[0]));
			requestsBegun += 1;
			const request = `${this.ledger.now()}-${requestsBegun}`;
			for (const message of part)
				this.outcomes.note(message, { is: 'sent', sent: toSent(message, account), request });
			const responses = await this.channel.send(part).catch(asServiceError);
			const isFailure = responses instanceof ServiceError;
			if (!isFailure || responses.mayHaveActed || responses.isOfMessages)
				this.ledger.noteAccount(account);
			if (isFailure) this.noteFailure(part, responses);
			else this.noteResponses(part, responses);
		});
	}

	/** @throws why the part that begins with this message is not sent */
	private requireStart({ most, entry }: Outgoing): void {
		const isDivided = most !== undefined;
		if (this.rejection && (isDivided || this.ledger.records().length === 0)) throw this.rejection;
		if (this.isStopped) throw new ServiceError('cancelled');
		if (entry.state === 'open' && this.hasFailed && this.outcomes.isWatched)
			throw new ServiceError('unavailable', { code: 'heldBack' });
	}

	private noteFailure(part: Outgoing[], failure: ServiceError): void {
		const { kind, mayHaveActed } = failure;
		// A 429 to several is looked up, and followed by another request.
		const isDown = kind === 'unavailable' || (kind === 'rateLimited' && part.length === 1);
		if (mayHaveActed || isDown) this.hasFailed = true;
		const is = failure.isUnclearFor(part.length) ? 'unclear' : 'rejected';
		for (const message of part) this.outcomes.note(message, { is, failure });
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
		const failure = new ServiceError('unreadable', { mayHaveActed: true });
		part.forEach((message, index) => {
			const response = each[index];
			if (response instanceof ServiceError)
				this.outcomes.note(message, { is: 'rejected', failure: response });
			else if (response) {
				this.recognition.claim(response, false);
				noteShown(this.client.account, response);
				this.outcomes.accept(message, response);
			} else this.outcomes.note(message, { is: 'unclear', failure });
		});
		if (!isAccepted) return;
		this.rejectionsInARow = 0;
		this.rejection = undefined;
		for (const message of part) this.outcomes.note(message, { is: 'othersAccepted' });
	}
}

/** Where money, a permission or the rate has run out, nothing new is sent before history says how far a request came. */
function isHoldingUp({ pollAt, entry }: Outgoing): boolean {
	return pollAt !== undefined && entry.attempt.failure?.canComeHalfway === true;
}

function toSent({ request, isUsersReference }: Outgoing, account: string): Sent {
	const { message, from, scheduledAt, test, encrypt, clientReference } = request;
	const own = isUsersReference && { clientReference };
	return { message, from, scheduledAt, test, encrypt, ...own, account };
}
