import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageRecord, StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { deduct, findPrice, isKnownSender } from './account';
import { shareChanges, shareReported } from './changes';
import { formatDateTime, parseDateTime } from './dateTime';
import { moveMessage, planSteps } from './delivery';
import { createEncryptKey, encryptMessage } from './encryption';
import { type Fields } from './fields';
import { measureText, type TextSize } from './messageParts';
import { storeMessages, toRecord } from './messages';
import { findNetwork } from './phoneNumber';
import { Refusal } from './refusal';
import { readBulkOrders, readSendOrder, type SendOrder } from './sendRequest';
import { findBehaviour } from './specialNumbers';

/** A recipient that is refused inside a 2xx (field notes 3 and 15). */
export interface RefusedRecord {
	to?: string;
	from?: string;
	status: false;
	message: string;
}

type AnsweredRecord = RefusedRecord | (MessageRecord & { encryptKey?: string });

export interface SendAnswer {
	messages: AnsweredRecord[];
}

/** REST send: an empty reference is answered as an empty string. */
export async function sendByRest(state: State, body: Fields): Promise<SendAnswer> {
	const order = readSendOrder(body, readClock(state), state.settings.strictFlags);
	return await acceptOrders(
		state,
		[{ ...order, clientReference: order.clientReference ?? '' }],
		'/rest/send',
	);
}

/** Query-parameter send: knows no `encryptKey`, and answers null for an empty reference. */
export async function sendByQuery(state: State, query: Fields): Promise<SendAnswer> {
	const fields = { ...query, encryptKey: undefined };
	if (state.settings.strictHttpFlags) refuseFlags(fields);
	const order = readSendOrder(fields, readClock(state), state.settings.strictFlags);
	return await acceptOrders(state, [order], '/http/send');
}

export async function sendBulk(state: State, body: Fields): Promise<SendAnswer> {
	const answer = await acceptOrders(state, readBulkOrders(body), '/rest/send/bulk');
	return state.settings.shuffleBulk ? { messages: shuffle(answer.messages, state.random) } : answer;
}

function refuseFlags(fields: Fields): void {
	for (const [name, label] of [
		['test', 'Test'],
		['encrypt', 'Encrypt'],
		['unicode', 'Unicode'],
	] as const) {
		if (name in fields) throw new Refusal(422, `${label} must be a number`);
	}
}

interface Prepared extends TextSize {
	order: SendOrder;
	/** What is stored: encrypted for an encrypted send. */
	content: string;
	encryptKey?: string;
	refusal?: string;
}

async function acceptOrders(
	state: State,
	orders: SendOrder[],
	sentBy: string,
): Promise<SendAnswer> {
	const delayMs = Math.max(0, ...orders.map(({ to }) => findBehaviour(to).answerDelayMs ?? 0));
	if (delayMs > 0) await pause(delayMs);
	const measure = createMeasure();
	const prepared = await Promise.all(orders.map((order) => prepare(state, order, measure)));
	// From here to the stored messages nothing waits: balance and store change together.
	deduct(
		state,
		prepared.reduce((sum, one) => sum + readPrice(state, one), 0),
	);
	const accepted = prepared.map((one) =>
		one.refusal ? undefined : createMessage(state, one, sentBy),
	);
	const messages = accepted.filter((message) => message !== undefined);
	if (sentBy === '/rest/send/bulk') listSecondHalfLater(messages, state.settings.bulkLagMs);
	storeMessages(state, messages);
	const answer = {
		messages: prepared.map((one, index) => toAnswer(state, one, accepted[index])),
	};
	return answer;
}

/** Takes all steps of the messages whose receipts come before the send is answered. */
export async function moveEarly(state: State, messages: StoredMessage[]): Promise<void> {
	const early = messages.filter(({ to }) => findBehaviour(to).isEarly);
	const postings = early.map(
		(message) => new Promise<void>((resolve) => moveMessage(state, message, Infinity, resolve)),
	);
	await Promise.all(postings);
}

type Measure = typeof measureText;

/** A long text to a thousand recipients is measured once. */
function createMeasure(): Measure {
	let last: { text: string; isUnicode: boolean; size: TextSize } | undefined;
	return (text, isUnicode) => {
		if (last?.text !== text || last.isUnicode !== isUnicode) {
			last = { text, isUnicode, size: measureText(text, isUnicode) };
		}
		return last.size;
	};
}

async function prepare(state: State, order: SendOrder, measure: Measure): Promise<Prepared> {
	const { message, encryption, isUnicode } = order;
	const size = measure(message, isUnicode);
	const refusal = findRefusal(state, order);
	if (!encryption || refusal) return { order, ...size, content: message, refusal };
	const encryptKey = encryption.key ?? createEncryptKey();
	return { order, ...size, encryptKey, content: await encryptMessage(message, encryptKey) };
}

function findRefusal(state: State, { to, from }: SendOrder): string | undefined {
	const { refusal } = findBehaviour(to);
	if (refusal === 'byStatus') throw new Refusal(400, 'We were unable to send your message.');
	return refusal === 'inBody' || !isKnownSender(state, from) ? 'Invalid Sender ID' : undefined;
}

function readPrice(state: State, { order, parts, refusal }: Prepared): number {
	if (refusal || (order.isTest && !state.settings.testMessagesCost)) return 0;
	return parts * findPrice(state, order.to);
}

function createMessage(state: State, prepared: Prepared, sentBy: string): StoredMessage {
	const { order, parts, encoding, content, encryptKey } = prepared;
	const { to, from, clientReference, scheduledAt, isTest, deliveryReceiptUrl } = order;
	const now = readClock(state);
	const startMs = scheduledAt === null ? now : (parseDateTime(scheduledAt) ?? now);
	return {
		messageId: randomUUID(),
		message: content,
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
		encryptMessage: encryptKey === undefined ? undefined : true,
		finishedAt: null,
		createdAtMs: now,
		mark: 0,
		listedFromMs: findListingTime(state, now, startMs),
		deliveryReceiptUrl,
		sentBy,
		requestNumber: 0,
		encoding,
		price: readPrice(state, prepared),
		statuses: shareChanges([{ status: 'Accepted', afterMs: 0 }]),
		steps: planSteps(to, startMs - now, state.settings.pace),
		owed: shareChanges([]),
		reported: shareReported([]),
	};
}

function findListingTime({ settings, random }: State, nowMs: number, startMs: number): number {
	const { historyLagMs, historyLagJitterMs, unlistedScheduled } = settings;
	// No draw without jitter: whatever else is drawn stays the same for the same seed.
	const jitterMs = historyLagJitterMs > 0 ? historyLagJitterMs * random() : 0;
	const listedFromMs = nowMs + historyLagMs + jitterMs;
	return unlistedScheduled ? Math.max(listedFromMs, startMs) : listedFromMs;
}

function listSecondHalfLater(messages: StoredMessage[], lagMs: number): void {
	const secondHalf = messages.slice(Math.ceil(messages.length / 2));
	for (const message of secondHalf) message.listedFromMs += lagMs;
}

function toAnswer(
	{ settings }: State,
	{ order, refusal = 'Refused', encryptKey }: Prepared,
	message: StoredMessage | undefined,
): AnsweredRecord {
	const { to, from } = order;
	if (!message) {
		return { ...(!settings.bareRefusals && { to, from }), status: false, message: refusal };
	}
	return { ...toRecord(message), ...(encryptKey !== undefined && { encryptKey }) };
}

function shuffle<T>(list: T[], random: () => number): T[] {
	return list
		.map((value) => ({ value, key: random() }))
		.sort((a, b) => a.key - b.key)
		.map(({ value }) => value);
}
