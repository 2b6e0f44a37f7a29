import type * as entities from '../entities';
import * as schemas from '../schemas';
import { listAddresses, listRecipients, readRecipient } from './recipients';
import { Store } from './Store';
import { Table } from './Table';

/** Characters of each text that the inbox searches. */
const maxSearched = 2_000;

function toSearch(...texts: Array<string | null | undefined>): string {
	return texts
		.map((text) => (text ?? '').slice(0, maxSearched))
		.join('\n')
		.toLowerCase();
}

/** Recipients between spaces, so that a query matches only whole ones. */
function join(recipients: string[]): string {
	return ` ${recipients.map(readRecipient).join(' ')} `;
}

export type Tables = ReturnType<typeof createTables>;

/** The store keeps its tables across restarts; the log of requests and receipts is in memory. */
export function createTables(folder?: string) {
	const store = new Store(folder);
	const log = new Store();
	const messages = new Table<entities.StoredMessage>(store, 'message', schemas.message, {
		key: 'mark',
		order: ['arrivedMs', 'mark'],
		// The second index covers the filters of message history. Each further index slows down every send.
		indexes: [
			'(messageId)',
			'(arrivedMs, mark, listedFromMs, "from", "to")',
			'(dueMs, mark) WHERE dueMs IS NOT NULL',
		],
		hidden: {
			dueMs: ({ createdAtMs, steps: [next] }) => (next ? createdAtMs + next.afterMs : null),
			search: ({ to, from, message, clientReference, messageId }) =>
				toSearch(to, from, message, clientReference, messageId),
		},
	});
	const codes = new Table<entities.StoredOtp>(store, 'code', schemas.code, {
		key: 'mark',
		indexes: ['(requestId)', '(recipient)'],
		hidden: {
			recipient: ({ to }) => readRecipient(to),
			search: ({ to, brand, from, code, message, requestId }) =>
				toSearch(to, brand, from, code, message, String(requestId)),
		},
	});
	const mails = new Table<entities.StoredMail>(store, 'mail', schemas.mail, {
		key: 'mark',
		indexes: ['(mailId)'],
		hidden: {
			recipients: ({ to }) => join(listAddresses(to)),
			search: ({ from, to, subject, text }) => toSearch(from, to, subject, text),
		},
		pageSize: 50,
	});
	const lateActs = new Table<entities.LateAct>(store, 'lateAct', schemas.lateAct, {
		indexes: ['(dueMs)'],
	});
	const requests = new Table<entities.LoggedRequest>(log, 'request', schemas.request, {
		key: 'number',
		hidden: {
			recipients: (request) => join(listRecipients(request)),
			search: (request) => toSearch(request.path, ...listTexts(request)),
		},
		...{ heavy: 'body', pageSize: 20 },
	});
	const receipts = new Table<entities.SentReceipt>(log, 'receipt', schemas.receipt, {
		hidden: { search: ({ messageId, to, status }) => toSearch(to, status, messageId) },
	});
	store.write('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value)');
	store.commit();
	return { store, messages, codes, mails, lateActs, requests, receipts };
}

function listTexts({ query, body }: entities.LoggedRequest): string[] {
	return [...Object.values(query), typeof body === 'string' ? body : JSON.stringify(body)];
}
