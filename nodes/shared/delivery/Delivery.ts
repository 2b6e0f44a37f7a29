import { sleep } from 'n8n-workflow';

import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { RequestPool } from '../client/RequestPool';
import { asServiceError, ServiceError } from '../client/ServiceError';
import { Inquiry, type Doubt } from './Inquiry';
import { KnownAccount } from './KnownAccount';
import type { Ledger } from './ledger';
import { OutageBrake } from './OutageBrake';
import { Outcomes } from './Outcomes';
import { isDoubtful, noteRequestTaken, type Answers, type Outgoing, type Way } from './Outgoing';
import { deliveryTiming } from './timing';

let requestsBegun = 0;

/** More than the steps from an item to its request, or from an answer to what it does to the run. */
const stepsOfOthers = 50;

/** Takes microseconds: only what is ready to go on goes on, without a timer. */
export async function letOthersGoOn(): Promise<void> {
	for (let step = 0; step < stepsOfOthers; step += 1) await Promise.resolve();
}

/** Milliseconds in which a request finds its connection and is written. */
const launchMs = 4;

/** A request that has ended; both times in milliseconds since 1970 on our clock. */
interface Answered<T> {
	messages: T[];
	answers: Answers | ServiceError;
	sentAt: number;
	answeredAt: number;
}

function areAccepted(answers: Answers | ServiceError): boolean {
	return (
		Array.isArray(answers) && answers.every((answer) => answer && !(answer instanceof ServiceError))
	);
}

/**
 * Brings messages to the service. A request that ended without an answer leaves its messages in doubt: history is
 * asked until it shows them, or until it is improbable that they were taken. Only then, and only where the user
 * lets it, is a message sent again. What stays in doubt is told as unknown, and every later try asks history first.
 */
