import type {
	LateAct,
	LoggedRequest,
	SentReceipt,
	StoredMail,
	StoredMessage,
	StoredOtp,
} from '../entities';
import { listAddresses, listRecipients, readRecipient } from './recipients';
import { Store } from './Store';
import { Table, type TableOptions } from './Table';

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

const messageOptions: TableOptions<StoredMessage> = {
	columns: {
		...{ mark: 'INTEGER PRIMARY KEY', messageId: 'TEXT', message: 'TEXT', to: 'TEXT' },
		...{ clientReference: 'TEXT', scheduledAt: 'TEXT', createdAt: 'TEXT' },
		...{ messageCount: 'INTEGER', from: 'TEXT', network: 'TEXT', type: 'TEXT' },
		...{ status: 'TEXT', test: 'FLAG', encryptMessage: 'FLAG OPTIONAL', finishedAt: 'TEXT' },
		...{ createdAtMs: 'NUMERIC', listedFromMs: 'NUMERIC', deliveryReceiptUrl: 'TEXT' },
		...{ sentBy: 'TEXT', encoding: 'TEXT', requestNumber: 'INTEGER', price: 'NUMERIC' },
		...{ statuses: 'TEXT JSON', steps: 'TEXT JSON', owed: 'TEXT JSON', reported: 'TEXT JSON' },
		...{ dueMs: 'NUMERIC HIDDEN', search: 'TEXT HIDDEN' },
	},
	order: ['createdAtMs', 'mark'],
	// The second index covers the filters of message history. Each further index slows down every send.
	indexes: [
		'(messageId)',
		'(createdAtMs, mark, listedFromMs, "from", "to")',
		'(dueMs, mark) WHERE dueMs IS NOT NULL',
	],
	hidden: {
		dueMs: ({ createdAtMs, steps: [next] }) => (next ? createdAtMs + next.afterMs : null),
		search: ({ to, from, message, clientReference, messageId }) =>
			toSearch(to, from, message, clientReference, messageId),
	},
};

export type Tables = ReturnType<typeof createTables>;

/** The store keeps its tables across restarts; the log of requests and receipts is in memory. */
export function createTables(folder?: string) {
	const messages = new Table('message', messageOptions);
	const codes = new Table<StoredOtp>('code', {
		columns: {
			...{ mark: 'INTEGER PRIMARY KEY', requestId: '', channel: 'TEXT', to: 'TEXT' },
			...{ brand: 'TEXT', from: 'TEXT', code: 'TEXT', message: 'TEXT', createdAt: 'TEXT' },
			...{ expireAt: 'TEXT', createdAtMs: 'NUMERIC', expiresAtMs: 'NUMERIC' },
			...{ maxInvalidAttempts: 'INTEGER', invalidAttempts: 'INTEGER', verifiedAt: 'TEXT' },
			...{ recipient: 'TEXT HIDDEN', search: 'TEXT HIDDEN' },
		},
		indexes: ['(requestId)', '(recipient)'],
		hidden: {
			recipient: ({ to }) => readRecipient(to),
			search: ({ to, brand, from, code, message, requestId }) =>
				toSearch(to, brand, from, code, message, String(requestId)),
		},
	});
	const mails = new Table<StoredMail>('mail', {
		columns: {
			...{ mark: 'INTEGER PRIMARY KEY', mailId: 'TEXT', from: 'TEXT', to: 'TEXT' },
			...{ subject: 'TEXT', text: 'TEXT', html: 'TEXT OPTIONAL', createdAt: 'TEXT' },
			...{ createdAtMs: 'NUMERIC', recipients: 'TEXT HIDDEN', search: 'TEXT HIDDEN' },
		},
		indexes: ['(mailId)'],
		hidden: {
			recipients: ({ to }) => join(listAddresses(to)),
			search: ({ from, to, subject, text }) => toSearch(from, to, subject, text),
		},
		pageSize: 50,
	});
	const lateActs = new Table<LateAct>('lateAct', {
		columns: { id: 'TEXT PRIMARY KEY', dueMs: 'NUMERIC', request: 'TEXT JSON' },
		indexes: ['(dueMs)'],
	});
	const requests = new Table<LoggedRequest>('request', {
		columns: {
			...{ number: 'INTEGER PRIMARY KEY', at: 'INTEGER', clockMs: 'INTEGER', method: 'TEXT' },
			...{ surface: 'TEXT', path: 'TEXT', query: 'TEXT JSON', repeated: 'TEXT JSON OPTIONAL' },
			...{ rawQuery: 'TEXT', bytes: 'INTEGER', headers: 'TEXT JSON' },
			...{ ipAddress: 'TEXT', baseUrl: 'TEXT', statusAnswered: 'NUMERIC', answer: 'TEXT OPTIONAL' },
			...{ reason: 'TEXT OPTIONAL', notes: 'TEXT JSON OPTIONAL', fault: 'TEXT OPTIONAL' },
			...{ statusOfLateAct: 'INTEGER OPTIONAL', recipients: 'TEXT HIDDEN' },
			...{ search: 'TEXT HIDDEN', body: 'TEXT JSON / HEAVY' },
		},
		hidden: {
			recipients: (request) => join(listRecipients(request)),
			search: (request) => toSearch(request.path, ...listTexts(request)),
		},
		pageSize: 20,
	});
	const receipts = new Table<SentReceipt & { id?: number }>('receipt', {
		columns: {
			...{ id: 'INTEGER PRIMARY KEY / HIDDEN', at: 'INTEGER', messageId: 'TEXT', to: 'TEXT' },
			...{ status: 'TEXT', url: 'TEXT', answered: 'INTEGER', attempt: 'INTEGER' },
			...{ lateMs: 'NUMERIC', search: 'TEXT HIDDEN' },
		},
		hidden: { search: ({ messageId, to, status }) => toSearch(to, status, messageId) },
	});
	const kept = [messages, codes, mails, lateActs];
	const logged = [requests, receipts];
	const schemaOf = (tables: Array<{ schema: string }>) =>
		tables.map(({ schema }) => schema).join(' ');
	const meta = 'CREATE TABLE meta (name TEXT PRIMARY KEY, value);';
	const store = new Store(`${schemaOf(kept)} ${meta}`, folder);
	const log = new Store(schemaOf(logged));
	for (const table of kept) table.store = store;
	for (const table of logged) table.store = log;
	return { store, messages, codes, mails, lateActs, requests, receipts };
}

function listTexts({ query, body }: LoggedRequest): string[] {
	return [...Object.values(query), typeof body === 'string' ? body : JSON.stringify(body)];
}
