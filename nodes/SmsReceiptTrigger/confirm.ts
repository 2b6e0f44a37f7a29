import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { HistoryFilters, MessageRecord } from '../shared/client/types';
import { searchHistory } from '../shared/delivery/historySearch';
import { readServiceTime, ServiceClock } from '../shared/delivery/ServiceClock';
import { describeStatus, type DeliveryReceipt } from '../shared/receipt/receipt';

/**
 * - `confirmed`: the service knows the message, and its status agrees.
 * - `unknown`: the service does not know the message, or says otherwise; the receipt is to be dropped.
 * - `later`: the service cannot say yet; whoever reported is to come again.
 */
export type Confirmation = 'confirmed' | 'unknown' | 'later';

/** Waits before each look, since history may be some seconds behind the receipt. */
export const confirmTiming = { waitsMs: [0, 1_000, 3_000], timeoutMs: 10_000 };

const dayMs = 24 * 60 * 60 * 1000;
/** How far back messages abroad are looked for: history filters by number only for domestic ones (field note 11). */
const daysBack = 7;

function filtersFor({ to, updatedAt }: DeliveryReceipt): HistoryFilters {
	const digits = (to ?? '').replace(/\D/g, '').replace(/^09/, '959');
	if (digits.startsWith('95')) return { to: digits };
	const reported = readServiceTime(updatedAt) ?? Date.now();
	const first = Math.min(reported, Date.now()) - daysBack * dayMs;
	return { filterByCreatedDateFrom: new Date(first).toISOString().slice(0, 10) };
}

/** Compares what is final: anybody could report that a message which is known was delivered. */
function compare(receipt: DeliveryReceipt, record: MessageRecord | undefined): Confirmation {
	if (!record) return 'unknown';
	if (!receipt.final) return 'confirmed';
	const known = describeStatus(String(record.status));
	if (!known.final) return 'later';
	return known.delivered === receipt.delivered ? 'confirmed' : 'unknown';
}

async function look(
	client: MessagingServiceClient,
	receipt: DeliveryReceipt,
): Promise<Confirmation> {
	const isMeant = ({ messageId }: MessageRecord) => messageId === receipt.messageId;
	return await searchHistory(client, filtersFor(receipt), new ServiceClock(), (page) =>
		page.some(isMeant),
	).then(
		(records) => compare(receipt, records.find(isMeant)),
		() => 'later',
	);
}

async function confirm(
	client: MessagingServiceClient,
	receipt: DeliveryReceipt,
): Promise<Confirmation> {
	let confirmation: Confirmation = 'later';
	for (const wait of confirmTiming.waitsMs) {
		if (wait > 0) await sleep(wait);
		confirmation = await look(client, receipt);
		if (confirmation === 'confirmed') break;
	}
	return confirmation;
}

/** Asks the service whether it knows the messages of receipts, one after the other ("Message history"). */
export async function confirmReceipts(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
): Promise<Confirmation[]> {
	const client = await MessagingServiceClient.open(context, {
		parallelRequests: 1,
		timeout: confirmTiming.timeoutMs,
	});
	return await Promise.all(receipts.map(async (receipt) => await confirm(client, receipt)));
}
