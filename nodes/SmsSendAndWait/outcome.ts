import type { IDataObject } from 'n8n-workflow';

import type { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { MessageRecord } from '../shared/client/types';
import { readHistory } from '../shared/client/readHistory';
import { filtersSince } from '../shared/delivery/listing';
import { readWallTime } from '../shared/delivery/serviceClock';
import { describeStatus } from '../shared/client/status';
import type { DeliveryReceipt } from '../shared/receipt/receipt';
import { isSameMessage } from '../shared/input/comparison';
import { isDomestic, toRecipientKey } from '../shared/input/number';
import { dayMs, minuteMs } from '../shared/input/time';

type DeliveryOutcome = 'delivered' | 'notDelivered' | 'timedOut';

export interface Awaited {
	to: string;
	waitFor: 'delivered' | 'anyFinal';
	limitMs: number;
	simplify: unknown;
	/** As of the beginning of the wait; absent before it. */
	record?: MessageRecord;
}

/** The outcome of the wait; `undefined` while it continues. */
export function toOutcome(
	status: unknown,
	waitFor: Awaited['waitFor'],
): DeliveryOutcome | undefined {
	const { delivered, final } = describeStatus(String(status));
	if (delivered === true) return 'delivered';
	return final && waitFor === 'anyFinal' ? 'notDelivered' : undefined;
}

export function toOutput(
	record: MessageRecord,
	outcome: DeliveryOutcome,
	receipt: DeliveryReceipt | null = null,
): IDataObject {
	const news = receipt && { status: receipt.status, finishedAt: receipt.finishedAt };
	return { ...record, ...news, outcome, receipt } as IDataObject;
}

/** The output at the end of the wait, with its time: n8n ends the wait later, or earlier. */
export function toTimedOut(record: MessageRecord, until: number): IDataObject {
	return { ...toOutput(record, 'timedOut'), waitedUntil: new Date(until).toISOString() };
}

/** How the node reads message history itself, in milliseconds. Tests shorten it. */
export const lookTiming = {
	everyMs: 3_000,
	/** Most messages are delivered within seconds. Then the execution waits for receipts. */
	beforeWaitMs: 30_000,
	/** An AI agent is blocked until its tool responds, and MCP clients give up after 60 seconds. */
	asToolMs: 45_000,
};

/** The record with its status in history; unchanged if history lacks it or cannot be read. */
export async function readLatest(
	client: MessagingServiceClient,
	record: MessageRecord,
	to: string,
): Promise<MessageRecord> {
	const ours = { messageId: record.messageId, to };
	const number = toRecipientKey(to);
	// After a retry, the message can be older than the execution.
	const since = readWallTime(record.createdAt) || Date.now() - dayMs;
	// The service filters by Myanmar numbers only: for others, the pages since the message are read.
	const filters = { ...(isDomestic(number) && { to: number }), ...filtersSince(since) };
	const [found] = await readHistory({
		readPage: async (page) => await client.listMessages(filters, 1000, page),
		isWanted: (listed) => isSameMessage(listed, ours),
		// As the service writes its times, newest first.
		isEnd: ({ messages }) =>
			messages.every((one) => readWallTime(one.createdAt) < since - minuteMs),
		wanted: 1,
	}).catch(() => []);
	return found ? { ...record, status: found.status, finishedAt: found.finishedAt } : record;
}

export async function lookUntilFinal(
	client: MessagingServiceClient,
	record: MessageRecord,
	{ to, waitFor }: Awaited,
	limitMs: number,
): Promise<MessageRecord> {
	const end = performance.now() + limitMs;
	for (;;) {
		const latest = await readLatest(client, record, to);
		const isOver = performance.now() + lookTiming.everyMs > end;
		if (isOver || toOutcome(latest.status, waitFor)) return latest;
		await client.pool.rest(lookTiming.everyMs);
	}
}
