import { randomUUID } from 'node:crypto';
import type { MailDraft, StoredMail } from '../entities';
import { readClock, type State, takeMark } from '../state';
import { formatDateTime } from './dateTime';

const maxMailsKept = 1_000;

/** Keeps at most `maxMailsKept`, and no more than `maxRequestsKept`: mails are long. */
export function storeMail(
	state: State,
	draft: MailDraft & Pick<StoredMail, 'requestId'>,
): StoredMail {
	const createdAtMs = readClock(state);
	const createdAt = formatDateTime(createdAtMs);
	const mail = { ...draft, mailId: randomUUID(), createdAt, createdAtMs, mark: takeMark(state) };
	state.mails.insert(mail, Math.min(maxMailsKept, state.settings.maxRequestsKept));
	return mail;
}
