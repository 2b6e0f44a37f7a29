import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change, StoredMail, StoredMessage, StoredOtp } from '../entities';
import { listAddresses } from '../mails';
import type { State } from '../state';
import { doInTurns, type Work } from '../turns';
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

/** Where entries of a kind are, and to whom they are. */
interface Kind<T> {
	listAll: () => T[];
	listNews: (change: Change) => T[];
	isTo: (entry: T, recipient: string) => boolean;
}

export function findLatestMessage(
	state: State,
	query: LatestQuery,
): Promise<StoredMessage | undefined> {
	return findLatest(state, query, {
		listAll: () => state.messages,
		listNews: (change) => (change.kind === 'messages' ? change.messages : []),
		isTo: ({ to }, recipient) => to === recipient,
	});
}

export function findLatestCode(state: State, query: LatestQuery): Promise<StoredOtp | undefined> {
	return findLatest(state, query, {
		listAll: () => state.codes,
		listNews: (change) => (change.kind === 'code' ? [change.otp] : []),
		isTo: ({ channel, to }, recipient) =>
			(channel === 'EMAIL' ? to.toLowerCase() : to) === recipient,
	});
}

export function findLatestMail(state: State, query: LatestQuery): Promise<StoredMail | undefined> {
	return findLatest(state, query, {
		listAll: () => state.mails,
		listNews: (change) => (change.kind === 'mail' ? [change.mail] : []),
		isTo: ({ to }, recipient) =>
			listAddresses(to).some((address) => address.toLowerCase() === recipient),
	});
}

async function findLatest<T extends { mark: number }>(
	state: State,
	query: LatestQuery,
	{ listAll, listNews, isTo }: Kind<T>,
): Promise<T | undefined> {
	const { to, since = -1, waitMs = 0 } = query;
	const recipient = to === undefined ? undefined : readRecipient(to);
	const isMeant = (entry: T): boolean =>
		entry.mark > since && (recipient === undefined || isTo(entry, recipient));
	const find = async (list: T[]): Promise<T | undefined> =>
		since >= state.mark ? undefined : await doInTurns(findNewest(list, isMeant));
	if (waitMs <= 0) return await find(listAll());
	const watch = startWatch(state, query, async (change) => {
		const news = listNews(change);
		if (news.length <= 1) return news.find(isMeant);
		// Not in the turn in which thousands of them are stored.
		await nextTurn();
		return await find(news);
	});
	const found = await find(listAll());
	if (found) watch.end();
	return found ?? (await watch.found);
}

const lookedAtOnce = 500;

/** From the newest end of the list as it is now. */
function* findNewest<T>(list: T[], isMeant: (entry: T) => boolean): Work<T | undefined> {
	const entries = list.slice();
	for (let index = entries.length - 1; index >= 0; index -= 1) {
		if (isMeant(entries[index]!)) return entries[index];
		if (index % lookedAtOnce === 0) yield;
	}
	return undefined;
}

interface Watch<T> {
	/** Undefined when the time is up, and when nobody waits any more. */
	found: Promise<T | undefined>;
	end(): void;
}

/** A look at everything for each change would be too much: only news are looked at. */
function startWatch<T>(
	state: State,
	{ waitMs, signal }: LatestQuery,
	findNews: (change: Change) => Promise<T | undefined>,
): Watch<T> {
	let resolve: (found?: T) => void = () => undefined;
	const found = new Promise<T | undefined>((settle) => (resolve = settle));
	const ends = [state.lifetime.signal, ...(signal ? [signal] : [])];
	const endWith = (news?: T): void => {
		state.listeners.delete(look);
		clearTimeout(timer);
		for (const one of ends) one.removeEventListener('abort', end);
		resolve(news);
	};
	const end = (): void => endWith();
	const look = (change: Change): void => {
		void findNews(change).then((news) => news && endWith(news));
	};
	const timer = setTimeout(end, waitMs);
	state.listeners.add(look);
	for (const one of ends) one.addEventListener('abort', end);
	return { found, end };
}
