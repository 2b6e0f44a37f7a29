import { isRejection } from '../client/response';
import { isNotDelivered } from '../client/status';
import type { MessageRecord } from '../client/types';
import { declareError, type InputError } from '../input/InputError';
import {
	bucketOf,
	comparableReference,
	compareNumbers,
	compareSenders,
	compareTexts,
	MessageSet,
	type Comparison,
} from '../input/comparison';
import { digitsOf } from '../input/recipient';
import type { AccountMemory } from './account';
import type { Lookup } from './history';
import { contentOf, toContentKey } from './identity';
import type { Ledger } from './memory';
import type { Channel, Outgoing } from './Outgoing';
import { isOfRun } from './pages';
import type { Window } from './serviceTimes';

export type Match = { found: MessageRecord; isCertain: boolean } | 'uncertain' | 'absent';

/**
 * How a record in history relates to a message, apart from its time: certainly this message, one like it, perhaps
 * this message in another form, or another message.
 */
export type Likeness = 'certain' | 'alike' | 'maybe' | 'other';

const perhapsEarlier = declareError(
	'Message history shows a message that may be this one, sent earlier',
	'<why> To send the message anyway, turn off Skip If Already Sent.',
	'Nothing was sent to this recipient.',
);
const unclearReference =
	'History does not show its whole number, and several recipients have this Client Reference. Give each its own.';
const unclearContent =
	'Its time, number or text in history is not clear enough to tell. Check Service Time Zone in the credential, or change Look Back (Hours) by a few hours.';

function isTest({ test }: MessageRecord): boolean {
	return /^(1|true)$/i.test(String(test));
}

/** History shows only the ciphertext of an encrypted message. */
function compareContent(message: Outgoing, record: MessageRecord): Comparison {
	return message.request.encrypt === 1 ? 'equal' : compareTexts(contentOf(message), record);
}

/** Matches records in history with the messages of a run. Each record matches one message. */
export class Recognition {
	private readonly claimed: MessageSet;
	/** Records of lookups, of messages that may be sent once more. */
	readonly undelivered = new MessageSet();
	/** Records of lookups that were found not to be free: among thousands, each message meets them. */
	private readonly taken = new WeakSet<MessageRecord>();
	/** Sender ID and text of all messages of the run, with and without their number. */
	private readonly contents = new Set<string>();
	/** Until they are learned. */
	private expected?: Outgoing[] = [];
	private readonly numbersByReference = new Map<string, Set<string>>();

	constructor(
		private readonly account: AccountMemory,
		private readonly ledger: Pick<Ledger, 'scope' | 'records' | 'isOfOtherRun' | 'hasLostMemory'>,
		private readonly channel: Channel,
	) {
		this.claimed = new MessageSet(ledger.records());
	}

	/** A record like another message of the run is not a message in another form. */
	expect(messages: Outgoing[]): void {
		this.expected = messages;
	}

	/** Only once there is something to compare: a run without a doubt does without. */
	private learn(): void {
		const messages = this.expected;
		if (!messages) return;
		this.expected = undefined;
		for (const message of messages) {
			const { request } = message;
			const content = toContentKey(contentOf(message));
			this.contents.add(content).add(`${bucketOf(request.to)}\n${content}`);
		}
		// Also of those that an earlier attempt has sent.
		for (const one of [...messages.map(({ request }) => request), ...this.ledger.records()]) {
			const reference = comparableReference(one.clientReference);
			const numbers = this.numbersByReference.get(reference) ?? new Set();
			this.numbersByReference.set(reference, numbers.add(digitsOf(String(one.to))));
		}
	}

	/** The record counts for a message of the run. */
	use(record: MessageRecord): void {
		this.claimed.add(record);
	}

	/** The record is that of a message of the run. */
	claim(record: MessageRecord, isLookedUp: boolean): void {
		this.use(record);
		this.account.claim(record, { scope: this.ledger.scope, isLookedUp });
	}

	/** Whether this process knows the record as one of the run. */
	isKnown(record: MessageRecord): boolean {
		const owner = this.account.ownerOf(record);
		return owner !== undefined && isOfRun(owner.scope, this.ledger.scope);
	}

	/**
	 * Finds the record of a message among those created in a window.
	 * @param isInDoubt whether a request for the message has been sent
	 */
	match(message: Outgoing, lookup: Lookup, window: Window, isInDoubt: boolean): Match {
		const { hasReference } = this.channel;
		let isUncertain = false;
		const lists = lookup.like({ ...contentOf(message), to: message.request.to });
		for (const [n, records] of lists.entries()) {
			for (const record of records) {
				// Of bulk messages, only a record in the first list can be for certain.
				if (n > 0 && isUncertain && !hasReference) return 'uncertain';
				if (!this.isFree(record)) continue;
				const likeness = this.compare(message, record, isInDoubt);
				const isWeaker = likeness === 'maybe' && isUncertain;
				if (likeness === 'other' || isWeaker) continue;
				if (likeness === 'certain') return { found: record, isCertain: true };
				const place = lookup.times.place(record, window, true);
				const isFound = likeness === 'alike' && place === 'inside';
				if (isFound && !this.account.isReserved(record, this.ledger.scope))
					return { found: record, isCertain: false };
				isUncertain ||= place !== 'outside';
			}
		}
		return isUncertain ? 'uncertain' : 'absent';
	}

