import { once } from 'node:events';
import type { State } from '../state';
import type { Value } from '../store/Store';
import { readRecipient } from '../store/recipients';
import type { Table } from '../store/Table';

export interface LatestQuery {
	/** Any spelling of a phone number, or an email address; default: any recipient. */
	to?: string;
	/** Only entries after this mark; default: all. */
	since?: number;
	/** Time to wait for one, in milliseconds; default 0. */
	waitMs?: number;
	/** Ends the wait. */
	signal?: AbortSignal;
}

/**
 * The newest entry to a recipient; undefined if there is none within `waitMs`.
 *
 * @param isTo SQL condition on the recipient
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
