import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { doInSteps, mapInSteps } from '../steps';
import { deduct, findPrice, isKnownSender } from './account';
import { formatDateTime, parseDateTime } from './dateTime';
import { planSteps } from './delivery';
import { createEncryptKey, encryptMessage } from './encryption';
import { measureText, type TextSize } from './messageParts';
import { fewMessages, storeInSteps, storeMessages } from './messages';
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
 * Creates messages from orders, and stores and charges all of them in one turn: no other request sees a part.
 *
 * @throws Refusal when the service rejects the whole request; nothing is stored then
 */
export async function acceptOrders(
	state: State,
	orders: SendOrder[],
	source: Source,
): Promise<Taken[]> {
	const delayMs = orders.reduce(
		(most, { to }) => Math.max(most, findBehaviour(state.settings, to).answerDelayMs ?? 0),
		0,
	);
	if (delayMs > 0) await pause(delayMs);
	const measure = createMeasure();
	const taken = await mapInSteps(orders, (order) => takeOrder(state, order, source, measure));
	const messages = taken.flatMap(({ message }) => message ?? []);
	const price = messages.reduce((sum, one) => sum + one.price, 0);
	const stampAll = (now: number): void => {
		for (const message of messages) stamp(state, message, now);
		if (source.path === '/rest/send/bulk') listSecondHalfLater(messages, state.settings.bulkLagMs);
	};
	if (messages.length <= fewMessages) {
		// No await from here on: balance and messages must change in one turn.
		deduct(state, price);
		stampAll(readClock(state));
		storeMessages(state, messages);
		return taken;
	}
	const begun = readClock(state);
	stampAll(begun);
	const store = storeInSteps(
		state,
		messages.length,
		(index) => messages[index]!,
		() => {
			deduct(state, price);
			return readClock(state) - begun;
		},
	);
	await doInSteps(store);
	return taken;
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

function stamp(state: State, message: StoredMessage, now: number): void {
	const { to, scheduledAt } = message;
	const startMs = scheduledAt === null ? now : (parseDateTime(scheduledAt) ?? now);
	message.createdAt = formatDateTime(now);
	message.createdAtMs = now;
	message.listedFromMs = findListingTime(state, now, startMs);
	message.steps = planSteps(state.settings, to, startMs - now);
}

function findListingTime({ settings, random }: State, nowMs: number, startMs: number): number {
	const { historyLagMs, historyLagJitterMs, unlistedScheduled } = settings;
	// Without jitter, nothing is drawn: other draws stay the same for the same seed.
	const jitterMs = historyLagJitterMs > 0 ? historyLagJitterMs * random() : 0;
	const listedFromMs = nowMs + historyLagMs + jitterMs;
	return unlistedScheduled ? Math.max(listedFromMs, startMs) : listedFromMs;
}

function listSecondHalfLater(messages: StoredMessage[], lagMs: number): void {
	if (lagMs === 0) return;
	const secondHalf = messages.slice(Math.ceil(messages.length / 2));
	for (const message of secondHalf) message.listedFromMs += lagMs;
}
