import { randomUUID } from 'node:crypto';
import type { MailDraft, StoredMail } from './entities';
import { formatDateTime } from './service/dateTime';
import { readClock, type State, takeMark } from './state';

const maxMailsKept = 1_000;

/** Keeps at most `maxMailsKept`, and no more than `maxRequestsKept`: mails are long. */
export function addMail(state: State, { from, to, subject, text, html }: MailDraft): StoredMail {
	const createdAtMs = readClock(state);
	const mail: StoredMail = {
		...{ mailId: randomUUID(), from, to, subject, text, ...(html !== undefined && { html }) },
		...{ createdAt: formatDateTime(createdAtMs), createdAtMs, mark: takeMark(state) },
	};
	state.mails.insert(mail, Math.min(maxMailsKept, state.settings.maxRequestsKept));
	return mail;
}
