import type { StoredMail, StoredMessage, StoredOtp } from '../entities';
import { listAddresses } from '../mails';
import type { State } from '../state';
import { readRecipient } from './recipients';

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

export async function findLatestMessage(
	state: State,
	query: LatestQuery,
): Promise<StoredMessage | undefined> {
	return await waitFor(state, query, () => findLatest(state.messages, query));
}

export async function findLatestCode(
	state: State,
	query: LatestQuery,
): Promise<StoredOtp | undefined> {
	return await waitFor(state, query, () => findLatest(state.codes, query));
}

export async function findLatestMail(
	state: State,
	query: LatestQuery,
): Promise<StoredMail | undefined> {
	const listTo = ({ to }: StoredMail) => listAddresses(to);
	return await waitFor(state, query, () => findLatest(state.mails, query, listTo));
}

function findLatest<T extends { to: string; mark: number }>(
	list: T[],
	{ to, since = -1 }: LatestQuery,
	listTo: (entry: T) => string[] = (entry) => [entry.to],
): T | undefined {
	const recipient = to === undefined ? undefined : readRecipient(to);
	for (let index = list.length - 1; index >= 0; index -= 1) {
		const entry = list[index]!;
		const isMeant =
			recipient === undefined || listTo(entry).some((one) => one.toLowerCase() === recipient);
		if (isMeant && entry.mark > since) return entry;
	}
	return undefined;
}

/** Looks again after each change, until there is one or the time is up. */
async function waitFor<T>(
	state: State,
	{ waitMs = 0, signal }: LatestQuery,
	find: () => T | undefined,
): Promise<T | undefined> {
	const found = find();
	if (found || waitMs <= 0) return found;
	const ends = [state.lifetime.signal, ...(signal ? [signal] : [])];
	return await new Promise((resolve) => {
		const end = (): void => {
			state.listeners.delete(look);
			clearTimeout(timer);
			for (const one of ends) one.removeEventListener('abort', end);
			resolve(find());
		};
		const look = (): void => {
			if (find()) end();
		};
		const timer = setTimeout(end, waitMs);
		state.listeners.add(look);
		for (const one of ends) one.addEventListener('abort', end);
	});
}
