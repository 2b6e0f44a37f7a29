import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { asServiceError, isPassing, ServiceError, type HistorySays } from '../client/ServiceError';
import { digitsOf } from '../validation/recipient';
import { lookUp, type Lookup } from './lookUp';
import { isInDoubt, isUndecided, type Outgoing } from './Outgoing';
import { deliveryTiming } from './timing';

/** A longer rest would delay messages that come into doubt meanwhile. */
const longestRestMs = 250;

/** Why messages are in doubt, and for how long. */
export interface Doubt {
	/** Absent for a message that an earlier attempt left in doubt. */
	failure?: ServiceError;
	/** If the request was rejected: how long its messages stay in doubt (ms) unless history shows one of them. */
	rejectedForMs?: number;
}

interface Waiting extends Doubt {
	message: Outgoing;
	says: HistorySays;
	lookedAt: number;
	end: (error?: Error) => void;
}

export interface Judge {
	/** Accepts a message that the lookup shows. @returns `uncertain` if it may show it in another form or time */
	recognise(message: Outgoing, lookup: Lookup): 'found' | 'uncertain' | 'absent';
	reportUnknown(message: Outgoing, failure: ServiceError | undefined, says: HistorySays): void;
	/** Time zones in which the service may write times. */
	readonly zones: string[];
}

function lastsMs({ message: { entry }, rejectedForMs }: Waiting): number {
	if (rejectedForMs !== undefined && !entry.saved.isRequestAccepted) return rejectedForMs;
	const { doubtLastsMs, doubtAfterTimeOutLastsMs } = deliveryTiming;
	return entry.saved.isAfterTimeOut ? doubtAfterTimeOutLastsMs : doubtLastsMs;
}

/** When to look up a message next, in milliseconds since 1970. Lookups missed in a pause count as one. */
function nextLookAt(waiting: Waiting): number {
	const { endedAt } = waiting.message.entry;
	const age = waiting.lookedAt - endedAt;
	const end = lastsMs(waiting);
	const looks = waiting.rejectedForMs === undefined ? deliveryTiming.looks : [];
	return endedAt + Math.min(looks.find((look) => look > age) ?? end, Math.max(end, age + 1));
}

/**
 * The messages of a run that are in doubt. One lookup at a time serves all of them. A record in history ends a doubt
 * at once; its absence counts only when the doubt expires.
 */
export class Doubts {
	private readonly waiting = new Set<Waiting>();
	private isReading = false;
	private readAt = -Infinity;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly judge: Judge,
	) {}

	/**
	 * Resolves when each message is decided or may be sent again.
	 * @throws ServiceError when the execution is stopped
	 */
	async settle(messages: Outgoing[], doubt: Doubt = {}): Promise<void> {
		const doubtful = messages.filter((one) => isUndecided(one) && isInDoubt(one));
		const ends = doubtful.map(
			async (message) =>
				await new Promise<void>((resolve, reject) => {
					const end = (error?: Error) => (error ? reject(error) : resolve());
					this.waiting.add({ ...doubt, message, end, says: 'nothing', lookedAt: -Infinity });
				}),
		);
		if (!this.isReading) void this.readWhileInDoubt();
		await Promise.all(ends);
	}

	private async readWhileInDoubt(): Promise<void> {
		this.isReading = true;
		while (this.waiting.size > 0) {
			await this.rest()
				.then(async () => await this.readOnce())
				.catch((error: Error) => this.endAll(error));
		}
		this.isReading = false;
	}

	private async rest(): Promise<void> {
		for (;;) {
			let next = Infinity;
			for (const one of this.waiting) next = Math.min(next, nextLookAt(one));
			const wait = Math.max(next, this.readAt + deliveryTiming.looks[0]) - Date.now();
			if (wait <= 0) return this.client.pool.stopIfCancelled();
			await this.client.pool.rest(Math.min(wait, longestRestMs));
		}
	}

	private async readOnce(): Promise<void> {
		const lookedAt = Date.now();
		const all = [...this.waiting];
		const since = all.reduce(
			(first, { message }) => Math.min(first, message.entry.window.from),
			lookedAt,
		);
		const numbers = new Set(all.map(({ message }) => digitsOf(message.request.to)));
		const lookup = await lookUp(this.client, numbers, since, this.judge.zones).catch(
			asServiceError,
		);
		this.readAt = Date.now();
		if (lookup instanceof ServiceError && lookup.kind === 'cancelled') return this.endAll(lookup);
		const requests = new Map(all.map((one) => [one, one.message.entry.saved.request]));
		for (const one of all) this.look(one, lookup, lookedAt);
		const accepted = new Set(
			all.filter(({ message }) => message.entry.record).map((one) => requests.get(one)),
		);
		for (const one of all) {
			const { entry } = one.message;
			if (isInDoubt(one.message) && accepted.has(entry.saved.request)) entry.noteRequestAccepted();
		}
		for (const one of all) this.conclude(one, lookup);
	}

	private look(one: Waiting, lookup: Lookup | ServiceError, lookedAt: number): void {
		one.lookedAt = lookedAt;
		if (lookup instanceof ServiceError) one.says = 'unreadable';
		else if (isUndecided(one.message)) {
			one.says =
				this.judge.recognise(one.message, lookup) === 'uncertain' ? 'uncertain' : 'nothing';
		}
	}

	private conclude(one: Waiting, lookup: Lookup | ServiceError): void {
		const { message, says, lookedAt, failure, rejectedForMs } = one;
		const isLookupFinal = lookup instanceof ServiceError && !canPass(lookup);
		const isOver = lookedAt - message.entry.endedAt >= lastsMs(one) || isLookupFinal;
		if (isUndecided(message) && isInDoubt(message)) {
			if (!isOver) return;
			const isRejected = rejectedForMs !== undefined && !message.entry.saved.isRequestAccepted;
			const isToTell = isRejected
				? says === 'uncertain' ||
					(says === 'unreadable' && (message.isSentOnce || !isBlind(lookup)))
				: says !== 'nothing' || message.isSentOnce || message.entry.saved.isRequestAccepted;
			const why = failure ?? (lookup instanceof ServiceError ? lookup : undefined);
			if (isToTell) this.judge.reportUnknown(message, why, says);
		}
		this.end(one);
	}

	private end(one: Waiting, error?: Error): void {
		this.waiting.delete(one);
		one.end(error);
	}

	private endAll(error: Error): void {
		for (const one of [...this.waiting]) this.end(one, error);
	}
}

/** A key without access to history has to believe a rejection. */
function isBlind(lookup: Lookup | ServiceError): boolean {
	return lookup instanceof ServiceError && ['forbidden', 'notFound'].includes(lookup.kind);
}

/** A redirect can be temporary too; the doubt lasts long enough to see whether it persists. */
function canPass(failure: ServiceError): boolean {
	return isPassing(failure) || failure.kind === 'redirected';
}
