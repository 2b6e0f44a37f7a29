import { createHmac } from 'node:crypto';

import { isSecretRight } from '../shared/receipt/isSecretRight';

/**
 * What a call at a waiting execution is for.
 * - `receipt`: the service reports something.
 * - `look`: our own watch asks the node to look into history.
 * - `lastLook`: the same shortly before the time limit.
 */
export type Purpose = 'receipt' | 'look' | 'lastLook';

const purposes: Purpose[] = ['receipt', 'look', 'lastLook'];

/** The one message of the one node of the one execution that an address is for. */
export interface Place {
	executionId: string;
	nodeId: string;
	nonce: string;
}

/** Query field of the address that proves that this node made it. */
export const proofField = 'proof';

/**
 * A proof that only who holds the secret can make, and that is good for one purpose: who is given the address for
 * receipts cannot call as the watch. n8n 2.x has a token of its own in the address, the same for all that an
 * execution ever waits for; n8n 1.x has none.
 */
function prove(secret: string, purpose: Purpose, { executionId, nodeId, nonce }: Place): string {
	const text = [purpose, executionId, nodeId, nonce].join(':');
	return createHmac('sha256', secret).update(text).digest('hex').slice(0, 32);
}

/** @returns what a call with this proof may be for; `undefined` when the proof proves nothing */
export function readPurpose(secret: string, place: Place, given: unknown): Purpose | undefined {
	return purposes.find((purpose) => isSecretRight(prove(secret, purpose, place), given));
}

/**
 * The addresses of one message, by purpose. n8n's own resume address is kept with its token, since the service adds
 * fields to the query, which n8n's signature over the whole address would not survive.
 */
export function toAddresses(
	resumeUrl: string,
	secret: string,
	place: Place,
): Record<Purpose, string> {
	const toAddress = (purpose: Purpose) => {
		const address = new URL(resumeUrl);
		address.pathname = `${address.pathname.replace(/\/$/, '')}/${place.nodeId}`;
		address.searchParams.set(proofField, prove(secret, purpose, place));
		return address.href;
	};
	return {
		receipt: toAddress('receipt'),
		look: toAddress('look'),
		lastLook: toAddress('lastLook'),
	};
}
