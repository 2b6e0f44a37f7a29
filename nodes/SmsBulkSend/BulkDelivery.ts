import type { BulkAnswer, MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { isAcceptance } from '../shared/client/answer';
import { isRefusal } from '../shared/client/refusal';
import { ServiceError } from '../shared/client/ServiceError';
import type { BulkMessage, MessageRecord } from '../shared/client/types';
import { Delivery } from '../shared/delivery/Delivery';
import { readAllSince, type RecordsByNumber } from '../shared/delivery/historySearch';
import { KnownAccount, nameOf } from '../shared/delivery/KnownAccount';
import type { Ledger } from '../shared/delivery/ledger';
import type { Answers, Match, Outgoing, Way } from '../shared/delivery/Outgoing';
import { comparableText, groupBy, pairAnswers, type SentMessage } from '../shared/delivery/pairing';
import type { Window } from '../shared/delivery/ServiceClock';
import { deliveryTiming } from '../shared/delivery/timing';
import { digitsOf } from '../shared/validation/recipient';

/** The same text from the same sender ID is one entry with several recipients. */
export function collapse(outgoing: SentMessage[]): BulkMessage[] {
	const entries = new Map<string, BulkMessage>();
	for (const { to, message, from } of outgoing) {
		// A sender ID has no line break.
		const key = `${from}\n${message}`;
		const entry = entries.get(key);
		if (entry) entry.to.push(to);
		else entries.set(key, { to: [to], message, from });
	}
	return [...entries.values()];
}

/**
 * Bulk messages carry no reference ("Bulk send request"): history tells them by number, text, sender ID and time. No
 * two messages of one delivery that are under way at the same time may be alike; the caller sees to it.
 */
class ByContent implements Way<Outgoing> {
	private readonly known: KnownAccount;
	/** All messages that were sent, by number: a record that is like none of them is a riddle. */
	private readonly sent = new Map<string, SentMessage[]>();
	private earlier?: Promise<RecordsByNumber>;
	/** The records that stand for messages of this run already. */
	private readonly taken: Set<string>;

	constructor(
		private readonly client: MessagingServiceClient,
		/** Records of messages that this run has sent before. */
		records: MessageRecord[],
		/** Option Look Back (Hours), in milliseconds. */
		private readonly lookBackMs: number,
	) {
		this.known = KnownAccount.of(client.account);
		this.taken = new Set(records.map(nameOf));
	}

	async send(messages: Outgoing[]): Promise<Answers> {
		for (const message of messages) {
			const number = digitsOf(message.to);
			const sent = this.sent.get(number);
			if (sent) sent.push(message);
			else this.sent.set(number, [message]);
		}
		const read = (answer: BulkAnswer) => this.readAnswers(messages, answer);
		return await this.client.sendBulk(collapse(messages)).then(read, (error: unknown) => {
			throw error instanceof ServiceError ? error.mapLate(read) : error;
		});
	}

	private readAnswers(messages: Outgoing[], { records, toRefusal }: BulkAnswer): Answers {
		return pairAnswers(messages, records).map((record) => {
			if (record && isRefusal(record)) return toRefusal(record);
			return record && isAcceptance(record) ? record : undefined;
		});
	}

	recognise(message: Outgoing, records: MessageRecord[], window: Window): Match {
		const { clock } = this.known;
		const placed = records
			.filter((record) => isWithoutReference(record) && !this.known.isRecordOfSend(record))
			.map((record) => ({ record, place: clock.place(record.createdAt, window) }))
			.filter(({ place }) => place !== 'outside');
		const alike = placed.filter(({ record }) => isAlike(record, message.entry.sent ?? message));
		const found = alike.find(({ place }) => place === 'inside');
		if (found) {
			this.taken.add(nameOf(found.record));
			return { found: found.record };
		}
		// A service that changes texts or sender IDs must not make us send a second time.
		const others = this.sent.get(digitsOf(message.to)) ?? [];
		const isOfNone = (record: MessageRecord) => !others.some((other) => isAlike(record, other));
		const isRiddle =
			alike.length > 0 ||
			placed.some(({ place, record }) => place === 'inside' && isOfNone(record));
		return isRiddle ? 'riddle' : 'absent';
	}

	/** One reading of history serves all messages; each record stands for one of them. */
	async findEarlier({ to, ...text }: SentMessage): Promise<MessageRecord | undefined> {
		this.earlier ??= this.readEarlier();
		const records = (await this.earlier).get(digitsOf(to)) ?? [];
		const found = records.find(
			(record) => isAlike(record, text) && !this.taken.has(nameOf(record)) && !isRefusal(record),
		);
		if (found) this.taken.add(nameOf(found));
		return found;
	}

	private async readEarlier(): Promise<RecordsByNumber> {
		const since = Date.now() - this.lookBackMs;
		return groupBy(await readAllSince(this.client, since, this.known), ({ to }) => digitsOf(to));
	}
}

function isAlike(record: MessageRecord, { message, from }: Omit<SentMessage, 'to'>): boolean {
	return record.from === from && comparableText(record.message) === comparableText(message);
}

function isWithoutReference({ clientReference }: MessageRecord): boolean {
	return clientReference === undefined || clientReference === null || clientReference === '';
}

/** Brings messages to the service in bulk requests. */
export function openBulkDelivery(
	client: MessagingServiceClient,
	ledger: Ledger,
	lookBackMs: number,
): Delivery<Outgoing> {
	const way = new ByContent(client, ledger.records(), lookBackMs);
	return new Delivery(client, ledger, way, deliveryTiming.mostUndecidedRequests);
}

/** Tells of one message after the other whether history holds it already, without sending any. */
export function openLookBack(
	client: MessagingServiceClient,
	lookBackMs: number,
): (message: SentMessage) => Promise<boolean> {
	const way = new ByContent(client, [], lookBackMs);
	return async (message) => (await way.findEarlier(message)) !== undefined;
}
