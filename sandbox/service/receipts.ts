import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { StatusChange, StoredMessage } from '../entities';
import { readClock, type State } from '../state';
import { callReceiver, type ReceiverAnswer, type ReceiverCall } from './callReceiver';
import { formatDateTime } from './dateTime';
import { readChangeTime, readFinish } from './messages';

/** Longest delay of a Node timer, about 24 days. */
const longestMs = 2_147_483_647;

/**
 * Posts receipts of a message in order, each until the receiver responds with
 * 200 or it is given up. A clear, reset or close ends it.
 *
 * @param askedAtMs earliest due time (sandbox's clock), for receipts requested by hand
 */
export function postReceipts(
	state: State,
	message: StoredMessage,
	changes: StatusChange[],
	askedAtMs = 0,
): Promise<void> {
	const { receiptQueue, lifetime } = state;
	const post = async (): Promise<void> => {
		try {
			// Once the turn has ended that began it.
			await nextTurn();
			for (const change of changes) {
				const url = findReceiptUrl(state, message);
				const dueMs = Math.max(readChangeTime(message, change), state.advancedAtMs, askedAtMs);
				if (url) await postReceipt({ state, message, change, url, dueMs }, lifetime.signal);
			}
		} catch {
			// Aborted.
		}
	};
	return receiptQueue.add(post());
}

interface Receipt {
	state: State;
	message: StoredMessage;
	change: StatusChange;
	url: string;
	/** By the sandbox's clock. */
	dueMs: number;
}

const tooMany = 'Too many receipts were waiting: the receiver is slow. Let it respond faster.';
const dropped: ReceiverAnswer = { answered: null, problem: tooMany };

async function postReceipt(receipt: Receipt, signal: AbortSignal): Promise<void> {
	const { state, url, dueMs } = receipt;
	const { receiptQueue } = state;
	const { origin } = new URL(url);
	const call = buildCall(receipt);
	if (!call) return noteAsReported(receipt, null);
	for (let attempt = 1; ; attempt += 1) {
		const at = Date.now();
		const answer = await receiptQueue.call(origin, dueMs, async () => {
			signal.throwIfAborted();
			for (const ping of listPings(receipt)) {
				const ready = await callReceiver(ping, state, signal);
				if (ready.answered !== 200) return ready;
			}
			return await callReceiver(call, state, signal);
		});
		signal.throwIfAborted();
		const { answered, problem } = answer ?? dropped;
		keepAttempt(receipt, { attempt, at, answered, problem });
		const { receiptAttempts, receiptRetryMs } = state.settings;
		if (answered === 200 || !answer || attempt >= receiptAttempts) {
			return noteAsReported(receipt, answered);
		}
		const pauseMs = Math.min(receiptRetryMs * 2 ** (attempt - 1), longestMs);
		await pause(pauseMs, undefined, { signal, ref: false });
	}
}

/** Receivers are called without a receipt first. */
function listPings({ state, url }: Receipt): ReceiverCall[] {
	const methods = ['GET', 'POST'] as const;
	const { deviate } = state.settings;
	return deviate.includes('receipt-ping') ? methods.map((method) => ({ method, url })) : [];
}

/** Field names of the specification, Events 2. */
function buildCall({ state, message, change, url }: Receipt): ReceiverCall | undefined {
	const { messageId, to, clientReference } = message;
	const { receiptMethod, deviate } = state.settings;
	if (deviate.includes('receipt-statuses') && change.status === 'Sent') return undefined;
	const fields = {
		...{ messageId, to, clientReference, status: change.status },
		updatedAt: formatDateTime(readChangeTime(message, change)),
		finishedAt: readFinish(message, change),
	};
	if (receiptMethod === 'json') {
		const body = JSON.stringify(fields);
		return { method: 'POST', url, contentType: 'application/json', body };
	}
	const texts = Object.entries(fields).map(([name, value]) => [name, value ?? ''] as const);
	const query = new URLSearchParams(Object.fromEntries(texts)).toString();
	if (receiptMethod === 'form') {
		const contentType = 'application/x-www-form-urlencoded';
		return { method: 'POST', url, contentType, body: query };
	}
	// The URL's own query stays unchanged: a receiver may have signed it.
	const [address = ''] = url.split('#');
	const joint = address.includes('?') ? '&' : '?';
	const full = `${address}${/[?&]$/.test(address) ? '' : joint}${query}`;
	return { method: receiptMethod === 'get' ? 'GET' : 'POST', url: full };
}

function keepAttempt(
	{ state, message, change: { status }, url, dueMs }: Receipt,
	made: ReceiverAnswer & { at: number; attempt: number },
): void {
	const lateMs = Math.max(0, readClock(state) - dueMs);
	if (made.attempt === 1) state.receiptQueue.noteLateness(lateMs);
	const { messageId, to } = message;
	const receipt = { ...made, messageId, to, status, url, lateMs };
	state.receipts.insert(receipt, state.settings.maxRequestsKept);
}

function noteAsReported({ state, message, change }: Receipt, answered: number | null): void {
	message.reported = message.reported.concat({ status: change.status, answered });
	state.messages.noteChange();
}

export function findReceiptUrl({ settings }: State, message: StoredMessage): string {
	return message.deliveryReceiptUrl ?? settings.defaultReceiptUrl;
}
