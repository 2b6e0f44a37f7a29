import type { StatusChange, StoredMessage } from '../entities';
import type { ReceiptMethod } from '../settings';
import type { ReceiverCall } from './callReceiver';
import { readChangeTime, readFinish } from './messages';
import { formatDateTime } from './dateTime';

type Fields = Record<string, string | null>;

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

/** Builds the HTTP request of a receipt. */
export function buildReceipt(
	method: ReceiptMethod,
	url: string,
	message: StoredMessage,
	change: StatusChange,
): ReceiverCall {
	const fields = readFields(message, change);
	if (method === 'json') {
		return { method: 'POST', url, contentType: 'application/json', body: JSON.stringify(fields) };
	}
	const texts = Object.entries(fields).map(
		([name, value]) => [name, value ?? ''] as [string, string],
	);
	const query = new URLSearchParams(texts).toString();
	if (method !== 'form') return { method: method === 'get' ? 'GET' : 'POST', url, query };
	const contentType = 'application/x-www-form-urlencoded';
	return { method: 'POST', url, contentType, body: query };
}
