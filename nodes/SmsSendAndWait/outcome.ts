import type { IDataObject } from 'n8n-workflow';

import type { MessageRecord } from '../shared/client/types';
import type { DeliveryReceipt } from '../shared/receipt/receipt';
import { describeStatus } from '../shared/receipt/status';

export type Outcome = 'delivered' | 'notDelivered' | 'timedOut';
export type WaitFor = 'delivered' | 'anyFinal';

/** What a status means for who waits; `undefined` while the wait goes on. */
export function toOutcome(status: unknown, waitFor: WaitFor): Outcome | undefined {
	const { delivered, final } = describeStatus(String(status));
	if (delivered === true) return 'delivered';
	return final && waitFor === 'anyFinal' ? 'notDelivered' : undefined;
}

/** What a message came to when the time is over: an answer that the wait was not for is better than none. */
export function toOutcomeAtEnd(status: unknown): Outcome {
	return toOutcome(status, 'anyFinal') ?? 'timedOut';
}

/** The output: the record, with what is known of the delivery in it. */
export function toOutput(
	record: MessageRecord,
	outcome: Outcome,
	receipt: DeliveryReceipt | null = null,
): IDataObject {
	const news = receipt && { status: receipt.status, finishedAt: receipt.finishedAt };
	return { ...record, ...news, outcome, receipt } as IDataObject;
}
