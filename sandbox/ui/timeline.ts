import { listRecipients, readRecipient } from '../control/recipients';
import type { LoggedRequest, Traffic } from '../control/traffic';
import type { StoredMail, StoredMessage, StoredOtp } from '../entities';
import type { State } from '../state';
import type { Work } from '../turns';

/** What of the time line is shown; the titles are the page's. */
export const views = {
	all: 'Everything sent or refused',
	messages: 'Messages',
	codes: 'Codes',
	mails: 'Mails',
	refused: 'Refused',
	requests: 'All requests',
};
export type View = keyof typeof views;

export type Entry =
	| { kind: 'message'; atMs: number; message: StoredMessage }
	| { kind: 'code'; atMs: number; otp: StoredOtp }
	| { kind: 'mail'; atMs: number; mail: StoredMail }
	| { kind: 'request'; atMs: number; request: LoggedRequest };

export interface Timeline {
	/** Newest first. */
	shown: Entry[];
	/** How many match in all. */
	total: number;
}

/** More than this makes no page for people; the search looks through all. */
const maxShown = 200;

/** Messages, codes, mails and requests in one line, so that none pushes the others away. */
export function* readTimeline(
	state: State,
	traffic: Traffic,
	view: View,
	search: string,
): Work<Timeline> {
	const isWanted = readSearch(search);
	const parts = [
		(view === 'all' || view === 'messages') &&
			(yield* pick(state.messages, (message) => isWanted([message.to], listMessageTexts(message)))),
		(view === 'all' || view === 'codes') &&
			(yield* pick(state.codes, (otp) => isWanted([otp.to], listOtpTexts(otp)))),
		(view === 'all' || view === 'mails') &&
			(yield* pick(state.mails, (mail) => isWanted([], listMailTexts(mail)))),
		(view === 'all' || view === 'refused' || view === 'requests') &&
			(yield* pick(
				traffic.requests,
				(request) =>
					(view === 'requests' || isRefused(request)) &&
					isWanted(listRecipients(request).map(readRecipient), listRequestTexts(request)),
			)),
	].filter((part) => part !== false);
	const entries = parts.flatMap(({ shown }): Entry[] => shown.map(toEntry));
	return {
		shown: entries.sort((a, b) => b.atMs - a.atMs).slice(0, maxShown),
		total: parts.reduce((sum, { total }) => sum + total, 0),
	};
}

/** Refused as a whole or for one recipient, spoilt by a fault, or left without an answer. */
function isRefused({ statusAnswered, reason }: LoggedRequest): boolean {
	if (statusAnswered === 'open') return false;
	return typeof statusAnswered === 'string' || statusAnswered >= 300 || reason !== undefined;
}

interface Picked<T> {
	shown: T[];
	total: number;
}

/** The newest that match, and how many there are. */
function* pick<T>(list: T[], isWanted: (entry: T) => boolean): Work<Picked<T>> {
	const shown: T[] = [];
	let total = 0;
	// As it is now: it changes while others have their turn.
	for (const entry of list.slice().reverse()) {
		yield;
		if (!isWanted(entry)) continue;
		total += 1;
		if (shown.length < maxShown) shown.push(entry);
	}
	return { shown, total };
}

function toEntry(one: StoredMessage | StoredOtp | StoredMail | LoggedRequest): Entry {
	if ('messageId' in one) return { kind: 'message', atMs: one.createdAtMs, message: one };
	if ('requestId' in one) return { kind: 'code', atMs: one.createdAtMs, otp: one };
	if ('mailId' in one) return { kind: 'mail', atMs: one.createdAtMs, mail: one };
	return { kind: 'request', atMs: one.clockMs, request: one };
}

/** Any spelling of a number, also of its beginning or end, or a part of any text. */
function readSearch(search: string): (numbers: string[], texts: string[]) => boolean {
	const wanted = search.toLowerCase();
	if (wanted === '') return () => true;
	const number = readPartOfNumber(search);
	return (numbers, texts) =>
		(number !== undefined && numbers.some((one) => one.includes(number))) ||
		texts.some((text) => text.toLowerCase().includes(wanted));
}

function readPartOfNumber(search: string): string | undefined {
	if (!/^[+\d][\d\s().-]{2,}$/.test(search)) return undefined;
	const digits = search.replace(/[\s().-]/g, '').replace(/^00/, '+');
	return digits.replace(/^\+/, '').replace(/^09/, '959');
}

function listMessageTexts(message: StoredMessage): string[] {
	const { from, message: text, status, clientReference, messageId } = message;
	return [from, text, status, clientReference ?? '', messageId];
}

function listOtpTexts({ to, brand, from, code, requestId, message }: StoredOtp): string[] {
	return [to, brand, from, code, String(requestId), message];
}

function listMailTexts({ from, to, subject, text }: StoredMail): string[] {
	return [from, to, subject, text];
}

function listRequestTexts({ path, reason, statusAnswered, body, query }: LoggedRequest): string[] {
	const { message, clientReference } = { ...query, ...(body as object) } as Record<string, unknown>;
	return [path, reason, statusAnswered, message, clientReference].map((one) => String(one ?? ''));
}
