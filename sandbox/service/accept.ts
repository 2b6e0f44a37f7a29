import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { doInTurns, Turn, type Work } from '../turns';
import { deduct, findPrice, isKnownSender } from './account';
import { shareChanges, shareReported, shareSteps } from './changes';
import { formatDateTime, parseDateTime } from './dateTime';
import { planSteps } from './delivery';
import { createEncryptKey, encryptMessage } from './encryption';
import { measureText, type TextSize } from './messageParts';
import { storeMessagesInTurns } from './messages';
import { findNetwork } from './phoneNumber';
import { Refusal } from './refusal';
import type { SendOrder } from './sendRequest';
import { findBehaviour } from './specialNumbers';

/** The request that messages came by. */
export interface Source {
	/** Without the base: /rest/send, /rest/send/bulk, /http/send. */
	path: string;
	number: number;
}

/** What became of one recipient: a message, or a refusal inside the 2xx. */
export interface Taken {
	order: SendOrder;
	message?: StoredMessage;
	refusal?: string;
	/** Of an encrypted send. */
	encryptKey?: string;
}

/**
 * Makes messages of orders in turns, and stores and charges all of them in one: nobody sees a part of them.
 *
 * @throws Refusal when nothing of it is taken
 */
export async function acceptOrders(
	state: State,
	orders: SendOrder[],
	source: Source,
): Promise<Taken[]> {
	const delayMs = await doInTurns(findDelay(orders));
	if (delayMs > 0) await pause(delayMs);
	const taken = await takeOrders(state, orders, source);
	const messages = await doInTurns(listMessages(taken));
	await storeMessagesInTurns(state, messages, () => {
		// From here to the stored messages nothing waits: balance and store change together.
		deduct(
			state,
			messages.reduce((sum, { price }) => sum + price, 0),
		);
		const now = readClock(state);
		for (const message of messages) stamp(state, message, now);
		if (source.path === '/rest/send/bulk') listSecondHalfLater(messages, state.settings.bulkLagMs);
	});
	return taken;
}

function* listMessages(taken: Taken[]): Work<StoredMessage[]> {
	const messages: StoredMessage[] = [];
	for (const { message } of taken) {
		if (message) messages.push(message);
		yield;
	}
	return messages;
}

function* findDelay(orders: SendOrder[]): Work<number> {
	let delayMs = 0;
	for (const { to } of orders) {
		delayMs = Math.max(delayMs, findBehaviour(to).answerDelayMs ?? 0);
		yield;
	}
	return delayMs;
}

async function takeOrders(state: State, orders: SendOrder[], source: Source): Promise<Taken[]> {
	const turn = new Turn();
	const measure = createMeasure();
	const taken: Taken[] = [];
	for (const order of orders) {
		const refusal = findRefusal(state, order);
		if (refusal !== undefined) taken.push({ order, refusal });
		else {
			const size = measure(order.message, order.isUnicode);
			const encrypted = order.encryption && (await encrypt(order.message, order.encryption.key));
			const message = createMessage(state, order, { source, size, encrypted });
			taken.push({ order, message, encryptKey: encrypted?.encryptKey });
		}
		if (turn.isOver()) await turn.next();
	}
	return taken;
}

/** A long text to a thousand recipients is measured once. */
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
	const { refusal } = findBehaviour(to);
	if (refusal === 'byStatus') throw new Refusal(400, 'We were unable to send your message.');
	return refusal === 'inBody' || !isKnownSender(state, from) ? 'Invalid Sender ID' : undefined;
}

interface Encrypted {
	content: string;
	encryptKey: string;
}

async function encrypt(text: string, key: string | undefined): Promise<Encrypted> {
	const encryptKey = key ?? createEncryptKey();
	return { encryptKey, content: await encryptMessage(text, encryptKey) };
}

interface Content {
	source: Source;
	size: TextSize;
	encrypted: Encrypted | undefined;
}

const accepted = shareChanges([{ status: 'Accepted', afterMs: 0 }]);
const noChanges = shareChanges([]);
const noSteps = shareSteps([]);
const noReports = shareReported([]);

/** Its times become those of the moment in which it is stored. */
function createMessage(
	state: State,
	order: SendOrder,
	{ source, size: { parts, encoding }, encrypted }: Content,
): StoredMessage {
	const { to, from, clientReference, scheduledAt, isTest, deliveryReceiptUrl } = order;
	const isFree = isTest && !state.settings.testMessagesCost;
	const now = readClock(state);
	return {
		messageId: randomUUID(),
		message: encrypted?.content ?? order.message,
		to,
		clientReference,
		scheduledAt,
		createdAt: formatDateTime(now),
		messageCount: parts,
		from,
		network: findNetwork(to),
		type: 'sms.text',
		status: 'Accepted',
		test: isTest,
		// Always there: an object that gets more names later takes more room.
		encryptMessage: encrypted && true,
		finishedAt: null,
		createdAtMs: now,
		mark: 0,
		listedFromMs: now,
		deliveryReceiptUrl,
		sentBy: source.path,
		requestNumber: source.number,
		encoding,
		price: isFree ? 0 : parts * findPrice(state, to),
		statuses: accepted,
		steps: noSteps,
		owed: noChanges,
		reported: noReports,
	};
}

function stamp(state: State, message: StoredMessage, now: number): void {
	const { to, scheduledAt } = message;
	const startMs = scheduledAt === null ? now : (parseDateTime(scheduledAt) ?? now);
	message.createdAt = formatDateTime(now);
	message.createdAtMs = now;
	message.listedFromMs = findListingTime(state, now, startMs);
	message.steps = planSteps(to, startMs - now, state.settings.pace);
}

function findListingTime({ settings, random }: State, nowMs: number, startMs: number): number {
	const { historyLagMs, historyLagJitterMs, unlistedScheduled } = settings;
	// No draw without jitter: whatever else is drawn stays the same for the same seed.
	const jitterMs = historyLagJitterMs > 0 ? historyLagJitterMs * random() : 0;
	const listedFromMs = nowMs + historyLagMs + jitterMs;
	return unlistedScheduled ? Math.max(listedFromMs, startMs) : listedFromMs;
}

function listSecondHalfLater(messages: StoredMessage[], lagMs: number): void {
	if (lagMs === 0) return;
	const secondHalf = messages.slice(Math.ceil(messages.length / 2));
	for (const message of secondHalf) message.listedFromMs += lagMs;
}
