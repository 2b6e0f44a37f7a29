import type { MessagingServiceClient } from '../client/MessagingServiceClient';
import { ServiceError } from '../client/ServiceError';
import type { MessageRecord, SendRequest } from '../client/types';
import { digitsOf } from '../validation/recipient';
import { Delivery, letOthersGoOn } from './Delivery';
import { filtersFor, searchHistory } from './historySearch';
import { KnownAccount } from './KnownAccount';
import type { Ledger, LedgerEntry } from './ledger';
import { untilSettled, type Answers, type Match, type Outgoing, type Way } from './Outgoing';
import { comparableText } from './pairing';
import type { Window } from './ServiceClock';
import { deliveryTiming } from './timing';

export interface SingleMessage {
	request: SendRequest & { clientReference: string };
	surface: 'rest' | 'http';
	entry: LedgerEntry;
	/** Whether the reference is the user's: other messages may carry the same one. */
	isUsersReference: boolean;
	/** No second request goes out while the outcome of one is unknown. */
	isSentOnce: boolean;
	/** Option Skip If Already Sent: any message with this reference and number stands for this one. */
	isSkipping?: boolean;
}

type SingleOutgoing = Outgoing &
	SingleMessage & {
		/** Thrown in place of sending when history shows no earlier message. */
		unlessFound?: Error;
	};

/** Messages that carry a reference, by which history tells them apart. */
class ByReference implements Way<SingleOutgoing> {
	private readonly known: KnownAccount;

	constructor(private readonly client: MessagingServiceClient) {
		this.known = KnownAccount.of(client.account);
	}

	async send([{ request, surface }]: SingleOutgoing[]): Promise<Answers> {
		return await this.client.send(request, surface).then(
			({ record }) => [record],
			(error: unknown) => {
				if (!(error instanceof ServiceError)) throw error;
				throw error.mapLate(({ record }: { record: MessageRecord }) => [record]);
			},
		);
	}

	recognise(message: SingleOutgoing, records: MessageRecord[], window: Window): Match {
		const { isUsersReference, clientReference } = message;
		const place = ({ createdAt }: MessageRecord) => this.known.clock.place(createdAt, window);
		const isFree = (record: MessageRecord) => !this.known.isRecordOfSend(record);
		const named = records.filter((record) => record.clientReference === clientReference);
		if (!isUsersReference) {
			if (named.length > 0) return { found: named[0] };
			// A history that leaves references out must not make us send a second time.
			const isLikeIt = (record: MessageRecord) =>
				!record.clientReference && hasTextOf(record, message) && place(record) === 'inside';
			return records.some((record) => isLikeIt(record) && isFree(record)) ? 'riddle' : 'absent';
		}
		const near = named.filter((record) => isFree(record) && place(record) !== 'outside');
		const found = near.find((record) => place(record) === 'inside' && hasTextOf(record, message));
		if (found) return { found };
		return near.length > 0 ? 'riddle' : 'absent';
	}

	/** The message that history already knows by this reference and number, whenever it was sent. */
	async findEarlier(message: SingleOutgoing): Promise<MessageRecord | undefined> {
		const found = await findSent(this.client, message);
		if (!found && message.unlessFound) throw message.unlessFound;
		return found;
	}
}

/** The newest message in history with this reference to this number. */
export async function findSent(
	client: MessagingServiceClient,
	{ to, clientReference }: Pick<SingleOutgoing, 'to' | 'clientReference'>,
): Promise<MessageRecord | undefined> {
	const isIt = (record: MessageRecord) =>
		record.clientReference === clientReference && digitsOf(record.to) === digitsOf(to);
	const filters = filtersFor({ to: digitsOf(to) });
	const { clock } = KnownAccount.of(client.account);
	const records = await searchHistory(client, filters, clock, (page) => page.some(isIt));
	return records.find(isIt);
}

/** The text that is under way, where it can be told: history shows an encrypted message by its cipher. */
function hasTextOf(record: MessageRecord, { request, entry, message }: SingleOutgoing): boolean {
	if (request.encrypt) return true;
	return comparableText(record.message) === comparableText(entry.sent?.message ?? message);
}

/** Brings single messages to the service, each in a request of its own. */
export class SingleDelivery {
	private readonly delivery: Delivery<SingleOutgoing>;
	private readonly known: KnownAccount;
	private isStopped = false;

	constructor(client: MessagingServiceClient, ledger: Ledger) {
		this.known = KnownAccount.of(client.account);
		const way = new ByReference(client);
		this.delivery = new Delivery(client, ledger, way, deliveryTiming.mostUndecided);
	}

	/** Sends nothing more: an item failed, and the user chose to stop at that. */
	stop(): void {
		this.isStopped = true;
	}

	/** Resolves when the next message may be begun. */
	async hasRoom(): Promise<void> {
		// What was begun before gets its turn first, to take its place.
		await letOthersGoOn();
		await this.delivery.hasRoom();
		// And so does the answer that made the room: it can be the refusal that stops the run.
		await letOthersGoOn();
	}

	/**
	 * Resolves with the record, which has `alreadySent: true` where nothing was sent. Messages with the same reference
	 * to the same number go one after the other, in all executions of this process, to be told apart.
	 */
	async deliver(message: SingleMessage): Promise<MessageRecord> {
		if (!message.isUsersReference) return await this.deliverNow(message);
		const { to, clientReference } = message.request;
		const key = `${digitsOf(to)} ${clientReference}`;
		const before = this.known.findSend(key);
		const delivery = this.deliverAfter(message, before);
		this.known.noteSend(key, delivery);
		return await delivery;
	}

	private async deliverAfter(
		message: SingleMessage,
		before: ReturnType<KnownAccount['findSend']>,
	): Promise<MessageRecord> {
		if (!before || (!before.isUnderWay && !message.isSkipping))
			return await this.deliverNow(message);
		const twin = await before.delivery.catch((error: unknown) => error);
		if (!message.isSkipping) return await this.deliverNow(message);
		if (!(twin instanceof Error)) return { ...(twin as MessageRecord), alreadySent: true };
		// Whether the twin is there, and this message to be skipped, nobody knows.
		const isLeftUndecided = twin instanceof ServiceError && twin.mayHaveActed;
		return await this.deliverNow(message, isLeftUndecided ? twin : undefined);
	}

	private async deliverNow(message: SingleMessage, unlessFound?: Error): Promise<MessageRecord> {
		const { request, isSkipping = false } = message;
		const { to, message: text, from, clientReference } = request;
		const content = { to, message: text, from, clientReference };
		return await untilSettled((settle) => {
			const outgoing = { ...message, ...content, isSkipping, unlessFound, settle };
			void this.delivery.deliver([outgoing], () => this.isStopped);
		});
	}
}