	/** The evidence, strongest first: the reference, then number and text of what has none. */
	compare(message: Outgoing, record: MessageRecord, isInDoubt: boolean): Likeness {
		const listed = comparableReference(record.clientReference);
		const { hasReference } = this.channel;
		if (listed !== '' && hasReference) return this.compareReferences(message, listed, record);
		// Of a single message of these nodes.
		if (listed.startsWith('n8n-')) return 'other';
		const number = compareNumbers(message.request.to, record.to);
		if (number === 'other') return 'other';
		const text = compareContent(message, record);
		const isSender = hasReference || record.from === contentOf(message).from;
		const isAlike = number === 'equal' && text === 'equal' && isSender;
		// Neither a history without references nor a service with its own must cause a second send.
		if (isAlike) return hasReference || listed !== '' ? 'maybe' : 'alike';
		if (text !== 'other' && isSender) return 'maybe';
		// Nor must a service that changes sender IDs, or, where n8n has kept nothing, texts.
		const isOneChanged = text !== 'other' || (this.ledger.hasLostMemory && isSender);
		return (isInDoubt || isOneChanged) && !this.isOfAnother(record) ? 'maybe' : 'other';
	}

	private compareReferences(message: Outgoing, listed: string, record: MessageRecord): Likeness {
		const { request, isUsersReference } = message;
		const own = comparableReference(request.clientReference);
		// The reference of a retry without memory is the beginning of that of the execution itself.
		if (!isUsersReference) return listed.startsWith(own) ? 'certain' : 'other';
		if (listed !== own) return 'other';
		const number = this.compareNumbersOf(message, record);
		if (number === 'other') return 'other';
		return number === 'equal' && compareContent(message, record) === 'equal' ? 'alike' : 'maybe';
	}

	/** A reference for one number of the run needs no number in history. */
	private compareNumbersOf({ request }: Outgoing, record: MessageRecord): Comparison {
		this.learn();
		const number = compareNumbers(request.to, record.to);
		const reference = comparableReference(request.clientReference);
		const isOfOne = (this.numbersByReference.get(reference)?.size ?? 1) === 1;
		return number === 'cannot tell' && isOfOne ? 'equal' : number;
	}

	/**
	 * Skip If Already Sent: the earlier record of a message, or an error if it is uncertain. A message that was not
	 * delivered is sent once more: a schedule must not pay for a dead number every day.
	 */
	findEarlier(
		message: Outgoing,
		lookup: Lookup,
		now: number,
	): MessageRecord | InputError | undefined {
		if (!message.isSkipping) return undefined;
		const { lookBackMs, hasReference } = this.channel;
		let isUncertain = false;
		const notDelivered: MessageRecord[] = [];
		for (const record of lookup.near(message.request.to)) {
			const likeness = this.compareEarlier(message, record);
			if (likeness === 'other' || (!hasReference && this.claimed.has(record))) continue;
			const window = { from: now - (lookBackMs ?? Infinity), to: now };
			const place = lookBackMs === undefined ? 'inside' : lookup.times.place(record, window);
			const isEarlier = likeness === 'equal' && place === 'inside';
			const isLost = isNotDelivered(record.status) || isRejection(record);
			if (isEarlier && isLost) notDelivered.push(record);
			else if (isEarlier) return { ...record, alreadySent: true };
			else isUncertain ||= place !== 'outside';
		}
		const why = hasReference ? unclearReference : unclearContent;
		if (isUncertain) return perhapsEarlier('skipIfAlreadySent', { why });
		for (const record of notDelivered) this.undelivered.add(record);
		return notDelivered.length > 1 ? { ...notDelivered[0], alreadySent: true } : undefined;
	}

	private compareEarlier(message: Outgoing, record: MessageRecord): Comparison {
		const { request } = message;
		if (this.channel.hasReference) {
			const [own, listed] = [request.clientReference, record.clientReference];
			const isReference = comparableReference(own) === comparableReference(listed);
			const isOne = isReference && isTest(record) === (request.test === 1);
			return isOne ? this.compareNumbersOf(message, record) : 'other';
		}
		if (isTest(record)) return 'other';
		const parts = [
			compareSenders(request.from, record.from),
			compareNumbers(request.to, record.to),
			compareTexts(request, record),
		];
		if (parts.includes('other')) return 'other';
		return parts.includes('cannot tell') ? 'cannot tell' : 'equal';
	}

	private isOfAnother(record: MessageRecord): boolean {
		this.learn();
		const bucket = bucketOf(record.to);
		const content = toContentKey(record);
		return this.contents.has(bucket === '' ? content : `${bucket}\n${content}`);
	}

	private isFree(record: MessageRecord): boolean {
		if (this.taken.has(record)) return false;
		const { scope } = this.ledger;
		const owner = this.account.ownerOf(record);
		const isShownToOthers =
			owner !== undefined && !isOfRun(owner.scope, scope) && !owner.isLookedUp;
		const isOfOthers = isShownToOthers || this.ledger.isOfOtherRun(record);
		const isFree = !isOfOthers && !this.claimed.has(record);
		if (!isFree) this.taken.add(record);
		return isFree;
	}
}
