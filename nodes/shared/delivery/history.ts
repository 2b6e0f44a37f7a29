import { Expiring } from '../n8n/Expiring';
import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { isRejection } from '../client/response';
import { isNotDelivered } from '../client/status';
import type { MessageRecord } from '../client/types';
import { InputError } from '../input/InputError';
import {
	bucketOf,
	comparableId,
	comparableReference as referenceOf,
	compareNumbers,
	compareSenders,
	compareTexts,
	type Comparison,
	MessageSet,
} from '../input/comparison';
import { toRecipientKey } from '../input/number';
import type { Ledger } from './memory';
import type { Listing } from './listing';
import { contentOf, type Channel, type Outgoing } from './message';
import type { Place, Window } from './serviceClock';

/** The run of each record that this process has met: history must not give it to another. */
const owners = new Expiring<string>(Infinity, 200_000);

/** What history shows for a message in doubt. */
export type Seen = MessageRecord | 'nothing' | 'uncertain';
/** What Skip If Already Sent finds. A message that is not in this map may be sent. */
export type Found = Map<Outgoing, MessageRecord | Error>;

const unclearReference =
	'History does not show its whole number, and several recipients have this Client Reference. Give each its own.';
const unclearContent =
	'Its time, number or text in history is not clear enough to tell. Check Service Time Zone in the credential, or change Look Back (Hours) by a few hours.';

/** What message history shows of the messages of a run. */
export class History {
	private readonly claimed: MessageSet;
	/** Of earlier messages that Skip If Already Sent sends once more. */
	private readonly undelivered = new MessageSet();
	private readonly numbersOf = new Map<string, Set<string>>();

	constructor(
		private readonly client: Pick<MessagingServiceClient, 'account'>,
		private readonly ledger: Pick<Ledger, 'scope' | 'records'>,
		private readonly channel: Channel,
		messages: Outgoing[],
	) {
		const records = ledger.records();
		this.claimed = new MessageSet(records);
		for (const one of [...messages.map(({ request }) => request), ...records]) {
			const reference = referenceOf(one.clientReference);
			const numbers = this.numbersOf.get(reference) ?? new Set();
			this.numbersOf.set(reference, numbers.add(toRecipientKey(String(one.to))));
		}
	}

	/** The record is that of a message of the run. */
	claim(record: MessageRecord): void {
		this.claimed.add(record);
		owners.set(this.nameOf(record), this.ledger.scope);
	}

	/** Whether this process knows the record as one of the run. */
	isOwn(record: MessageRecord): boolean {
		return owners.get(this.nameOf(record)) === this.ledger.scope;
	}

	/** Whether an equal message can have this record, too: not in bulk, and not if it was not delivered. */
	isFree(record: MessageRecord): boolean {
		const isTaken = !this.channel.hasReference && this.claimed.has(record);
		return !isTaken && !this.undelivered.has(record);
	}

	/**
	 * Finds the record of each message among those created in its window: that with its reference or, if it has none, its
	 * number, text and sender ID. Whatever else is left of its number and time makes it uncertain: services mask numbers,
	 * change texts and lose references.
	 * @param isInDoubt whether a request was made for the messages
	 */
	find(
		messages: Outgoing[],
		listing: Listing,
		windowOf: (message: Outgoing) => Window,
		isInDoubt: boolean,
	): Map<Outgoing, Seen> {
		const { clock } = listing;
		const used = new MessageSet();
		const isFree = (record: MessageRecord) => {
			const owner = owners.get(this.nameOf(record)) ?? this.ledger.scope;
			return owner === this.ledger.scope && !this.claimed.has(record) && !used.has(record);
		};
		const seen = new Map<Outgoing, Seen>();
		for (const message of messages) {
			const window = windowOf(message);
			const { clientReference } = message.request;
			const named = clientReference && listing.byReference.get(referenceOf(clientReference));
			const found = (named || recordsFor(message, listing)).find(
				(record) =>
					(isNamed(message, record) ||
						(this.isAlike(message, record) && clock.place(record, window) === 'inside')) &&
					isFree(record),
			);
			if (found) used.add(found);
			seen.set(message, found ?? 'nothing');
		}
		for (const message of messages) {
			const window = windowOf(message);
			const isLeft = (record: MessageRecord) => {
				const place = clock.place(record, window);
				if (place === 'outside' || !isFree(record)) return false;
				return isPossible(message, record, isInDoubt, place);
			};
			if (seen.get(message) === 'nothing' && recordsFor(message, listing).some(isLeft))
				seen.set(message, 'uncertain');
		}
		return seen;
	}

