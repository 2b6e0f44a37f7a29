import type { MessageRecord } from '../client/types';
import { digitsOf } from './pairing';

/** Long enough for whatever is cleared up at this moment, short enough to stay small. */
const keepMs = 5 * 60_000;

interface Claim {
	/** `history`: the record was found by looking for a message, so it can be another one that is alike. */
	by: 'answer' | 'history';
	at: number;
}

/**
 * The messages that sends of this n8n process are known to have become lately, oldest first. Alike messages of
 * other nodes, loops and executions are told apart by it: a record belongs to one send only.
 */
const claims = new Map<string, Claim>();

function keyOf({ messageId, to }: MessageRecord): string | undefined {
	// With the number, since another account may count its ids from 1 as well.
	return messageId ? `${messageId}|${digitsOf(to)}` : undefined;
}

function forgetOld(now: number): void {
	for (const [key, { at }] of claims) {
		if (at > now - keepMs) return;
		claims.delete(key);
	}
}

export function claim(record: MessageRecord, by: Claim['by']): void {
	const key = keyOf(record);
	if (key === undefined) return;
	const now = Date.now();
	forgetOld(now);
	claims.delete(key);
	claims.set(key, { by, at: now });
}

export function isClaimed(record: MessageRecord): boolean {
	return claims.has(keyOf(record) ?? '');
}

/** Whether another send that was looked for has taken this record as its own. */
export function isClaimedByHistory(record: MessageRecord): boolean {
	return claims.get(keyOf(record) ?? '')?.by === 'history';
}
