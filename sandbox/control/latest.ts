import { once } from 'node:events';
import type { State } from '../state';
import type { Value } from '../store/Database';
import { readRecipient } from '../store/recipients';
import type { Table } from '../store/Table';

export interface LatestQuery {
	/** Any spelling of a number, or an e-mail address; anybody when left out. */
	to?: string;
	/** Only what was issued after this mark; anything when left out. */
	since?: number;
	/** How long to wait for one, in milliseconds; 0 when left out. */
	waitMs?: number;
	/** Ends the waiting. */
	signal?: AbortSignal;
}

/**
 * The newest entry to somebody; undefined when there is none in time.
 *
 * @param isTo the condition on the recipient
 */
export async function findLatest<T extends object>(
	state: State,
	table: Table<T>,
	isTo: string,
	{ to, since = -1, waitMs = 0, signal }: LatestQuery,
): Promise<T | undefined> {
	const values: Value[] = to === undefined ? [since] : [since, readRecipient(to)];
	const condition = `mark > ? ${to === undefined ? '' : `AND ${isTo}`}`;
	const waits = [state.lifetime.signal, AbortSignal.timeout(waitMs), ...(signal ? [signal] : [])];
	const ends = AbortSignal.any(waits);
	await state.store.committed().catch(() => undefined);
	for (let mark = since; ; ) {
		const found = mark !== state.mark ? table.findNewest(condition, ...values) : undefined;
		if (found || waitMs <= 0) return found;
		({ mark } = state);
		try {
			await once(state.news, 'change', { signal: ends });
		} catch {
			return undefined;
		}
	}
}
