import type { Exchange } from './Account';
import {
	about,
	bodyOf,
	describe,
	type Finding,
	isAccepted,
	isSuccess,
	minutesAhead,
	say,
	type Seen,
} from './seen';

/** What nodes and sandbox assume about the service. */
export interface Assumption {
	id: string;
	/** The assumption, unless a line of SUPPORTED.md with this id says it. */
	says?: string;
	/** What a user meets if it is wrong. */
	wrong?: string;
	/** Field notes (docs/service.md) that it rests on. */
	notes?: number[];
	/** Reads the verdict from what was seen ... */
	judge?: (seen: Seen) => Finding;
	/** ... or why nobody can, without harm. */
	cannot?: string;
}

type About = Pick<Assumption, 'says' | 'notes'>;
type Test = (one: Exchange, seen: Seen) => boolean | Finding;

/** Judged by the response to one call. */
const by = (id: string, call: string, test: Test, wrong: string, more: About = {}): Assumption => ({
	...{ id, wrong, ...more },
	judge: (seen) =>
		about(seen.one(call), (one) => {
			const found = test(one, seen);
			return typeof found === 'boolean' ? say(found, describe(one)) : found;
		}),
});

const isRejected: Test = (one) => !isSuccess(one);
const hasStatus =
	(status: number, words = /./): Test =>
	(one) =>
		one.status === status && words.test(describe(one));
/** Of the first record. */
const hasField =
	(call: string, name: string, isSame: (value: unknown) => boolean): Test =>
	(_, seen) => {
		const value = seen.records(call)[0]?.[name];
		return say(isSame(value), name, value ?? null);
	};
const hasReference = (call: string, value: unknown): Test =>
	hasField(call, 'clientReference', (one) => one === value);
const isOwnNumber = (value: unknown): boolean => /^(959)?NUMBER$/.test(String(value));

const takes = (id: string, call: string, says: string): Assumption =>
	by(
		id,
		call,
		(one) => ![404, 405].includes(one.status),
		'The node that uses it fails with "not found"; one line in endpoints.ts mends it.',
		{ says },
	);

const flag = (word: string, call: string): Assumption =>
	by(`flag-${word}`, call, isAccepted, `Messages with the option ${word} are rejected.`, {
		...{ says: `${word} is accepted as the number 1.`, notes: [2] },
	});

/** Compares our message in history with what was sent. */
const listed = (
	id: string,
	name: string,
	isSame: (value: unknown) => boolean,
	says: string,
	wrong: string,
): Assumption => ({
	...{ id, says, wrong },
	judge: (seen) => {
		const record = seen.listed('real:').at(-1);
		return record && say(name in record && isSame(record[name]), name, record[name]);
	},
});

const receipts = (
	id: string,
	wrong: string,
	judge: (all: ReturnType<Seen['receipts']>) => Finding,
	says?: string,
): Assumption => ({
	...{ id, wrong, says, notes: [10] },
	judge: (seen) => (seen.receipts().length > 0 ? judge(seen.receipts()) : undefined),
});

const cannot = (id: string, reason: string, notes?: number[]): Assumption => ({
	...{ id, cannot: reason, notes },
});

/** Minutes that `createdAt` of the sent message is ahead of the header Date, or of our own clock. */
function readAhead(one: Exchange): number | undefined {
	const [first] = (bodyOf(one).messages ?? []) as Array<{ createdAt?: unknown }>;
	return minutesAhead(first?.createdAt, one.date ? Date.parse(one.date) : one.at);
}

const isNothing = 'Nothing: both are read as none.';

