import { setTimeout as pause } from 'node:timers/promises';
import type { SentReceipt, StatusChange, StoredMessage } from '../entities';
import type { ReceiptMethod } from '../settings';
import { keepNewest, readClock, reportChange, type State } from '../state';
import { callReceiver, type ReceiverCall } from './callReceiver';
import { readChangeTime, readFinish, shareChanges, shareReported } from './changes';
import { formatDateTime } from './dateTime';

type Fields = Record<string, string | null>;

/** Notes which receipts of a message are to be posted, so that none is lost on the way. */
export function oweReceipts(state: State, message: StoredMessage, changes: StatusChange[]): void {
	if (findUrl(state, message)) message.owed = shareChanges(message.owed.concat(changes));
}

/**
 * Posts receipts that are owed, one after the other, each until it is answered 200 or given up (field note 10).
 *
 * @param askedAtMs when somebody asked for them, if they are not due of themselves
 */
export async function postReceipts(
	state: State,
	message: StoredMessage,
	changes: StatusChange[],
	askedAtMs = 0,
): Promise<void> {
	for (const change of changes) await postReceipt(state, message, change, askedAtMs);
}

/** Posts what an earlier run of the sandbox still owed. */
export function postOwedReceipts(state: State, message: StoredMessage): void {
	if (message.owed.length > 0) void postReceipts(state, message, message.owed, readClock(state));
}

function findUrl(state: State, message: StoredMessage): string {
	return message.deliveryReceiptUrl ?? state.settings.defaultReceiptUrl;
}

function postReceipt(
	state: State,
	message: StoredMessage,
	change: StatusChange,
	askedAtMs: number,
): Promise<void> {
	const url = findUrl(state, message);
	if (!url) return Promise.resolve();
	const dueMs = Math.max(readChangeTime(message, change), state.advancedAtMs, askedAtMs);
	const posting = tryUntilAnswered(state, message, { change, url, dueMs }).finally(() => {
		state.receiptsUnderWay.delete(posting);
	});
	state.receiptsUnderWay.add(posting);
	return posting;
}

interface Posting {
	change: StatusChange;
	url: string;
	dueMs: number;
}

async function tryUntilAnswered(
	state: State,
	message: StoredMessage,
	{ change, url, dueMs }: Posting,
): Promise<void> {
	const { lifetime, receiptQueue, settings, userAgent } = state;
	const { receiptAttempts, receiptRetryMs, receiptMethod } = settings;
	const { signal } = lifetime;
	const { status } = change;
	for (let attempt = 1; attempt <= receiptAttempts && !signal.aborted; attempt += 1) {
		if (attempt > 1) await pauseUnless(signal, receiptRetryMs * 2 ** (attempt - 2));
		const at = Date.now();
		const answered = await receiptQueue.call(readOrigin(url), dueMs, () => {
			const call = buildCall(receiptMethod, url, readFields(message, change));
			return callReceiver({ ...call, userAgent }, signal);
		});
		if (signal.aborted) return;
		const lateMs = Math.max(0, readClock(state) - dueMs);
		if (attempt === 1) receiptQueue.noteLateness(lateMs);
		keepReceipt(state, message, { at, status, url, attempt, lateMs, answered });
		const isDropped = answered === undefined;
		if (answered === 200 || isDropped || attempt === receiptAttempts) {
			return noteAsReported(state, message, change, answered ?? null);
		}
	}
}

function noteAsReported(
	state: State,
	message: StoredMessage,
	change: StatusChange,
	answered: number | null,
): void {
	message.reported = shareReported(message.reported.concat({ status: change.status, answered }));
	const index = message.owed.findIndex(
		({ status, afterMs }) => status === change.status && afterMs === change.afterMs,
	);
	message.owed = shareChanges(message.owed.filter((_, other) => other !== index));
	reportChange(state, { kind: 'message', message, isNew: false });
}

function keepReceipt(
	state: State,
	{ messageId }: StoredMessage,
	{
		answered = null,
		...receipt
	}: Omit<SentReceipt, 'messageId' | 'answered'> & { answered?: number | null },
): void {
	state.receipts.push({ messageId, answered, ...receipt });
	keepNewest(state.receipts, state.settings.maxRequestsKept);
}

function readOrigin(url: string): string {
	return URL.canParse(url) ? new URL(url).origin : url;
}

async function pauseUnless(signal: AbortSignal, ms: number): Promise<void> {
	await pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Field names of the specification, Events 2. */
function readFields(message: StoredMessage, change: StatusChange): Fields {
	return {
		messageId: message.messageId,
		to: message.to,
		clientReference: message.clientReference,
		status: change.status,
		updatedAt: formatDateTime(readChangeTime(message, change)),
		finishedAt: readFinish(message, change),
	};
}

function buildCall(
	method: ReceiptMethod,
	url: string,
	fields: Fields,
): Omit<ReceiverCall, 'userAgent'> {
	if (method === 'json') {
		return { method: 'POST', url, contentType: 'application/json', body: JSON.stringify(fields) };
	}
	const texts = Object.entries(fields).map(([name, value]): [string, string] => [
		name,
		value ?? '',
	]);
	const parameters = new URLSearchParams(texts).toString();
	if (method === 'form') {
		const contentType = 'application/x-www-form-urlencoded';
		return { method: 'POST', url, contentType, body: parameters };
	}
	return { method: method === 'get' ? 'GET' : 'POST', url: addToQuery(url, parameters) };
}

/** Keeps the URL's own query byte by byte: a receiver may have signed it. */
function addToQuery(url: string, parameters: string): string {
	const [address = '', ...fragment] = url.split('#');
	const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?';
	return [`${address}${joint}${parameters}`, ...fragment].join('#');
}
