import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { asServiceError, ServiceError } from '../client/ServiceError';
import type { MessageRecord } from '../client/types';
import { digitsOf } from '../validation/recipient';
import type { Ledger } from './ledger';
import { lookUp, type Lookup } from './lookUp';
import { isInDoubt, isUndecided, toOutcomeUnknown, type Channel, type Outgoing } from './Outgoing';
import type { Recognition } from './Recognition';

/** What history says of messages; what is not in it may be sent. */
export type Found = Map<Outgoing, MessageRecord | Error>;

/** Reads history before anything is sent, wherever messages of the run may be there already. */
export class LookBack {
	/** Records of messages that this execution has not sent itself, and that can be of another run. */
	readonly adopted: MessageRecord[] = [];

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly channel: Channel,
		private readonly recognition: Recognition,
	) {}

	/**
	 * Looks for messages that another retry of this execution or, with Skip If Already Sent, an earlier execution has
	 * sent: n8n begins each retry from the memory of the first execution. One reading serves all of them.
	 * @throws ServiceError when history cannot be read
	 */
	async find(messages: Outgoing[]): Promise<Found> {
		const { isRetry, startedAt } = this.ledger;
		const fresh = messages.filter((message) => isUndecided(message) && !isInDoubt(message));
		const wanted = isRetry ? fresh : fresh.filter(({ isSkipping }) => isSkipping);
		const found: Found = new Map();
		if (wanted.length === 0) return found;
		const isSkipping = wanted.some((message) => message.isSkipping);
		const now = Date.now();
		const { lookBackMs = Infinity } = this.channel;
		const since = Math.min(isSkipping ? now - lookBackMs : now, isRetry ? startedAt : now);
		const numbers = new Set(wanted.map(({ request }) => digitsOf(request.to)));
		const lookup = await lookUp(this.client, numbers, since).catch(asServiceError);
		if (lookup instanceof ServiceError) {
			this.bearBlindness(lookup, isSkipping);
			return found;
		}
		for (const message of wanted) {
			const record = this.findBefore(message, lookup, now);
			if (record && !(record instanceof Error)) this.recognition.take(record, true);
			if (record) found.set(message, record);
		}
		return found;
	}

	private findBefore(
		message: Outgoing,
		lookup: Lookup,
		now: number,
	): MessageRecord | Error | undefined {
		const { isRetry, startedAt } = this.ledger;
		const earlier = message.isSkipping
			? this.recognition.findEarlier(message, lookup, now)
			: undefined;
		if (earlier instanceof Error) return earlier;
		if (earlier) return { ...earlier, alreadySent: true };
		if (!isRetry) return undefined;
		const window = { from: startedAt, to: now };
		const match = this.recognition.match(message, lookup, window, false);
		if (match === 'absent') return undefined;
		if (match === 'uncertain') return toOutcomeUnknown(message, undefined, 'uncertain');
		const { found, isCertain } = match;
		if (!isCertain && !this.recognition.isKnown(found)) this.adopted.push(found);
		return found;
	}

	/**
	 * A key without access to history must still be able to retry: it is told once that another retry may have sent the
	 * messages, and the retry of this one sends them.
	 */
	private bearBlindness(failure: ServiceError, isSkipping: boolean): void {
		const isForGood = failure.kind === 'forbidden' || failure.kind === 'notFound';
		if (isSkipping || !isForGood) throw failure;
		if (this.ledger.tellBlindness()) throw failure.with({ code: 'blindRetry' });
	}
}
