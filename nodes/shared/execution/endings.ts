import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { isTool, readRun } from './agentTool';

/** @throws what the attempt before threw */
type Ending = (context: IExecuteFunctions) => INodeExecutionData[][];

/**
 * Ends of attempts that would only end the same again, by run. n8n keeps the context of the node across the attempts
 * of Retry On Fail; each other execution has another one.
 */
const endings = new WeakMap<object, Map<string, Ending>>();

/** How this attempt of Retry On Fail ends without any request; `undefined` if it may end better than the one before. */
export function recallEnding(context: IExecuteFunctions): Ending | undefined {
	return endings.get(context.getContext('node'))?.get(readRun(context));
}

function keep(context: IExecuteFunctions, ending: Ending): void {
	if (context.getNode().retryOnFail !== true || isTool(context)) return;
	const memory = context.getContext('node');
	const ofNode = endings.get(memory) ?? new Map<string, Ending>();
	endings.set(memory, ofNode.set(readRun(context), ending));
}

export function keepError(context: IExecuteFunctions, error: Error): void {
	keep(context, () => {
		throw error;
	});
}

export function keepOutput(context: IExecuteFunctions, output: INodeExecutionData[][]): void {
	const { hints = [] } = context as { hints?: NodeExecutionHint[] };
	keep(context, (later) => {
		later.addExecutionHints(...hints);
		// n8n empties the lists that it gets.
		return output.map((items) => [...items]);
	});
}
