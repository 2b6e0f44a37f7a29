import type { IExecuteFunctions } from 'n8n-workflow';

import type { MessageRecord } from './types';

/** Query fields by which a waiting node knows a call of its own from one of the service. */
export const sourceField = 'source';
export const fromHistory = 'history';
export const fromHistoryAtEnd = 'historyAtEnd';

const timeout = 10_000;

/**
 * Tells a sleeping execution of this n8n what history says, at the address that waits for its receipt. The address
 * is n8n's own; nothing of the credential goes with it.
 */
export async function wakeExecution(
	context: IExecuteFunctions,
	receiptAddress: string,
	record: MessageRecord,
	isAtEnd: boolean,
): Promise<void> {
	const { messageId, to, clientReference, status, finishedAt } = record;
	await context.helpers.httpRequest({
		method: 'POST',
		url: `${receiptAddress}&${sourceField}=${isAtEnd ? fromHistoryAtEnd : fromHistory}`,
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ messageId, to, clientReference, status, finishedAt }),
		timeout,
		returnFullResponse: true,
		// 404 and 409: the execution is over already, which is as good.
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	});
}