	/**
	 * Skip If Already Sent: the earlier record of each message, or an error if it is uncertain. A message that was not
	 * delivered is sent once more.
	 */
	findEarlier(messages: Outgoing[], listing: Listing): Found {
		const { lookBackMs } = this.channel;
		const since = Date.now() - (lookBackMs ?? Infinity);
		const found: Found = new Map();
		for (const message of messages) {
			let isUncertain = false;
			const lost: MessageRecord[] = [];
			// The oldest first: a newer one may be that of a message in doubt.
			const earlier = recordsFor(message, listing)
				.reverse()
				.find((record) => {
					const likeness = this.compareEarlier(message, record);
					if (likeness === 'other' || this.claimed.has(record)) return false;
					const place =
						lookBackMs === undefined ? 'inside' : listing.clock.placeSince(record, since);
					const isIt = likeness === 'equal' && place === 'inside';
					const isLost = isNotDelivered(record.status) || isRejection(record);
					if (isIt && isLost) lost.push(record);
					if (!isIt) isUncertain ||= place !== 'outside';
					return isIt && !isLost;
				});
			const record = earlier ?? (lost.length > 1 && !isUncertain ? lost.at(-1) : undefined);
			// In bulk, each record is that of one message.
			if (record && !this.channel.hasReference) this.claimed.add(record);
			for (const one of lost) this.undelivered.add(one);
			if (record) found.set(message, { ...record, alreadySent: true });
			else if (isUncertain) found.set(message, this.toUncertain());
		}
		return found;
	}

	private toUncertain(): InputError {
		const why = this.channel.hasReference ? unclearReference : unclearContent;
		const what = 'Message history shows a message that may be this one, sent earlier';
		const advice = `${why} To send the message anyway, turn off Skip If Already Sent.`;
		const outcome = 'Nothing was sent to this recipient.';
		return new InputError('skipIfAlreadySent', what, advice, { outcome });
	}

	/** Whether nothing but its time tells the record from that of the message. History shows ciphertext of encrypted texts. */
	private isAlike(message: Outgoing, record: MessageRecord): boolean {
		const { request, isUsersReference } = message;
		const content = contentOf(message);
		if (request.encrypt !== 1 && compareTexts(content, record) !== 'equal') return false;
		const listed = referenceOf(record.clientReference);
		if (this.channel.hasReference) {
			const isReference = isUsersReference && listed === referenceOf(request.clientReference);
			return isReference && this.compareNumber(message, record) === 'equal';
		}
		const isNumber = compareNumbers(request.to, record.to) === 'equal';
		return isNumber && compareSenders(content.from, record.from) === 'equal' && !isOfNode(listed);
	}

	/** A reference for one number of the run needs no number in history. */
	private compareNumber({ request }: Outgoing, record: MessageRecord): Comparison {
		const number = compareNumbers(request.to, record.to);
		const isOfOne = (this.numbersOf.get(referenceOf(request.clientReference))?.size ?? 1) === 1;
		return number === 'cannot tell' && isOfOne ? 'equal' : number;
	}

	private compareEarlier(message: Outgoing, record: MessageRecord): Comparison {
		const { request } = message;
		const isTest = /^(1|true)$/i.test(String(record.test));
		if (this.channel.hasReference) {
			const [own, listed] = [request, record].map((one) => referenceOf(one.clientReference));
			const isOne = own === listed && isTest === (request.test === 1);
			return isOne ? this.compareNumber(message, record) : 'other';
		}
		const parts = [
			isTest ? 'other' : 'equal',
			compareSenders(request.from, record.from),
			compareNumbers(request.to, record.to),
			compareTexts(request, record),
		];
		if (parts.includes('other')) return 'other';
		return parts.includes('cannot tell') ? 'cannot tell' : 'equal';
	}

	private nameOf(record: MessageRecord): string {
		return `${this.client.account} ${comparableId(record)}`;
	}
}

/** Records whose number can be that of the message; those that do not show theirs come last. */
function recordsFor({ request }: Outgoing, { byNumber }: Listing): MessageRecord[] {
	return [bucketOf(request.to), ''].flatMap((bucket) => byNumber.get(bucket) ?? []);
}

const isOfNode = (reference: string) => reference.startsWith('n8n-');

/** Whether the record has the reference that the node made for the message. */
function isNamed({ request, isUsersReference }: Outgoing, record: MessageRecord): boolean {
	const { clientReference } = request;
	if (clientReference === undefined || isUsersReference) return false;
	// The reference of a retry without memory is the beginning of that of the execution itself.
	return referenceOf(record.clientReference).startsWith(referenceOf(clientReference));
}

/**
 * Whether the record can be that of the message in another form. One of the time of its request can be, whatever its
 * text and sender ID, since services change both.
 */
function isPossible(
	message: Outgoing,
	record: MessageRecord,
	isSent: boolean,
	place: Place,
): boolean {
	const { request, isUsersReference } = message;
	const listed = referenceOf(record.clientReference);
	if (isOfNode(listed) || compareNumbers(request.to, record.to) === 'other') return false;
	if (request.clientReference !== undefined && listed !== '')
		return isUsersReference && listed === referenceOf(request.clientReference);
	if (isSent && place === 'inside') return true;
	return compareTexts(contentOf(message), record) !== 'other';
}
