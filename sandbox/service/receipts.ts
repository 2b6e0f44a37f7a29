import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import axios, { type AxiosRequestConfig } from 'axios';
import type { ReceiptDraft, StoredMessage } from '../entities';
import type { ReceiptMethod } from '../settings';
import { keepNewest, readClock, reportChange, type State } from '../state';
import { formatDateTime } from './dateTime';

type Fields = Record<string, string | null>;

const client = axios.create({
	// A receiver is called directly, whatever proxy the machine has, and never somewhere else.
	proxy: false,
	maxRedirects: 0,
	timeout: 10_000,
	validateStatus: () => true,
	responseType: 'text',
	httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 50 }),
	httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 50 }),
});

/** Posts one receipt, again until it is answered 200 or the attempts are used up (field note 10). */
export function postReceipt(
	state: State,
	message: StoredMessage,
	draft: ReceiptDraft,
): Promise<void> {
	const url = message.deliveryReceiptUrl ?? state.settings.defaultReceiptUrl;
	if (!url) return Promise.resolve();
	const posting = tryUntilAnswered(state, message, draft, url).finally(() => {
		state.receiptsUnderWay.delete(posting);
	});
	state.receiptsUnderWay.add(posting);
	return posting;
}

export async function postReceiptsInOrder(
	state: State,
	message: StoredMessage,
	drafts: ReceiptDraft[],
): Promise<void> {
	for (const draft of drafts) await postReceipt(state, message, draft);
}

async function tryUntilAnswered(
	state: State,
	message: StoredMessage,
	draft: ReceiptDraft,
	url: string,
): Promise<void> {
	const { signal } = state.lifetime;
	const { receiptAttempts, receiptRetryMs, receiptMethod } = state.settings;
	const dueMs = Math.max(draft.updatedAtMs, state.advancedAtMs);
	const request = {
		...buildRequest(receiptMethod, url, readFields(message, draft)),
		headers: { 'User-Agent': state.userAgent },
	};
	for (let attempt = 1; attempt <= receiptAttempts && !signal.aborted; attempt += 1) {
		if (attempt > 1) await pauseUnless(signal, receiptRetryMs * 2 ** (attempt - 2));
		const at = Date.now();
		const answered = await call({ ...request, signal });
		if (signal.aborted) return;
		const { messageId } = message;
		const lateMs = Math.max(0, readClock(state) - dueMs);
		state.receipts.push({ at, messageId, status: draft.status, url, answered, attempt, lateMs });
		keepNewest(state.receipts, state.settings.maxRequestsKept);
		if (answered === 200 || attempt === receiptAttempts) {
			message.reported.push({ status: draft.status, answered });
			reportChange(state, { kind: 'message', message, isNew: false });
			return;
		}
	}
}

async function call(request: AxiosRequestConfig): Promise<number | null> {
	try {
		return (await client.request(request)).status;
	} catch {
		return null;
	}
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

function buildRequest(method: ReceiptMethod, url: string, fields: Fields): AxiosRequestConfig {
	const texts = Object.entries(fields).map(([name, value]): [string, string] => [
		name,
		value ?? '',
	]);
	const parameters = new URLSearchParams(texts);
	if (method === 'json') return { method: 'POST', url, data: fields };
	if (method === 'form') return { method: 'POST', url, data: parameters };
	return { method: method === 'get' ? 'GET' : 'POST', url: addToQuery(url, parameters.toString()) };
}

/** Keeps the URL's own query byte by byte: a receiver may have signed it. */
function addToQuery(url: string, parameters: string): string {
	const [address = '', ...fragment] = url.split('#');
	const joint = address.includes('?') ? (/[?&]$/.test(address) ? '' : '&') : '?';
	return [`${address}${joint}${parameters}`, ...fragment].join('#');
}
