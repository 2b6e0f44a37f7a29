import type { IExecuteFunctions } from 'n8n-workflow';

import { comparableId } from '../input/comparison';
import { Expiring } from '../client/Expiring';
import { quote } from './memory';

/**
 * A message that is sent because of a delivery receipt must not start a receipt trigger by its own receipt: an alert to
 * a phone that is not reached would cause the next alert, without end.
 */
const trigger = '.smsReceiptTrigger';

/** Begins the references that our nodes generate for such messages, over restarts and in every process. */
const mark = 'n8n-receipt';

/** Of messages with a user's reference, and of bulk messages, this process remembers the ID as long as receipts come. */
const remembered = new Expiring<true>(3 * 24 * 60 * 60_000, 100_000);

/** n8n 1 does not say what started an execution: the trigger stands before the node, and has run. */
function hasRunBefore(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	return context
		.getParentNodes(name)
		.filter(({ type }) => type.endsWith(trigger))
		.some(
			(node) => context.evaluateExpression(`{{ $(${quote(node.name)}).isExecuted }}`, 0) === true,
		);
}

/** n8n 2 hands what started an execution on to sub-workflows, and keeps it across retries. */
export function isCausedByReceipt(context: IExecuteFunctions): boolean {
	const { triggerNode } = context.getExecutionContext?.() ?? {};
	return triggerNode ? triggerNode.type.endsWith(trigger) : hasRunBefore(context);
}

export function beginReference(isCaused: boolean): string {
	return isCaused ? mark : 'n8n';
}

export function rememberCaused(record: { messageId?: unknown }): void {
	if (record.messageId !== undefined) remembered.set(comparableId(record), true);
}

/** Whether the receipt is that of a message that was itself sent because of a receipt. */
export function isOfCaused(receipt: {
	messageId: string;
	clientReference: string | null;
}): boolean {
	const { clientReference } = receipt;
	return (
		clientReference?.startsWith(`${mark}-`) === true ||
		remembered.get(comparableId(receipt)) === true
	);
}
