import type { RequestPool } from '../client/RequestPool';
import { deliveryTiming } from './timing';
import type { LedgerEntry } from './ledger';
import type { Window } from './ServiceClock';

/** A request that hangs at the service may still be taken this long after we gave it up. */
const latestTakingMs = 2 * 60_000;

/**
 * Looks again and again until everything is found, or until it would have appeared in history.
 * @param since end of the last request, in milliseconds since 1970
 * @param look answers whether everything is found
 */
export async function lookUntilFound(
	pool: RequestPool,
	since: number,
	look: () => Promise<boolean>,
): Promise<boolean> {
	const { looks } = deliveryTiming;
	// After a pause between two tries of the node, the looks whose time is long over make one.
	const due = looks.filter((after, n) => n === looks.length - 1 || since + after > Date.now());
	for (const after of due) {
		await pool.rest(Math.max(since + after - Date.now(), 0));
		if (await look()) return true;
	}
	return false;
}

/** When a message whose outcome is unknown can have been created, on our clock. */
export function windowOf({ firstSentAt = Date.now(), lastSentAt }: LedgerEntry): Window {
	return { from: firstSentAt, to: (lastSentAt ?? firstSentAt) + latestTakingMs };
}
