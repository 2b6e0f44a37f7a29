import { sleep, type IWebhookFunctions } from 'n8n-workflow';

import { MessagingServiceClient } from '../shared/client/MessagingServiceClient';
import type { HistoryFilters, MessageRecord } from '../shared/client/types';
import type { DeliveryReceipt } from '../shared/receipt/receipt';
import { canonicalStatus, describeStatus } from '../shared/receipt/status';
import { toNumberKey } from '../shared/validation/messageKey';
import { digitsOf, isDomestic } from '../shared/validation/recipient';
import { findMessage, HistoryReader } from './HistorySearches';
import { inTime } from './started';

/** Whether history agrees. `unknown` drops the receipt; `later` asks the service to send it again. */
type Confirmation = 'confirmed' | 'unknown' | 'later';

/** Delays before each lookup, since history may lag by seconds; time limits of a request and of the whole call. */
export const confirmTiming = { waitsMs: [0, 1_000, 3_000], timeoutMs: 10_000, deadlineMs: 20_000 };

/** Pages of history per call, however many receipts it contains. */
const mostPages = 60;
/** With more numbers, lookups filter by date instead of by number. */
const mostNumbers = mostPages / confirmTiming.waitsMs.length;
const dayMs = 24 * 60 * 60 * 1000;
/** Covers scheduled messages and receipts repeated for days. Times named by the caller are not trusted. */
const daysBack = 8;

function filtersFor({ to }: DeliveryReceipt, numbers: number): HistoryFilters {
	const digits = digitsOf(to);
	if (isDomestic(digits) && numbers <= mostNumbers) return { to: digits };
	const first = new Date(Date.now() - daysBack * dayMs);
	return { filterByCreatedDateFrom: first.toISOString().slice(0, 10) };
}

/** Whether both are the same, or one is absent. Null in history counts as empty, not as absent. */
function isSame(reported: string | null, known: unknown, toText: (value: unknown) => string) {
	if (reported === null || known === undefined) return true;
	return ['', toText(known ?? '')].includes(toText(reported));
}

/** `Success` equals `Delivered` (field note 9); all other statuses are distinct. */
function isSameEnd(reported: string, known: string): boolean {
	const isDelivered = (status: string) => describeStatus(status).delivered === true;
	if (isDelivered(reported)) return isDelivered(known);
	return canonicalStatus(reported) === canonicalStatus(known);
}

function compare(receipt: DeliveryReceipt, record: MessageRecord | undefined): Confirmation {
	if (!record) return 'unknown';
	const isOfMessage =
		isSame(receipt.to, record.to, toNumberKey) &&
		isSame(receipt.clientReference, record.clientReference, String);
	if (!isOfMessage) return 'unknown';
	// Only a final status must match history: anyone could report a delivery.
	if (!receipt.final) return 'confirmed';
	const known = describeStatus(String(record.status));
	if (!known.final) return 'later';
	return isSameEnd(receipt.status, String(record.status)) ? 'confirmed' : 'unknown';
}

/** The record of each receipt in history; `undefined` for all if the lookup failed. */
async function look(
	reader: HistoryReader,
	receipts: DeliveryReceipt[],
): Promise<Array<MessageRecord | undefined> | undefined> {
	const numbers = new Set(receipts.map(({ to }) => to)).size;
	// Receipts with the same filters share a search: none begins before all of them have joined.
	const searches = receipts.map(
		async (receipt) => await findMessage(reader, filtersFor(receipt, numbers), receipt),
	);
	return await Promise.all(searches).catch(() => undefined);
}

async function keepLooking(
	reader: HistoryReader,
	receipts: DeliveryReceipt[],
): Promise<DeliveryReceipt[] | undefined> {
	const judged = new Map<DeliveryReceipt, Confirmation>();
	for (const wait of confirmTiming.waitsMs) {
		if (wait > 0) await sleep(wait);
		const open = receipts.filter((receipt) => judged.get(receipt) !== 'confirmed');
		if (open.length === 0) break;
		const found = await look(reader, open);
		if (!found) return undefined;
		for (const [n, receipt] of open.entries()) judged.set(receipt, compare(receipt, found[n]));
	}
	if (Array.from(judged.values()).includes('later')) return undefined;
	return receipts.filter((receipt) => judged.get(receipt) === 'confirmed');
}

/** The receipts that history confirms ("Message history envelope"); `undefined` while one cannot be decided. */
export async function keepConfirmed(
	context: IWebhookFunctions,
	receipts: DeliveryReceipt[],
): Promise<DeliveryReceipt[] | undefined> {
	if (receipts.length === 0) return [];
	const { timeoutMs, deadlineMs } = confirmTiming;
	const waiting = new AbortController();
	const settings = { parallelRequests: 1, timeout: timeoutMs, stop: waiting.signal };
	const client = await MessagingServiceClient.open(context, settings);
	const reader = new HistoryReader(client, mostPages, Date.now() + deadlineMs);
	const kept = await inTime(keepLooking(reader, receipts), deadlineMs);
	waiting.abort();
	return kept;
}
