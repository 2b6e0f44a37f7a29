import type { ReportedStatus, StatusChange, StatusStep, StoredMessage } from '../entities';
import { createShare } from '../share';
import { formatDateTime } from './dateTime';

/** Statuses after which nothing more comes. */
const finalStatuses = new Set([
	'Delivered',
	'Success',
	'Undelivered',
	'Failed',
	'Rejected',
	'Error',
	'Expired',
]);

export const shareChanges = createShare<StatusChange>();
export const shareSteps = createShare<StatusStep>();
export const shareReported = createShare<ReportedStatus>();

/** The lists of a message are replaced, never changed: others have them too. */
export function shareLists(message: StoredMessage): void {
	message.statuses = shareChanges(message.statuses);
	message.steps = shareSteps(message.steps);
	message.owed = shareChanges(message.owed);
	message.reported = shareReported(message.reported);
}

export function readChangeTime({ createdAtMs }: StoredMessage, { afterMs }: StatusChange): number {
	return createdAtMs + afterMs;
}

/** `finishedAt` of a message that has come to this status. */
export function readFinish(message: StoredMessage, change: StatusChange): string | null {
	const isFinal = finalStatuses.has(change.status);
	return isFinal ? formatDateTime(readChangeTime(message, change)) : null;
}
