import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { asServiceError, ServiceError } from '../client/failure';
import type { MessageRecord } from '../client/types';
import { digitsOf } from '../input/recipient';
import type { Ledger } from './memory';
import { lookUp, type Lookup } from './history';
import { toOutcomeUnknown } from './message';
import { isInDoubt, isUndecided, type Channel, type Outgoing } from './Outgoing';
import type { Recognition } from './recognition';

/** What history shows for messages. A message that is not in this map may be sent. */
export type Found = Map<Outgoing, MessageRecord | Error>;

/** Looks up, before anything is sent, messages that may already have been sent. */
export class AlreadySent {
	/** Records counted as messages of an earlier retry, although another run may have sent them. */
	readonly adopted: MessageRecord[] = [];

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly channel: Channel,
		private readonly recognition: Recognition,
	) {}

	/**
	 * Finds messages that another retry of this execution or, with Skip If Already Sent, an earlier execution has sent:
	 * n8n starts each retry from the memory of the first execution. One lookup serves all of them.
	 * @throws ServiceError when history cannot be read
	 */
	async find(messages: Outgoing[]): Promise<Found> {
		const { isRetry, startedAt } = this.ledger;
		const fresh = messages.filter((message) => isUndecided(message) && !isInDoubt(message));
		const wanted = isRetry ? fresh : fresh.filter(({ isSkipping }) => isSkipping);
		const found: Found = new Map();
		if (wanted.length === 0) return found;
		if (isRetry && this.ledger.isOfOtherAccount(this.client.account))
			this.warnOnce(new ServiceError('forbidden', { history: 'otherAccount' }));
		const isSkipping = wanted.some((message) => message.isSkipping);
		const now = this.ledger.now();
		const { lookBackMs = Infinity } = this.channel;
		const since = Math.min(isSkipping ? now - lookBackMs : now, isRetry ? startedAt : now);
		const numbers = new Set(wanted.map(({ request }) => digitsOf(request.to)));
		const lookup = await lookUp(this.client, numbers, { since, now: this.ledger.now }).catch(
			asServiceError,
		);
		if (lookup instanceof ServiceError) {
			// A key without access to history must still be able to retry.
			if (isSkipping || !lookup.isOfAccess) throw lookup;
			this.warnOnce(lookup);
			return found;
		}
		for (const message of wanted) {
			const record = this.findBefore(message, lookup, now);
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
		const earlier = this.recognition.findEarlier(message, lookup, now);
		if (earlier instanceof Error) return earlier;
		if (earlier) {
			// Another execution that has not got its response yet keeps the record.
			this.recognition.use(earlier);
			return earlier;
		}
		if (!isRetry) return undefined;
		const window = { from: startedAt, to: now };
		const match = this.recognition.match(message, lookup, window, false);
		if (match === 'absent') return undefined;
		if (match === 'uncertain') return toOutcomeUnknown(message.entry.saved, 'uncertain', now);
		const { found, isCertain } = match;
		if (!isCertain && !this.recognition.isKnown(found)) this.adopted.push(found);
		this.recognition.claim(found, true);
		return found;
	}

	/** The first retry fails and warns that another retry may have sent the messages; a retry of that one sends them. */
	private warnOnce(failure: ServiceError): void {
		if (this.ledger.tellBlindness()) throw failure.with({ code: 'blindRetry' });
	}
}
