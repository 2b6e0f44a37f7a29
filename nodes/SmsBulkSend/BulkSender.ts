import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import { ServiceError } from '../shared/client/ServiceError';
import type { MessageRecord } from '../shared/client/types';
import { openBulkDelivery } from './BulkDelivery';
import type { BulkSettings } from './bulkSettings';
import type { Delivery } from '../shared/delivery/Delivery';
import type { Ledger } from '../shared/delivery/ledger';
import { untilSettled, type Outgoing } from '../shared/delivery/Outgoing';
import type { SentMessage } from '../shared/delivery/pairing';

/** After as many messages the answers that came in meanwhile get their turn. */
const messagesBetweenTurns = 100;

/**
 * Packs messages into requests in the order in which they come, and sends each request as soon as it is full, while
 * later messages are still being read. Messages that are alike to the letter go one after the other, so that an
 * answer, or a record in history, always belongs to one of them.
 */
export class BulkSender {
	private waiting: Outgoing[] = [];
	private alike: Outgoing[] = [];
	private kinds = new Set<string>();
	private underWay: Array<Promise<void>> = [];
	private nextStart: Promise<void> = Promise.resolve();
	private taken = 0;
	private hasNewChunk = false;
	private isStopped = false;
	private readonly delivery: Delivery<Outgoing>;

	constructor(
		private readonly client: MessagingServiceClient,
		private readonly ledger: Ledger,
		private readonly settings: BulkSettings,
	) {
		this.delivery = openBulkDelivery(client, ledger, settings.lookBackMs);
	}

	/** Resolves with the record of the n-th message (`occurrence`) of an item to a number, or rejects. */
	async deliver(message: SentMessage, item: number, occurrence: number): Promise<MessageRecord> {
		const content = [message.message, message.from];
		const entry = this.ledger.entry(item, message.to, occurrence, content);
		if (entry.record) return entry.record;
		const { isSentOnce, isSkipping } = this.settings;
		return await untilSettled((settle) =>
			this.take({ ...message, entry, isSentOnce, isSkipping, settle }),
		);
	}

	/** Resolves when the next item may be read; as long as no further request is full, that is at once. */
	hasRoom(): Promise<void> | undefined {
		this.taken += 1;
		const isTurn = this.hasNewChunk || this.taken % messagesBetweenTurns === 0;
		this.hasNewChunk = false;
		return isTurn ? this.waitForRoom() : undefined;
	}

	/** Sends what is left once every item was read. */
	async sendRest(): Promise<void> {
		this.sendWaiting();
		await Promise.all(this.underWay);
		while (this.alike.length > 0) {
			const again = this.alike;
			this.alike = [];
			this.kinds = new Set();
			this.underWay = [];
			for (const outgoing of again) this.take(outgoing);
			this.sendWaiting();
			await Promise.all(this.underWay);
		}
	}

	/** Sends nothing more: an item failed, and the user chose to stop at that. */
	dropRest(): void {
		this.isStopped = true;
		drop([...this.waiting, ...this.alike]);
		this.waiting = [];
		this.alike = [];
	}

	private async waitForRoom(): Promise<void> {
		await this.nextStart;
		await this.delivery.hasRoom();
		// What came of the requests before is known by then: a failure may end the reading.
		await this.delivery.letGoOut();
	}

	private take(outgoing: Outgoing): void {
		const { to, message, from } = outgoing;
		if (this.isStopped) return drop([outgoing]);
		// Neither a number nor a sender ID has a line break.
		const kind = `${to}\n${from}\n${message}`;
		if (this.kinds.has(kind)) {
			this.alike.push(outgoing);
			return;
		}
		this.kinds.add(kind);
		this.waiting.push(outgoing);
		if (this.waiting.length >= this.settings.recipientsPerRequest) this.sendWaiting();
	}

	private sendWaiting(): void {
		const chunk = this.waiting;
		this.waiting = [];
		if (chunk.length === 0) return;
		this.hasNewChunk = true;
		const start = this.nextStart;
		this.nextStart = start.then(async () => await this.pause());
		this.underWay.push(start.then(async () => await this.send(chunk)));
	}

	private async send(chunk: Outgoing[]): Promise<void> {
		await this.delivery.deliver(chunk, () => this.isStopped);
	}

	private async pause(): Promise<void> {
		const { pauseBetweenRequests } = this.settings;
		// A stopped execution ends the pause; the requests themselves then find out.
		await this.client.pool.rest(pauseBetweenRequests).catch(() => undefined);
	}
}

function drop(messages: Outgoing[]): void {
	for (const { settle } of messages) settle(new ServiceError('cancelled'));
}
