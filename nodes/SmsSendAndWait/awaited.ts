import { randomBytes } from 'node:crypto';

import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readRun } from '../shared/execution/agentTool';
import type { WaitFor } from './outcome';

/** What the fields said before the record of the message took the place of the item that they can name. */
interface Wish {
	to: string;
	waitFor: WaitFor;
	simplify: unknown;
}

/** The message that an execution waits for, as far as the answer to the send does not tell. */
export interface Awaited extends Wish {
	run: string;
	/** Random, and new for every message: it makes the proofs of its addresses its own. */
	nonce: string;
}

/**
 * Kept in the memory of the node, which outlives tries, the retry of a failed execution and the wait. A loop comes
 * here once for each message; another try of the same run finds the address that went out before.
 */
export function rememberAwaited(context: IExecuteFunctions, wish: Wish): Awaited {
	const memory = context.getContext('node');
	const run = readRun(context);
	const known = memory.awaited as Awaited | undefined;
	const nonce = known?.run === run ? known.nonce : randomBytes(16).toString('hex');
	const awaited: Awaited = { run, nonce, ...wish };
	memory.awaited = { ...awaited };
	return awaited;
}

/** As text in an expression, without the braces that would end it. */
function quote(name: string): string {
	return JSON.stringify(name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
}

/** n8n gives the one who takes a call no way to the memory of the node but an expression. */
export function recallAwaited(context: IWebhookFunctions): Awaited | undefined {
	const { name } = context.getNode();
	return context.evaluateExpression(`{{ $node[${quote(name)}].context.awaited }}`, 0) as
		| Awaited
		| undefined;
}