export const assumptions: Assumption[] = [
	// Access
	by('auth-bearer', 'balance', isSuccess, 'No node works: 401.', {
		says: 'REST takes `Authorization: Bearer`.',
	}),
	by('auth-basic', 'basic', isSuccess, 'Nothing: the nodes send Bearer.', {
		says: 'REST takes `Authorization: Basic`, too.',
	}),
	by('scheme-case', 'bearer in lower case', isSuccess, 'Nothing: the nodes write Bearer.'),
	by(
		'wrong-key',
		'wrong key',
		hasStatus(401, /invalid credentials/),
		'The credential test blames something else.',
		{ says: 'A wrong key is a 401, "Your request was made with invalid credentials."' },
	),
	by(
		'token-in-query',
		'method-otp-verify',
		(one) => one.status !== 401,
		'Codes and sending by query parameters get 401.',
		{ says: 'The token is percent-encoded in a query.', notes: [4] },
	),
	{
		...{ id: 'no-redirect', says: 'Nothing is redirected.', notes: [13] },
		wrong: 'Requests fail; the Base URL is to be corrected.',
		judge: ({ exchanges }) => {
			const found = exchanges.find(({ status }) => status >= 300 && status < 400);
			if (exchanges.length === 0) return undefined;
			return say(!found, found ? describe(found) : 'no redirect');
		},
	},
	{
		...{ id: 'success-201', notes: [1], wrong: 'Nothing: the nodes accept any 2xx.' },
		judge: ({ exchanges }) => {
			const found = [...new Set(exchanges.filter(isSuccess).map(({ status }) => status))];
			if (found.length === 0) return undefined;
			return say(
				found.every((one) => one === 201),
				found,
			);
		},
	},
	by(
		'error-status',
		'invalid number',
		isRejected,
		'An error could be read as a success; the nodes also read the status in the body.',
		{ says: 'Errors have a 4xx, except rejected records.' },
	),
	by('unknown-path', 'unknown path', hasStatus(404), 'A wrong Base URL is not recognized.'),
	by('json-only', 'text instead of JSON', hasStatus(415), 'Nothing: the nodes send JSON.'),
	by(
		'balance-no-type',
		'balance',
		(one) => one.status !== 415,
		'SMS Balance and the credential test fail.',
	),
	// Methods
	takes('method-send', 'method-send', 'Send takes POST.'),
	takes('method-bulk', 'method-bulk', 'Bulk send takes POST.'),
	takes('method-history', 'history', 'History takes GET.'),
	takes('method-balance', 'balance', 'Balance takes GET.'),
	takes('method-otp-request', 'method-otp-request', 'Requesting a code takes POST.'),
	takes('method-otp-verify', 'method-otp-verify', 'Verifying a code takes POST.'),
	takes('method-query', 'method-query', 'Sending by query parameters takes POST.'),
	// Sending
	...[flag('test', 'flag-test'), flag('unicode', 'send'), flag('encrypt', 'flag-encrypt')],
	by('flag-forms', 'flag-true', isAccepted, 'Nothing: the nodes send the number 1.', {
		notes: [2],
	}),
	by(
		'test-free',
		'after test',
		(one, seen) => {
			const [after, before] = [bodyOf(one).balance, bodyOf(seen.one('before test')).balance];
			return say(after === before, 'balance', Number(after) - Number(before));
		},
		'Messages with the option Test cost money.',
	),
	by(
		'status-accepted',
		'send',
		hasField('send', 'status', (value) => value === 'Accepted'),
		'Output shows another word; retries still recognize the message.',
		{ says: 'Every send response says Accepted.', notes: [9] },
	),
	by(
		'number-form',
		'send',
		hasField('send', 'to', isOwnNumber),
		'Messages of one request are matched by number: bulk results could be reported as in doubt.',
	),
	by(
		'networks',
		'send',
		hasField('send', 'network', (one) => /^(MPT|Telenor|Ooredoo|Unknown)$/.test(String(one))),
		'Nothing: the words are passed on.',
	),
	by('reference-empty', 'flag-test', hasReference('flag-test', ''), isNothing),
	by('query-reference-null', 'send by query', hasReference('send by query', null), isNothing),
	by('send-by-query', 'send by query', isAccepted, 'The option fails; leave it off.', {
		says: 'Sending by query parameters sends.',
	}),
	by('error-422', 'invalid number', hasStatus(422), 'Nothing: every 4xx is a rejection.', {
		notes: [15],
	}),
	by(
		'sender-unregistered',
		'unknown sender',
		(one) => isSuccess(one) && !isAccepted(one),
		'Nothing if it is a 4xx. If it is accepted, a typo in the sender ID costs a message.',
		{ notes: [3, 15] },
	),
	by(
		'bulk-all-or-none',
		'bulk with a bad number',
		isRejected,
		'Good messages of a bulk request are sent beside bad ones; the nodes match records to items.',
	),
	by(
		'bulk-order',
		'bulk',
		hasField('bulk', 'message', (text) => /bulk one/.test(String(text))),
		'Nothing: records are matched by number and text.',
	),
	{
		id: 'schedule-zone',
		wrong: 'Scheduled messages leave at a wrong time: correct Service Time Zone in the credential.',
		judge: (seen) => {
			const [before, after] = ['before its time', 'after its time'].map((name) =>
				seen.records(name).find(({ message }) => String(message).includes('scheduled')),
			);
			if (!after) return undefined;
			const isSent =
				after.status !== 'Accepted' && (before === undefined || before.status === 'Accepted');
			const was = before?.status ?? 'not listed';
			return say(isSent, was, 'before its time,', after.status, 'after it');
		},
	},
	// History and time
	{
		...{ id: 'listing-time', says: 'A message is listed within a minute.' },
		wrong: "A retry after a lost response could send a message twice: don't use Retry On Fail.",
		judge: (seen) => {
			const sent = seen.one('send');
			const looks = seen.all('listed real:');
			const found = looks.find((one) => JSON.stringify(one.body).includes('real:'));
			const end = (found ?? looks.at(-1))?.at;
			if (!sent || !isAccepted(sent) || end === undefined) return undefined;
			const seconds = Math.round((end - sent.at - sent.tookMs) / 1000);
			const words = found ? 'listed after' : 'not listed for';
			return say(found !== undefined && seconds <= 60, words, seconds, 'seconds');
		},
	},
	listed(
		'reference-in-history',
		'clientReference',
		(one) => /check-.*-ref/.test(String(one)),
		'History has the reference.',
		'Safe retries fall back to number, text and time: the same text sent twice can be taken for a duplicate.',
	),
	listed(
		'history-text',
		'message',
		(one) => /real: {2}two spaces, "quotes", \u00e9 \u20ac$/.test(String(one)),
		'History has the text as it was sent.',
		"Retries of messages without a reference can't recognize them.",
	),
	listed(
		'history-number',
		'to',
		isOwnNumber,
		'History has numbers as in responses.',
		'Retries recognize a message by number: it would be sent again.',
	),
	{
		...{ id: 'history-sender', says: 'History has the sender ID as it was sent.' },
		wrong: 'Filters by sender ID find nothing.',
		judge: (seen) => {
			const [record, sent] = [seen.listed('real:').at(-1), seen.one('send')?.request.body];
			return record && say(record.from === (sent as { from?: string }).from, 'from', record.from);
		},
	},
	by(
		'zone-created',
		'send',
		(one) => {
			const ahead = readAhead(one);
			if (ahead === undefined) return undefined;
			const minutes = `${Math.round(ahead)} minutes ahead of the header Date`;
			return say(Math.abs(ahead) < 30, 'createdAt, read in GMT+6:30, is', minutes);
		},
		'Times are shown wrong, and retries search the wrong hours: correct Service Time Zone in the credential.',
	),
	by(
		'clock',
		'send',
		(one) => {
			const ahead = one.date === undefined ? undefined : readAhead(one);
			if (ahead === undefined) return undefined;
			// A whole number of half hours is a zone, not a clock.
			const off = Math.abs(ahead - Math.round(ahead / 30) * 30);
			return say(off <= 1, Math.round(ahead), 'minutes ahead');
		},
		'Retries allow for 15 minutes; beyond that, a message is in doubt.',
		{ says: 'Times agree with the header Date, within a minute.' },
	),
	by(
		'history-newest-first',
		'listed bulk two',
		(_, seen) => {
			const times = seen.records('listed bulk two').map(({ createdAt }) => String(createdAt));
			const sorted = [...times].sort().reverse();
			if (new Set(times).size < 2) return undefined;
			return say(times.join() === sorted.join(), times.slice(0, 3));
		},
		'Lookups of retries read all pages, or stop too early.',
	),
	by(
		'history-filters',
		'history with filters',
		(one, seen) => {
			const records = seen.records('history with filters');
			const hasOurs = records.some(({ message }) => String(message).includes('real:'));
			return say(hasOurs, isSuccess(one) ? `${records.length} records` : describe(one));
		},
		'SMS History and lookups miss messages of the last day.',
		{ notes: [11] },
	),
	by(
		'history-to-95',
		'history to 09',
		(one, seen) => !isSuccess(one) || seen.records('history to 09').length === 0,
		'Nothing: the nodes write 959.',
		{ says: '`to` takes numbers that start with 95, not 09.', notes: [11] },
	),
	{
		...{ id: 'page-sizes', says: 'Pages have 20, 50, 100, 500 or 1,000 records.' },
		wrong: 'Reading long histories takes more requests.',
		judge: (seen) => {
			const pages = seen.all('page of ').filter(({ name }) => name !== 'page of 7');
			const asked = (one: Exchange) => Number(one.request.query?.limit);
			const wrong = pages.find((one) => Number(bodyOf(one).limit) !== asked(one));
			if (pages.length === 0) return undefined;
			return say(!wrong, wrong ? `${wrong.name}: ${describe(wrong)}` : 'all');
		},
	},
	by('history-invalid', 'page of 7', hasStatus(422), 'Nothing: the nodes send valid values.'),
	by(
		'history-last-page',
		'last page',
		(one, seen) => {
			const { length } = seen.records('last page');
			const found = isSuccess(one) ? `${length} records` : describe(one);
			return say(isSuccess(one) && length === 0, found);
		},
		'Reading all messages could repeat some: the nodes stop by `records`.',
	),
	by(
		'links-own-host',
		'history',
		(one) => {
			const { first } = (bodyOf(one).links ?? {}) as { first?: string };
			return first === undefined ? undefined : say(/^https?:\/\/SERVICE/.test(first), first);
		},
		'Nothing: the nodes never follow them.',
		{ says: '`links` name the host of the service.', notes: [12] },
	),
	by(
		'links-plain',
		'history',
		(one) => {
			const { first } = (bodyOf(one).links ?? {}) as { first?: string };
			return first === undefined ? undefined : say(/index\?page=1$/.test(first), first);
		},
		'Nothing: the nodes never follow them.',
		{ notes: [12] },
	),
	by(
		'history-no-codes',
		'codes in history',
		(_, seen) => {
			const records = seen.records('codes in history');
			const withCode = records.filter(({ message }) => /CODE/.test(String(message)));
			return say(withCode.length === 0, withCode.length, 'of', records.length, 'have a code');
		},
		'Anyone who can read history can read codes.',
	),
	// Codes
	by(
		'otp-bad-parameter',
		'code without brand',
		hasStatus(400),
		'Nothing: every 4xx is a rejection.',
	),
	by(
		'otp-defaults',
		'code by SMS',
		(one) => {
			const { createdAt, expireAt } = bodyOf(one);
			const seconds = (Date.parse(String(expireAt)) - Date.parse(String(createdAt))) / 1000;
			if (Number.isNaN(seconds)) return undefined;
			return say(seconds === 300, 'valid for', seconds, 'seconds');
		},
		'Nothing: the nodes show `expireAt`.',
	),
	by(
		'otp-id',
		'code by SMS',
		(one) => {
			const { requestId } = bodyOf(one);
			if (requestId === undefined) return undefined;
			return say(/^\d{9}$/.test(String(requestId)), String(requestId).length, 'characters');
		},
		'Nothing: IDs keep their digits.',
		{ notes: [14] },
	),
	by(
		'verify-missing',
		'code by SMS: without a code',
		hasStatus(400),
		'Nothing: OTP Verify requires a code.',
	),
	by(
		'verify-wrong',
		'code by SMS: wrong',
		hasStatus(400, /Invalid request/),
		'A mistyped code is reported as a failure, or with another reason.',
	),
	by(
		'verify-right',
		'code by SMS: right',
		(one) =>
			isSuccess(one) && ['request_id', 'to', 'verifiedAt'].every((name) => name in bodyOf(one)),
		'Nobody is verified: OTP Verify fails closed.',
		{ says: 'A right code is confirmed with `request_id`, `to` and `verifiedAt`.', notes: [5] },
	),
	by(
		'verify-once',
		'code by SMS: again',
		hasStatus(400),
		'A code that was seen by others can be used again.',
	),
	by(
		'verify-expired',
		'code by email: late',
		hasStatus(400),
		'Codes stay valid beyond their time.',
		{ says: 'An expired code is rejected.' },
	),
	by(
		'verify-blocked',
		'blocked code: right',
		hasStatus(400),
		'Codes can be guessed: OTP Verify counts attempts itself only with its option.',
	),
	// Receipts
	receipts(
		'receipt-method',
		'Nothing: the trigger takes POST and GET, query, form and JSON.',
		(all) => {
			const methods = [...new Set(all.map(({ method }) => method))];
			return say(methods.join() === 'POST', methods);
		},
	),
	receipts('receipt-retries', 'A receipt is lost when n8n is down.', (all) => {
		const [first, ...others] = all.map(({ fields }) => `${fields.messageId} ${fields.status}`);
		const isRepeated = others.includes(String(first));
		return say(isRepeated, isRepeated ? 'repeated after a 500' : 'not repeated after a 500');
	}),
	receipts('receipt-unsigned', 'Nothing: history confirms receipts.', (all) => {
		const isSigned = all.some(({ signed }) => signed);
		return say(!isSigned, isSigned ? 'a field or header names a signature' : 'no signature');
	}),
	receipts(
		'receipt-statuses',
		'Waiting for delivery can end late.',
		(all) => {
			const statuses = all.map(({ fields }) => fields.status);
			return say(
				['Sent', 'Delivered'].every((one) => statuses.includes(one)),
				statuses,
			);
		},
		'Sent and Delivered have a receipt each.',
	),
	receipts('receipt-finished', 'Nothing: the value is passed on.', (all) => {
		const early = all.find(({ fields }) => fields.status === 'Sent');
		return early && say(!early.fields.finishedAt, early.fields.finishedAt ?? 'absent');
	}),
	// What nobody can try without harm
	cannot('whitelist', 'It would change the account.'),
	{
		says: 'A key belongs to one product.',
		...cannot('key-products', 'It needs a second key with fewer products.', [6]),
	},
	cannot('ignored-fields', 'The nodes send none; an unknown field could cost a message.'),
	cannot('key-without-encrypt', 'The nodes never send it.'),
	cannot('repeated-parameter', 'The nodes never repeat one.'),
	cannot('no-limits', 'Limits are not probed: an account could be blocked.'),
	cannot('domestic-digits', "Other lengths of numbers may be strangers' phones."),
	cannot('one-recipient', 'It would cost messages; the nodes send one each.'),
	cannot('reference-length', 'It would cost a message; the nodes send no longer ones.', [8]),
	cannot('low-balance', 'It needs an account without balance.'),
	cannot('cipher', 'The nodes pass the text on; nothing rests on its format.'),
	cannot('parts', 'Long texts cost several messages.'),
	cannot('bulk-low-balance', 'It needs an account without balance.'),
	cannot('bulk-at-once', 'It would take thousands of messages.'),
	cannot('bulk-length', 'It would take thousands of messages.'),
	cannot('otp-unable', 'It needs an account without the product.', [7]),
	cannot('otp-cost', 'Prices differ by account.'),
	cannot('otp-template', 'It would cost several codes.'),
	cannot('otp-abroad', 'It needs a phone abroad.', [16]),
	cannot('query-no-key', 'The nodes never send it.'),
	cannot('query-flags', 'It would cost a message for each; the nodes leave flags out.', [2]),
	cannot('receipt-progress', 'The operator decides it; the report lists what was seen.'),
];
