import { randomBytes } from 'node:crypto';

import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { readRun } from '../shared/execution/agentTool';
import { recallMemory } from '../shared/execution/waiting';
import { isSecretRight } from '../shared/receipt/receipt';
import type { WaitFor } from './outcome';

/** `receipt` is a report of the service, `look` asks the node to look into history, `lastLook` does so at the end. */
type Purpose = 'receipt' | 'look' | 'lastLook';

const purposes: Purpose[] = ['receipt', 'look', 'lastLook'];

/** Query field of the address that proves that this node made it. */
const proofField = 'proof';

/** The message that an execution waits for, as far as the response to the send does not tell. */
export interface Awaited {
	run: string;
	// Field values from before the record of the message replaced the item that they may refer to.
	to: string;
	waitFor: WaitFor;
	simplify: unknown;
	/**
	 * Random, new for every message, one for each purpose, and without anything of the credential, which may change. The
	 * token of n8n 2.x is the same for all that an execution ever waits for; n8n 1.x has none.
	 */
	proofs: Record<Purpose, string>;
}

function forEachPurpose(make: (purpose: Purpose) => string): Record<Purpose, string> {
	return { receipt: make('receipt'), look: make('look'), lastLook: make('lastLook') };
}

/** The memory of the node outlives attempts and the wait: another attempt of the run finds the address that went out. */
export function rememberAwaited(
	context: IExecuteFunctions,
	wish: Omit<Awaited, 'run' | 'proofs'>,
): Awaited {
	const memory = context.getContext('node');
	const run = readRun(context);
	const known = memory.awaited as Awaited | undefined;
	const proofs =
		known?.run === run ? known.proofs : forEachPurpose(() => randomBytes(16).toString('hex'));
	const awaited: Awaited = { run, proofs, ...wish };
	memory.awaited = { ...awaited };
	return awaited;
}

export function recallAwaited(context: IWebhookFunctions): Awaited | undefined {
	return recallMemory(context, 'awaited') as Awaited | undefined;
}

/** @returns what a call with this query may be for; `undefined` when it proves nothing */
export function findPurpose({ proofs }: Awaited, query: object): Purpose | undefined {
	const { [proofField]: given } = query as Record<string, unknown>;
	return purposes.find((purpose) => isSecretRight(proofs[purpose], given));
}

export type Addresses = Record<Purpose, string>;

/** With n8n's token. Its signature over the whole address would not survive the fields that the service adds. */
export function toAddresses(resumeUrl: string, nodeId: string, { proofs }: Awaited): Addresses {
	return forEachPurpose((purpose) => {
		const address = new URL(resumeUrl);
		address.pathname = `${address.pathname.replace(/\/$/, '')}/${nodeId}`;
		address.searchParams.set(proofField, proofs[purpose]);
		return address.href;
	});
}
