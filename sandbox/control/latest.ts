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
	const { lifetime } = state;
	const values: Value[] = to === undefined ? [since] : [since, readRecipient(to)];
	const find = (): T | undefined =>
		since >= state.mark
			? undefined
			: table.findNewest(`mark > ? ${to === undefined ? '' : `AND ${isTo}`}`, ...values);
	await state.store.committed().catch(() => undefined);
	const found = find();
	return found || waitMs <= 0
		? found
		: await waitFor(state, find, waitMs, [lifetime.signal, ...(signal ? [signal] : [])]);
}

function waitFor<T>(
	state: State,
	find: () => T | undefined,
	waitMs: number,
	ends: AbortSignal[],
): Promise<T | undefined> {
	return new Promise((resolve) => {
		let mark = state.mark;
		const endWith = (found?: T): void => {
			state.listeners.delete(look);
			clearTimeout(timer);
			for (const one of ends) one.removeEventListener('abort', end);
			resolve(found);
		};
		const end = (): void => endWith();
		const look = (): void => {
			if (state.mark === mark) return;
			mark = state.mark;
			const found = find();
			if (found) endWith(found);
		};
		const timer = setTimeout(end, waitMs);
		state.listeners.add(look);
		for (const one of ends) one.addEventListener('abort', end);
		if (ends.some(({ aborted }) => aborted)) end();
	});
}
