import type { IExecuteFunctions } from 'n8n-workflow';

import { quote } from './memory';

/**
 * A message that is sent because of a delivery receipt must not start a receipt trigger by its own receipt: an alert to
 * a phone that is not reached would cause the next alert, without end. The references that our nodes generate tell.
 */
const trigger = '.smsReceiptTrigger';
const mark = 'n8n-receipt';

/** n8n 2 hands what started an execution on to sub-workflows, and keeps it across retries. n8n 1 does not say it. */
export function isCausedByReceipt(context: IExecuteFunctions): boolean {
	const { triggerNode } = context.getExecutionContext?.() ?? {};
	if (triggerNode) return triggerNode.type.endsWith(trigger);
	return context
		.getParentNodes(context.getNode().name)
		.filter(({ type }) => type.endsWith(trigger))
		.some(
			({ name }) => context.evaluateExpression(`{{ $(${quote(name)}).isExecuted }}`, 0) === true,
		);
}

export function beginReference(isCaused: boolean): string {
	return isCaused ? mark : 'n8n';
}

/** Whether the receipt is that of a message that was itself sent because of a receipt. */
export function isOfCaused({ clientReference }: { clientReference: string | null }): boolean {
	return clientReference?.startsWith(`${mark}-`) === true;
}
