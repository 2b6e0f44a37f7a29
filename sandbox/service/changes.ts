import type { StatusChange, StoredMessage } from '../entities';
import { formatDateTime } from './dateTime';

/** Final statuses. */
const finalStatuses = new Set([
	...['Delivered', 'Success', 'Undelivered', 'Failed'],
	...['Rejected', 'Error', 'Expired'],
]);

export function readChangeTime({ createdAtMs }: StoredMessage, { afterMs }: StatusChange): number {
	return createdAtMs + afterMs;
}

/** `finishedAt` of a message with this status; null unless the status is final. */
export function readFinish(message: StoredMessage, change: StatusChange): string | null {
	const isFinal = finalStatuses.has(change.status);
	return isFinal ? formatDateTime(readChangeTime(message, change)) : null;
}
