import { setTimeout as pause } from 'node:timers/promises';
import type { ReceiptDraft, SentReceipt, StoredMessage } from '../entities';
import type { ReceiptMethod } from '../settings';
import { keepNewest, readClock, reportChange, type State } from '../state';
import { callReceiver, type ReceiverCall } from './callReceiver';
import { formatDateTime } from './dateTime';

type Fields = Record<string, string | null>;

/** Notes which receipts of a message are to be posted, so that none is lost on the way. */
export function oweReceipts(state: State, message: StoredMessage, drafts: ReceiptDraft[]): void {
	if (findUrl(state, message)) message.owed = message.owed.concat(drafts);
}

/** Posts receipts that are owed, one after the other, each until it is answered 200 or given up (field note 10). */
export async function postReceipts(
	state: State,
	message: StoredMessage,
	drafts: ReceiptDraft[],
): Promise<void> {
	for (const draft of drafts) await postReceipt(state, message, draft);
}

/** Posts what an earlier run of the sandbox still owed. */
export function postOwedReceipts(state: State, message: StoredMessage): void {
	if (message.owed.length > 0) void postReceipts(state, message, message.owed);
}

function findUrl(state: State, message: StoredMessage): string {
	return message.deliveryReceiptUrl ?? state.settings.defaultReceiptUrl;
}

function postReceipt(state: State, message: StoredMessage, draft: ReceiptDraft): Promise<void> {
	const url = findUrl(state, message);
	if (!url) return Promise.resolve();
	const posting = tryUntilAnswered(state, message, draft, url).finally(() => {
		state.receiptsUnderWay.delete(posting);
	});
	state.receiptsUnderWay.add(posting);
	return posting;
}

async function tryUntilAnswered(
	state: State,
	message: StoredMessage,
	draft: ReceiptDraft,
	url: string,
): Promise<void> {
	const { lifetime, receiptQueue, settings, userAgent } = state;
	const { receiptAttempts, receiptRetryMs, receiptMethod } = settings;
	const { signal } = lifetime;
	const dueMs = Math.max(draft.updatedAtMs, state.advancedAtMs);
	for (let attempt = 1; attempt <= receiptAttempts && !signal.aborted; attempt += 1) {
		if (attempt > 1) await pauseUnless(signal, receiptRetryMs * 2 ** (attempt - 2));
		const at = Date.now();
		const answered = await receiptQueue.call(readOrigin(url), () => {
			const call = buildCall(receiptMethod, url, readFields(message, draft));
			return callReceiver({ ...call, userAgent }, signal);
		});
		if (signal.aborted) return;
		const lateMs = Math.max(0, readClock(state) - dueMs);
		if (attempt === 1) receiptQueue.noteLateness(lateMs);
		keepReceipt(state, message, { at, status: draft.status, url, attempt, lateMs, answered });
		const isDropped = answered === undefined;
		if (answered === 200 || isDropped || attempt === receiptAttempts) {
			const report = { status: draft.status, answered: answered ?? null };
			message.reported = message.reported.concat(report);
			message.owed = message.owed.filter((one) => one !== draft);
			return reportChange(state, { kind: 'message', message, isNew: false });
		}
	}
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
function readFields(message: StoredMessage, draft: ReceiptDraft): Fields {
	return {
		messageId: message.messageId,
		to: message.to,
		clientReference: message.clientReference,
		status: draft.status,
		updatedAt: formatDateTime(draft.updatedAtMs),
		finishedAt: draft.finishedAtMs === null ? null : formatDateTime(draft.finishedAtMs),
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
