import { isUnknown, ServiceError } from '../client/failure';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import type { MessageRecord } from '../client/types';
import { AccountMemory, senderOf, type Recent } from './account';
import { AlreadySent, type Found } from './alreadySent';
import { contentsOf, keyOf } from './identity';
import { markRepeat } from '../n8n/tool';
import type { Ledger } from './memory';
import { isInDoubt, isUndecided, type Channel, type Outgoing } from './Outgoing';
import { Outcomes } from './outcomes';
import { Recognition } from './recognition';
import { Sending } from './send';
import { Settling } from './settle';

/** How long an equal call over MCP returns the message that was sent; a client repeats it within a minute. */
const keepCallsMs = 2 * 60_000;

/** A message among those of all runs. */
interface Entered extends Recent {
	message: Outgoing;
}

/**
 * Delivers the messages of a run to the service, each once. `message.ts` decides about each message; here is what is
 * done for it. The `outcome` of each message is set and reported once.
 */
export class Delivery {
	/** Lookups before messages are sent. */
	readonly alreadySent: AlreadySent;
	private readonly account: AccountMemory;
	private readonly recognition: Recognition;
	private readonly outcomes: Outcomes;
	private readonly settling: Settling;
	private readonly sending: Sending;

	/** @param onDecided called once for each message */
	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly channel: Channel,
		onDecided: (message: Outgoing) => void = () => undefined,
	) {
		this.account = new AccountMemory(client.account);
		this.recognition = new Recognition(this.account, ledger, channel);
		this.alreadySent = new AlreadySent(client, ledger, channel, this.recognition);
		this.outcomes = new Outcomes(client, (message) => this.reserve(message), onDecided);
		this.settling = new Settling(client, ledger, this.recognition, this.outcomes);
		this.sending = new Sending(client, ledger, channel, this.recognition, this.outcomes);
	}

	/** Makes no further request that sends. */
	stop(): void {
		this.sending.isStopped = true;
	}

	/** What Skip If Already Sent finds of the messages of a run. @throws ServiceError if history cannot be read */
	async findEarlier(messages: Outgoing[]): Promise<Found> {
		this.recognition.expect(messages);
		return await this.alreadySent.find(messages.filter(({ isSkipping }) => isSkipping));
	}

	/** Decides all messages. Never rejects. */
	async deliver(messages: Outgoing[]): Promise<void> {
		const { account } = this.client;
		this.recognition.expect(messages);
		for (const message of messages) this.outcomes.note(message, { is: 'begun', account });
		const found = await this.alreadySent.find(messages).catch((error: Error) => error);
		if (found instanceof Error)
			return this.outcomes.giveUp(messages, toFailureBeforeSend(found), 'unreadable');
		for (const [message, record] of found) {
			if (record instanceof Error) this.outcomes.giveUp([message], record);
			else this.outcomes.accept(message, record);
		}
		const left = messages.filter(isUndecided);
		let end: () => void = () => undefined;
		const ended = new Promise<void>((resolve) => (end = resolve));
		const entered = this.enter(messages, ended);
		const repeated = entered.filter(({ standsFor }) => standsFor !== undefined);
		const waiting = new Set(repeated.map(({ message }) => message));
		await Promise.all([
			this.bringAll(left.filter((message) => !waiting.has(message))),
			this.bringAfter(repeated).catch((error: Error) => this.outcomes.giveUp([...waiting], error)),
		]);
		for (const one of entered) one.decidedAt ??= performance.now();
		end();
	}

	private async bringAll(messages: Outgoing[]): Promise<void> {
		const isNamed = (message: Outgoing) => keyOf(message, this.channel) !== '';
		await Promise.all([
			this.bring(messages.filter((message) => !isNamed(message))),
			this.bringInTurns(messages.filter(isNamed)),
		]);
	}

	/** Messages that another run brings, or has just brought, and history may not show yet. */
	private enter(messages: Outgoing[], ended: Promise<void>): Entered[] {
		const { scope } = this.ledger;
		const entered: Entered[] = [];
		for (const [message, content] of contentsOf(messages, this.channel)) {
			// Within Look Back, history has shown what is decided.
			if (!isUndecided(message)) continue;
			const one: Entered = { scope, message, ended };
			const before = this.account.enter(
				content,
				one,
				message.entry.call === undefined ? undefined : keepCallsMs,
			);
			if (!isInDoubt(message)) one.standsFor = before;
			entered.push(one);
		}
		return entered;
	}

	private async bringAfter(repeated: Entered[]): Promise<void> {
		const ends = new Set(repeated.map(({ standsFor }) => standsFor!.ended));
		for (const ended of ends) await this.client.pool.waitFor(ended);
		for (const one of repeated) {
			const { message } = one;
			// Only the first is needed: each that repeats it would keep all before it.
			const before = senderOf(one.standsFor!);
			this.skip(message, before.message.outcome, before.decidedAt);
			one.standsFor = isUndecided(message) ? undefined : before;
		}
		await this.bringAll(repeated.map(({ message }) => message));
	}

	/** What another run has sent, or may have sent, is not sent again. */
	private skip(message: Outgoing, before: MessageRecord | Error | undefined, at?: number): void {
		if (before === undefined) return;
		if (isUnknown(before)) this.outcomes.giveUp([message], before);
		else if (this.isSent(before)) this.outcomes.accept(message, this.repeat(message, before, at));
	}

	private repeat({ entry }: Outgoing, record: MessageRecord, at = performance.now()) {
		if (entry.call === undefined) return { ...record, alreadySent: true };
		return markRepeat(record, performance.now() - at);
	}

	/** Looks up what is in doubt and sends what is open, in turn, until all are decided. */
	private async bring(messages: Outgoing[]): Promise<void> {
		const giveUp = (error: Error) => this.outcomes.giveUp(messages, error);
		for (let left = messages; left.length > 0; left = left.filter(isUndecided)) {
			await this.settling.settle(left).catch(giveUp);
			await this.sending.sendOnce(left.filter(isUndecided));
		}
	}

	private async bringInTurns(messages: Outgoing[]): Promise<void> {
		const begun: Array<Promise<void>> = [];
		for (const message of messages) {
			await this.client.pool.waitForRoom();
			begun.push(
				this.bringInTurn(message).catch((error: Error) => this.outcomes.giveUp([message], error)),
			);
		}
		await Promise.all(begun);
	}

	/** One send at a time per user's reference and phone number in this process: history can't tell two apart. */
	private async bringInTurn(message: Outgoing): Promise<void> {
		const key = keyOf(message, this.channel);
		const scheduledAt = this.client.toInstant(message.request.scheduledAt);
		const own = { scope: this.ledger.scope, by: this, scheduledAt };
		await this.account.takeTurn(key, own, async (ended) => {
			const before = ended && (await this.client.pool.waitFor(ended));
			if (message.isSkipping) this.skip(message, before);
			if (!isUndecided(message)) return undefined;
			await this.bring([message]);
			return message.outcome;
		});
	}

	/** History may show since then that it was not delivered. */
	private isSent(outcome: MessageRecord | Error): outcome is MessageRecord {
		return !(outcome instanceof Error) && !this.recognition.undelivered.has(outcome);
	}

	/** Other runs of this process leave its record to a message that has been sent and is undecided. */
	private reserve(message: Outgoing): () => void {
		const isOf = (record: MessageRecord) =>
			!isInDoubt(message) && this.recognition.compare(message, record, true) !== 'other';
		return this.account.reserve({ scope: this.ledger.scope, to: message.request.to, isOf });
	}
}

/** A lookup that failed before the messages were sent. */
function toFailureBeforeSend(failure: Error): Error {
	return failure instanceof ServiceError ? failure.with({ isBeforeSend: true }) : failure;
}
