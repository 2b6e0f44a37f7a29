import { randomUUID } from 'node:crypto';
import type { StoredMail } from './entities';
import { formatDateTime } from './service/dateTime';
import { giveMark, keepNewest, readClock, reportChange, type State } from './state';

export type MailDraft = Pick<StoredMail, 'from' | 'to' | 'subject' | 'text'>;

export function addMail(state: State, { from, to, subject, text }: MailDraft): StoredMail {
	const createdAtMs = readClock(state);
	const times = { createdAt: formatDateTime(createdAtMs), createdAtMs };
	const mail = { mailId: randomUUID(), from, to, subject, text, ...times, mark: 0 };
	storeMail(state, mail);
	return mail;
}

/** Mails are long: of them only so many are kept as of requests. */
export function storeMail(state: State, mail: StoredMail): void {
	giveMark(state, mail);
	state.mails.push(mail);
	keepNewest(state.mails, Math.min(1_000, state.settings.maxRequestsKept));
	reportChange(state, { kind: 'mail', mail });
}

/** `Aye <aye@example.com>, b@example.com`: both addresses. */
export function listAddresses(text: string): string[] {
	return text.match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? [];
}
