import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { hideWaitingLinks } from '../client/waitingLinks';
import { InputError } from '../validation/InputError';

/** For nodes that suspend the execution until a call for their one message arrives. */

/** n8n resumes the whole execution, and the call that resumes it replaces all items. @throws InputError */
export function requireOneItem(context: IExecuteFunctions): void {
	const { length } = context.getInputData();
	if (length <= 1) return;
	throw new InputError(
		'to',
		`This node waits for one message at a time, but got ${length} items`,
		'Use a Loop Over Items node with a batch size of 1.',
	);
}

/**
 * At the time limit, n8n passes on the input, so `timedOut` replaces all of it: with Execute Once, the input still
 * holds every item, and `getInputData` is a copy of the first.
 */
export async function fallAsleep(
	context: IExecuteFunctions,
	timedOut: IDataObject,
	until: number,
): Promise<void> {
	const [first] = context.getInputData();
	context.getExecuteData().data.main = [[{ ...first, json: hideWaitingLinks(timedOut) }]];
	await context.putExecutionToWait(new Date(until));
}

/** As a string in an expression, with escaped braces, which would otherwise end the expression. */
function quote(name: string): string {
	return JSON.stringify(name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
}

/** In a webhook call, a node can read its memory only through an expression. */
export function recallMemory(context: IWebhookFunctions, key: string): unknown {
	const { name } = context.getNode();
	return context.evaluateExpression(`{{ $node[${quote(name)}].context.${key} }}`, 0);
}
