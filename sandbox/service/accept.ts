import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredMessage } from '../entities';
import { noteArrival, readClock, type State } from '../state';
import { deduct, findPrice, isKnownSender } from './account';
import { formatDateTime, parseDateTime } from './dateTime';
import { planSteps } from './delivery';
import { createEncryptKey, encryptMessage } from './encryption';
import { storeMessages } from './messages';
import { findNetwork } from './phoneNumber';
import { Refusal } from './refusal';
import type { SendOrder } from './sendRequest';
import { findBehaviour } from './specialNumbers';

/** The request of a message. */
export interface Source {
	/** Without the base: /rest/send, /rest/send/bulk, /http/send. */
	path: string;
	number: number;
}

/** The outcome for one recipient: a message, or a rejection inside the 2xx. */
export interface Taken {
	order: SendOrder;
	message?: StoredMessage;
	refusal?: string;
	/** Only of an encrypted send. */
	encryptKey?: string;
}

/**
 * Creates messages from orders, and stores and charges all of them at once: no other request sees a part.
 *
 * @throws Refusal when the service rejects the whole request; nothing is stored then
 */
export async function acceptOrders(
	state: State,
	orders: SendOrder[],
	source: Source,
): Promise<Taken[]> {
	const { settings } = state;
	const delays = orders.map(({ to }) => findBehaviour(settings, to).answerDelayMs ?? 0);
	const delayMs = delays.reduce((most, ms) => Math.max(most, ms), 0);
	if (delayMs > 0) await pause(delayMs);
	const now = readClock(state);
	const taken = await Promise.all(orders.map((order) => takeOrder(state, order, source, now)));
	const messages = taken.flatMap(({ message }) => message ?? []);
	const price = messages.reduce((sum, one) => sum + one.price, 0);
	const lateFrom = source.path === '/rest/send/bulk' ? Math.ceil(messages.length / 2) : Infinity;
	for (const message of messages.slice(lateFrom)) message.listedFromMs += settings.bulkLagMs;
	deduct(state, price);
	storeMessages(state, messages);
	return taken;
}

async function takeOrder(
	state: State,
	order: SendOrder,
	source: Source,
	now: number,
): Promise<Taken> {
	const refusal = findRefusal(state, order);
	if (refusal !== undefined) return { order, refusal };
	const message = createMessage(state, order, source, now);
	if (!order.encryption) return { order, message };
	const encryptKey = order.encryption.key ?? createEncryptKey();
	const text = await encryptMessage(order.message, encryptKey);
	return { order, encryptKey, message: { ...message, message: text, encryptMessage: true } };
}

function findRefusal(state: State, { to, from }: SendOrder): string | undefined {
	const { refusal } = findBehaviour(state.settings, to);
	if (refusal === 'byStatus') throw new Refusal(400, 'We were unable to send your message.');
	return refusal === 'inBody' || !isKnownSender(state, from) ? 'Invalid Sender ID' : undefined;
}

/** UUID version 7: begins with its time, so that an index grows at its end only. */
function createMessageId(nowMs: number): string {
	const time = Math.floor(nowMs).toString(16).padStart(12, '0');
	return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

export function createMessage(
	state: State,
	order: SendOrder,
	{ path: sentBy, number: requestNumber }: Source,
	now: number,
): StoredMessage {
	const { to, from, message, clientReference, scheduledAt, isTest, deliveryReceiptUrl } = order;
	const { parts, encoding } = order.size;
	const isFree = isTest && !state.settings.testMessagesCost;
	const startMs = scheduledAt === null ? now : (parseDateTime(scheduledAt) ?? now);
	return {
		...{ messageId: createMessageId(now), message, to, clientReference, scheduledAt },
		...{
			createdAt: formatDateTime(now),
			createdAtMs: now,
			arrivedMs: noteArrival(state, now),
			mark: 0,
		},
		...{ messageCount: parts, encoding, from, network: findNetwork(to), type: 'sms.text' },
		...{ status: 'Accepted', test: isTest, finishedAt: null },
		...{ listedFromMs: findListingTime(state, now, startMs), deliveryReceiptUrl },
		...{ sentBy, requestNumber, price: isFree ? 0 : parts * findPrice(state, to) },
		statuses: [{ status: 'Accepted', afterMs: 0 }],
		steps: planSteps(state.settings, to, startMs - now),
		reported: [],
	};
}

function findListingTime({ settings }: State, nowMs: number, startMs: number): number {
	const listedFromMs = nowMs + settings.historyLagMs;
	return settings.unlistedScheduled ? Math.max(listedFromMs, startMs) : listedFromMs;
}