export class Delivery<T extends Outgoing> {
	private readonly known: KnownAccount;
	private readonly brake = new OutageBrake();
	private readonly outcomes: Outcomes<T>;
	private readonly inquiry: Inquiry<T>;
	private readonly undecided: RequestPool;
	/** Requests that send wait here, where a run that has stopped can still hold them back. */
	private readonly sending: RequestPool;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly way: Way<T>,
		mostUndecided: number,
	) {
		this.known = KnownAccount.of(client.account);
		this.outcomes = new Outcomes(this.known, this.brake);
		this.inquiry = new Inquiry(client, this.known, way, this.outcomes);
		this.undecided = new RequestPool(mostUndecided);
		this.sending = new RequestPool(client.pool.limit);
		for (const record of ledger.records()) this.known.noteRecordOfSend(record, 'answer');
	}

	/** Resolves when the next message may be begun: neither requests nor unknown outcomes pile up. */
	async hasRoom(): Promise<void> {
		await this.sending.hasRoomAhead();
		await this.undecided.hasRoom();
	}

	/** Where requests wait for their turn, the one that has just got it is not kept waiting by other work. */
	async letGoOut(): Promise<void> {
		await sleep(this.sending.isWanted ? launchMs : 0);
	}

	/**
	 * Sends messages in one request, and settles each of them. Never rejects.
	 * @param isStopped whether the run has stopped, and what has not gone out yet is to be left
	 */
	async deliver(messages: T[], isStopped: () => boolean): Promise<void> {
		await this.undecided
			.run(async () => await this.bring(messages, isStopped))
			.catch((error: unknown) => this.outcomes.fail(messages, error as Error));
	}

	private async bring(messages: T[], isStopped: () => boolean): Promise<void> {
		if (isStopped()) throw new ServiceError('cancelled');
		this.outcomes.tellAccepted(messages);
		await this.lookBack(this.outcomes.left(messages));
		const left = this.outcomes.left(messages);
		if (left.length > 0)
			await this.brake.run(async () => await this.sendUntilDecided(left, isStopped));
	}

	/** History comes first wherever an earlier try, another retry or an earlier execution can have sent a message. */
	private async lookBack(messages: T[]): Promise<void> {
		const fresh = messages.filter(({ entry }) => entry.state === 'open');
		const skipping = fresh.filter(({ isSkipping }) => isSkipping);
		await Promise.all(
			skipping.map(async (message) => {
				const record = await this.way.findEarlier(message);
				if (record) this.outcomes.accept(message, { ...record, alreadySent: true }, 'history');
			}),
		);
		if (this.ledger.isRetry) {
			await this.inquiry.findSince(this.outcomes.left(fresh), this.ledger.startedAt);
		}
		await this.inquiry.findOutcomes(messages);
	}

	private async sendUntilDecided(messages: T[], isStopped: () => boolean): Promise<void> {
		const { acceptances } = this.brake;
		const { mostSends } = deliveryTiming;
		let left = messages;
		let failure: ServiceError | undefined;
		for (let sends = 1; left.length > 0 && sends <= mostSends; sends += 1) {
			const doubt = await this.send(left, () => sends === 1 && isStopped());
			await this.inquiry.findOutcomes(left, { ...doubt, isSendingOn: sends < mostSends });
			failure = doubt.failure;
			left = this.outcomes.left(left);
		}
		// It answered, and took nothing of this run: a cut connection or a time-out says less.
		const isRefusing =
			failure?.kind === 'unavailable' && !failure.isTimeOut && failure.facts.status;
		const isOutage = Boolean(isRefusing) && this.brake.acceptances === acceptances;
		for (const message of left) this.outcomes.leaveUnclear(message, failure, 'nothing', isOutage);
	}

	/** Sends one request. Gives back why messages of it are in doubt. */
	private async send(wanted: T[], isStopped: () => boolean): Promise<Doubt> {
		const { answered, ...doubt } = await this.sending.run(async () => {
			// Until now the run could stop, and an answer come that was late.
			await this.client.pool.waitOutPause();
			if (isStopped()) throw new ServiceError('cancelled');
			const messages = wanted.filter(({ entry }) => !entry.record);
			if (messages.length === 0) return {};
			const sentAt = Date.now();
			requestsBegun += 1;
			const request = `${sentAt}-${requestsBegun}`;
			for (const { entry, message, from } of messages)
				entry.begin(sentAt, { message, from }, request);
			const answers = await this.way.send(messages).catch(asServiceError);
			const answered = { messages, answers, sentAt, answeredAt: Date.now() };
			if (areAccepted(answers)) return { answered };
			// A refusal can stop the run, and does so before another request takes the place.
			const failure = this.take(answered);
			await letOthersGoOn();
			return { failure, late: failure?.late && this.takeLate(messages, failure) };
		});
		if (!answered) return doubt;
		// The next request goes out before the books of this one are kept.
		if (this.sending.isWanted) await sleep(launchMs);
		return { failure: this.take(answered) };
	}

	private take({ messages, answers, sentAt, answeredAt }: Answered<T>): ServiceError | undefined {
		if (answers instanceof ServiceError) return this.takeFailure(messages, answers, answeredAt);
		this.brake.noteAcceptance();
		messages.forEach((message, index) => {
			const answer = answers[index];
			if (message.entry.record) return;
			if (answer instanceof ServiceError) {
				message.entry.refuse();
				this.outcomes.fail([message], answer);
			} else if (answer === undefined || this.known.isFoundInHistory(answer)) {
				// Where an alike message was looked for and took this record, history tells what is left.
				message.entry.doubt(answeredAt, false);
			} else {
				this.known.clock.learnFromRecord(answer, sentAt, answeredAt);
				if (!answer.scheduledAt) this.known.lag.watch(answer, sentAt);
				this.outcomes.accept(message, answer, 'answer');
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
		if (!failure.mayHaveActed) this.outcomes.fail(messages, failure);
		return failure;
	}

	/** An answer that comes after the time-out is better than any look. Gives back what it leaves in doubt, and why. */
	private async takeLate(messages: T[], { late }: ServiceError): Promise<ServiceError | undefined> {
		const answers = await late?.catch((error: unknown) => error);
		const isForGood = answers instanceof ServiceError && answers.kind !== 'cancelled';
		const left = messages.filter(({ entry }) => !entry.record);
		// Another request may be on its way for them by then.
		if (!(isForGood || Array.isArray(answers)) || !left.every(isDoubtful)) return undefined;
		const answered = { sentAt: messages[0].entry.window.from, answeredAt: Date.now() };
		// A failure says nothing against those that history has shown in the meantime.
		if (isForGood) return this.take({ messages: left, answers, ...answered });
		return this.take({ messages, answers: answers as Answers, ...answered });
	}
}
