import { createHmac, timingSafeEqual } from 'node:crypto';

/** Query field of the address that proves that this node made it. */
export const proofField = 'proof';

/**
 * A proof that only who holds the secret can make. n8n 2.x has a token of its own in the address; n8n 1.x has none,
 * and there anybody who guesses the number of an execution could otherwise report a delivery.
 */
export function proveAddress(secret: string, executionId: string, nodeId: string): string {
	return createHmac('sha256', secret).update(`${executionId}:${nodeId}`).digest('hex').slice(0, 32);
}

export function isProofRight(expected: string, given: unknown): boolean {
	if (typeof given !== 'string' || given.length !== expected.length) return false;
	return timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}

/**
 * The address that gets the receipts of one message. n8n's own resume address is kept with its token, since the
 * service adds fields to the query, which a signature over the whole address would not survive.
 */
export function toReceiptAddress(resumeUrl: string, nodeId: string, proof: string): string {
	const address = new URL(resumeUrl);
	address.pathname = `${address.pathname.replace(/\/$/, '')}/${nodeId}`;
	address.searchParams.set(proofField, proof);
	return address.href;
}
