import type { Change, StoredMail, StoredMessage, StoredOtp } from '../entities';
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
	const isMeant = readCondition<StoredMessage>(query);
	const isNews = (change: Change) => change.kind === 'message' && isMeant(change.message);
	return await waitFor(state, query, isNews, () => findNewest(state.messages, isMeant));
}

export async function findLatestCode(
	state: State,
	query: LatestQuery,
): Promise<StoredOtp | undefined> {
	const isMeant = readCondition<StoredOtp>(query);
	const isNews = (change: Change) => change.kind === 'code' && isMeant(change.otp);
	return await waitFor(state, query, isNews, () => findNewest(state.codes, isMeant));
}

export async function findLatestMail(
	state: State,
	query: LatestQuery,
): Promise<StoredMail | undefined> {
	const isMeant = readCondition<StoredMail>(query, ({ to }) => listAddresses(to));
	const isNews = (change: Change) => change.kind === 'mail' && isMeant(change.mail);
	return await waitFor(state, query, isNews, () => findNewest(state.mails, isMeant));
}

function readCondition<T extends { to: string; mark: number }>(
	{ to, since = -1 }: LatestQuery,
	listTo: (entry: T) => string[] = (entry) => [entry.to],
): (entry: T) => boolean {
	const recipient = to === undefined ? undefined : readRecipient(to);
	return (entry) =>
		entry.mark > since &&
		(recipient === undefined || listTo(entry).some((one) => one.toLowerCase() === recipient));
}

function findNewest<T>(list: T[], isMeant: (entry: T) => boolean): T | undefined {
	for (let index = list.length - 1; index >= 0; index -= 1) {
		if (isMeant(list[index]!)) return list[index];
	}
	return undefined;
}

/** Looks again when there are news, until the time is up: a look at each change would be one at all there is. */
async function waitFor<T>(
	state: State,
	{ waitMs = 0, signal }: LatestQuery,
	isNews: (change: Change) => boolean,
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
		const look = (change: Change): void => {
			if (isNews(change)) end();
		};
		const timer = setTimeout(end, waitMs);
		state.listeners.add(look);
		for (const one of ends) one.addEventListener('abort', end);
	});
}
