import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { MessageRecord } from '../shared/client/types';
import { filtersFor, searchHistory } from '../shared/delivery/historySearch';
import { readServiceTime, ServiceClock } from '../shared/delivery/ServiceClock';
import { toOutcome, type WaitFor } from './outcome';

/** How often history is looked into while an AI agent waits, in milliseconds. Tests make it short. */
export const toolTiming = { everyMs: 3_000 };

/** A message, and where history has it. */
export interface Sought {
	to: string;
	record: MessageRecord;
}

/**
 * The record as history has it now; as it was where history has none. A look that fails tells nothing, and does no
 * harm.
 */
export async function readLatest(
	client: MessagingServiceClient,
	{ record, to }: Sought,
): Promise<MessageRecord> {
	const isOurs = ({ messageId }: MessageRecord) => String(messageId) === String(record.messageId);
	// After a retry the message can be older than the execution.
	const filters = filtersFor({ to, since: readServiceTime(record.createdAt) });
	const found = await searchHistory(client, filters, new ServiceClock(), (page) =>
		page.some(isOurs),
	).then(
		(records) => records.find(isOurs),
		() => undefined,
	);
	return found ? { ...record, status: found.status, finishedAt: found.finishedAt } : record;
}

/** Looks until the message is what is waited for, or the time is over. */
export async function lookUntilFinal(
	client: MessagingServiceClient,
	sought: Sought,
	waitFor: WaitFor,
	limitMs: number,
): Promise<MessageRecord> {
	const end = Date.now() + limitMs;
	for (;;) {
		const latest = await readLatest(client, sought);
		const isOver = Date.now() + toolTiming.everyMs > end;
		if (isOver || toOutcome(latest.status, waitFor)) return latest;
		await client.pool.rest(toolTiming.everyMs);
	}
}
