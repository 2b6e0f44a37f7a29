import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { mapInSteps } from '../steps';
import { checkBalance, deduct, findPrice, isKnownSender } from './account';
import { formatDateTime, parseDateTime } from './dateTime';
import { planSteps } from './delivery';
import { createEncryptKey, encryptMessage } from './encryption';
import { measureText, type TextSize } from './messageParts';
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
	const delays = await mapInSteps(
		orders,
		({ to }) => findBehaviour(state.settings, to).answerDelayMs,
	);
	const delayMs = delays.reduce((most: number, ms = 0) => Math.max(most, ms), 0);
	if (delayMs > 0) await pause(delayMs);
	const measure = createMeasure();
	const taken = await mapInSteps(orders, (order) => takeOrder(state, order, source, measure));
	const messages = taken.flatMap(({ message }) => message ?? []);
	const price = messages.reduce((sum, one) => sum + one.price, 0);
	checkBalance(state, price);
	const now = readClock(state);
	const laterFrom = isBulk(source) ? Math.ceil(messages.length / 2) : Infinity;
	const make = (index: number): StoredMessage =>
		stamp(state, messages[index]!, now, index >= laterFrom ? state.settings.bulkLagMs : 0);
	await storeMessages(state, messages.length, make, () => deduct(state, price));
	return taken;
}

function isBulk({ path }: Source): boolean {
	return path === '/rest/send/bulk';
}

function takeOrder(
	state: State,
	order: SendOrder,
	source: Source,
	measure: typeof measureText,
): Taken | Promise<Taken> {
	const refusal = findRefusal(state, order);
	if (refusal !== undefined) return { order, refusal };
	const size = measure(order.message, order.isUnicode);
	if (!order.encryption) return { order, message: createMessage(state, order, source, size) };
	return encrypt(order.message, order.encryption.key).then(({ content, encryptKey }) => {
		const message = createMessage(state, order, source, size);
		return { order, encryptKey, message: { ...message, message: content, encryptMessage: true } };
	});
}

/** Remembers the last text: a long text to a thousand recipients is measured once. */
function createMeasure(): typeof measureText {
	let last: { text: string; isUnicode: boolean; size: TextSize } | undefined;
	return (text, isUnicode) => {
		if (last?.text !== text || last.isUnicode !== isUnicode) {
			last = { text, isUnicode, size: measureText(text, isUnicode) };
		}
		return last.size;
	};
}

function findRefusal(state: State, { to, from }: SendOrder): string | undefined {
	const { refusal } = findBehaviour(state.settings, to);
	if (refusal === 'byStatus') throw new Refusal(400, 'We were unable to send your message.');
	return refusal === 'inBody' || !isKnownSender(state, from) ? 'Invalid Sender ID' : undefined;
}

const accepted = [{ status: 'Accepted', afterMs: 0 }];
const none: [] = [];

interface Encrypted {
	content: string;
	encryptKey: string;
}

async function encrypt(text: string, key: string | undefined): Promise<Encrypted> {
	const encryptKey = key ?? createEncryptKey();
	return { encryptKey, content: await encryptMessage(text, encryptKey) };
}

/** UUID version 7: begins with its time, so that an index grows at its end only. */
function createMessageId(nowMs: number): string {
	const time = Math.floor(nowMs).toString(16).padStart(12, '0');
	return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Leaves the times to `stamp`, which sets them when the message is stored. */
function createMessage(
	state: State,
	order: SendOrder,
	{ path: sentBy, number: requestNumber }: Source,
	{ parts, encoding }: TextSize,
): StoredMessage {
	const { to, from, message, clientReference, scheduledAt, isTest, deliveryReceiptUrl } = order;
	const isFree = isTest && !state.settings.testMessagesCost;
	return {
		...{
			messageId: createMessageId(readClock(state)),
			message,
			to,
			clientReference,
			scheduledAt,
			createdAt: '',
		},
		...{ messageCount: parts, from, network: findNetwork(to), type: 'sms.text' },
		...{ status: 'Accepted', test: isTest, finishedAt: null, createdAtMs: 0, mark: 0 },
		...{ listedFromMs: 0, deliveryReceiptUrl, sentBy, requestNumber, encoding },
		...{ price: isFree ? 0 : parts * findPrice(state, to) },
		...{ statuses: accepted, steps: [], owed: none, reported: none },
	};
}

function stamp(state: State, message: StoredMessage, now: number, lagMs: number): StoredMessage {
	const { to, scheduledAt } = message;
	const startMs = scheduledAt === null ? now : (parseDateTime(scheduledAt) ?? now);
	return Object.assign(message, {
		createdAt: formatDateTime(now),
		createdAtMs: now,
		listedFromMs: findListingTime(state, now, startMs) + lagMs,
		steps: planSteps(state.settings, to, startMs - now),
	});
}

function findListingTime({ settings, random }: State, nowMs: number, startMs: number): number {
	const { historyLagMs, historyLagJitterMs, unlistedScheduled } = settings;
	// Without jitter, nothing is drawn: other draws stay the same for the same seed.
	const jitterMs = historyLagJitterMs > 0 ? historyLagJitterMs * random() : 0;
	const listedFromMs = nowMs + historyLagMs + jitterMs;
	return unlistedScheduled ? Math.max(listedFromMs, startMs) : listedFromMs;
}
