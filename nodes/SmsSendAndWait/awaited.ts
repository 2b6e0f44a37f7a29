import { randomBytes } from 'node:crypto';

import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readRun } from '../shared/execution/agentTool';
import { memoryOf, recallMemory } from '../shared/execution/nodeMemory';
import { isSecretRight } from '../shared/receipt/receipt';
import type { WaitFor } from './outcome';

/** `receipt`: the service calls. `look` and `lastLook`: the node looks up history, `lastLook` near the time limit. */
type Purpose = 'receipt' | 'look' | 'lastLook';

const purposes: Purpose[] = ['receipt', 'look', 'lastLook'];

/** Query field that proves that this node created the address. */
const proofField = 'proof';

/** What the wait needs besides the response to the send. */
export interface Awaited {
	run: string;
	// Field values, read before the message record replaced the item that they may refer to.
	to: string;
	waitFor: WaitFor;
	simplify: unknown;
	/**
	 * Random for each message and purpose, and independent of the credential, which may change. The token of n8n 2.x is
	 * the same for all waits of an execution; n8n 1.x has none.
	 */
	proofs: Record<Purpose, string>;
}

function forEachPurpose(make: (purpose: Purpose) => string): Record<Purpose, string> {
	return { receipt: make('receipt'), look: make('look'), lastLook: make('lastLook') };
}

/** The node's context survives retries and the wait, so all attempts of a run share the address that was sent. */
export function rememberAwaited(
	context: IExecuteFunctions,
	wish: Omit<Awaited, 'run' | 'proofs'>,
): Awaited {
	const memory = memoryOf<{ awaited?: Awaited }>(context);
	const run = readRun(context);
	const known = memory.awaited;
	const proofs =
		known?.run === run ? known.proofs : forEachPurpose(() => randomBytes(16).toString('hex'));
	const awaited: Awaited = { run, proofs, ...wish };
	memory.awaited = { ...awaited };
	return awaited;
}

export function recallAwaited(context: IWebhookFunctions): Awaited | undefined {
	return recallMemory(context, 'awaited') as Awaited | undefined;
}

/** @returns the purpose that the query proves; `undefined` if none */
export function findPurpose({ proofs }: Awaited, query: object): Purpose | undefined {
	const { [proofField]: given } = query as Record<string, unknown>;
	return purposes.find((purpose) => isSecretRight(proofs[purpose], given));
}

export type Addresses = Record<Purpose, string>;

/** Uses n8n's token: a signature over the whole address would break when the service adds its fields. */
export function toAddresses(resumeUrl: string, nodeId: string, { proofs }: Awaited): Addresses {
	return forEachPurpose((purpose) => {
		const address = new URL(resumeUrl);
		address.pathname = `${address.pathname.replace(/\/$/, '')}/${nodeId}`;
		address.searchParams.set(proofField, proofs[purpose]);
		return address.href;
	});
}
