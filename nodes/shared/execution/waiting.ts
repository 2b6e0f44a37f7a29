import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { InputError } from '../validation/InputError';

/** For nodes that put the execution to sleep until something comes for the one message that they send. */

/** n8n wakes a whole execution, and what wakes it replaces all items. @throws InputError */
export function requireOneItem(context: IExecuteFunctions): void {
	const { length } = context.getInputData();
	if (length <= 1) return;
	throw new InputError(
		'to',
		`This node waits for one message at a time, but got ${length} items`,
		'Nothing was sent. Put the node into a Loop Over Items node with a batch size of 1.',
	);
}

/**
 * The time limit hands on the input, so all of it is replaced by `timedOut`: with Execute Once it still holds every
 * item, and `getInputData` is a copy of the first.
 */
export async function fallAsleep(
	context: IExecuteFunctions,
	timedOut: IDataObject,
	until: number,
): Promise<void> {
	const [first] = context.getInputData();
	context.getExecuteData().data.main = [[{ ...first, json: timedOut }]];
	await context.putExecutionToWait(new Date(until));
}

/** As text in an expression, without the braces that would end it. */
function quote(name: string): string {
	return JSON.stringify(name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
}

/** n8n gives a node that is called no way to its memory but an expression. */
export function recallMemory(context: IWebhookFunctions, key: string): unknown {
	const { name } = context.getNode();
	return context.evaluateExpression(`{{ $node[${quote(name)}].context.${key} }}`, 0);
}
