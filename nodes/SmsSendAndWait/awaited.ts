import { randomBytes } from 'node:crypto';

import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readRun } from '../shared/n8n/tool';
import { memoryOf, recallMemory } from '../shared/n8n/memory';
import { isSecretRight } from '../shared/receipt/receipt';
import type { AwaitedStatus } from './outcome';

/** Query field that proves that this node created the address. */
const proofField = 'proof';

/** What the wait needs besides the response to the send. */
export interface Awaited {
	run: string;
	// Field values, read before the message record replaced the item that they may refer to.
	to: string;
	waitFor: AwaitedStatus;
	simplify: unknown;
	/**
	 * Random for each message, and independent of the credential, which may change. The token of n8n 2.x is the same for
	 * all waits of an execution; n8n 1.x has none.
	 */
	proof: string;
}

/** The node's context survives retries and the wait, so all attempts of a run share the address that was sent. */
export function rememberAwaited(
	context: IExecuteFunctions,
	wish: Omit<Awaited, 'run' | 'proof'>,
): Awaited {
	const memory = memoryOf<{ awaited?: Awaited }>(context);
	const run = readRun(context);
	const known = memory.awaited;
	const proof = known?.run === run ? known.proof : randomBytes(16).toString('hex');
	return (memory.awaited = { run, proof, ...wish });
}

export function recallAwaited(context: IWebhookFunctions): Awaited | undefined {
	return recallMemory(context, 'awaited') as Awaited | undefined;
}

export function isProven({ proof }: Awaited, query: object): boolean {
	return isSecretRight(proof, (query as Record<string, unknown>)[proofField]);
}

/** Uses n8n's token: a signature over the whole address would break when the service adds its fields. */
export function toAddress(resumeUrl: string, nodeId: string, { proof }: Awaited): string {
	const address = new URL(resumeUrl);
	address.pathname = `${address.pathname.replace(/\/$/, '')}/${nodeId}`;
	address.searchParams.set(proofField, proof);
	return address.href;
}
