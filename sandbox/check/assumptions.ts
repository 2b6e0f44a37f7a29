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

const taken = (id: string, name: string, says: string, notes?: number[]): Assumption => ({
	...{
		id,
		says,
		notes,
		wrong: 'The node that uses it fails with "not found"; one line in endpoints.ts mends it.',
	},
	judge: (seen) =>
		about(seen.one(name), (one) => say(![404, 405].includes(one.status), describe(one))),
});
const flag = (id: string, word: string): Assumption => ({
	...{ id, says: `${word} is accepted as the number 1.`, notes: [2] },
	wrong: `Messages with the option ${word} are rejected.`,
	judge: (seen) =>
		about(seen.one(id === 'flag-unicode' ? 'send' : id), (one) =>
			say(isAccepted(one), describe(one)),
		),
});
const rejectedBy400 = (id: string, name: string, wrong: string, words = /./): Assumption => ({
	...{ id, wrong },
	judge: (seen) =>
		about(seen.one(name), (one) =>
			say(one.status === 400 && words.test(describe(one)), describe(one)),
		),
});
/** Compares our message in history with what was sent. */
const listed = (
	id: string,
	says: string,
	wrong: string,
	isSame: (record: object) => boolean,
	name: string,
): Assumption => ({
	...{ id, says, wrong },
	judge: (seen) => {
		const record = seen.listed('real:').at(-1);
		return record && say(isSame(record), name, record[name]);
	},
});
const receipts = (
	id: string,
	wrong: string,
	judge: (of: ReturnType<Seen['receipts']>) => Finding,
): Assumption => ({
	...{ id, wrong, notes: [10] },
	judge: (seen) => (seen.receipts().length > 0 ? judge(seen.receipts()) : undefined),
});
const cannot = (id: string, reason: string, notes?: number[]): Assumption => ({
	id,
	cannot: reason,
	notes,
});

const createdOf = (one: Parameters<typeof isSuccess>[0] & { body: unknown }): unknown =>
	(bodyOf(one as never).messages as Array<{ createdAt?: unknown }> | undefined)?.[0]?.createdAt;

export const assumptions: Assumption[] = [
	// Access
	{
		...{
			id: 'auth-bearer',
			says: 'REST takes `Authorization: Bearer`.',
			wrong: 'No node works: 401.',
		},
		judge: (seen) => about(seen.one('balance'), (one) => say(isSuccess(one), describe(one))),
	},
	{
		...{
			id: 'auth-basic',
			says: 'REST takes `Authorization: Basic`, too.',
			wrong: 'Nothing: the nodes send Bearer.',
		},
		judge: (seen) => about(seen.one('basic'), (one) => say(isSuccess(one), describe(one))),
	},
	{
		...{ id: 'scheme-case', wrong: 'Nothing: the nodes write Bearer.' },
		judge: (seen) =>
			about(seen.one('bearer in lower case'), (one) => say(isSuccess(one), describe(one))),
	},
	{
		...{
			id: 'wrong-key',
			says: 'A wrong key is a 401, "Your request was made with invalid credentials."',
		},
		wrong: 'The credential test blames something else.',
		judge: (seen) =>
			about(seen.one('wrong key'), (one) =>
				say(one.status === 401 && /invalid credentials/.test(describe(one)), describe(one)),
			),
	},
	{
		...{ id: 'token-in-query', says: 'The token is percent-encoded in a query.', notes: [4] },
		wrong: 'Codes and sending by query parameters get 401.',
		judge: (seen) =>
			about(seen.one('method-otp-verify'), (one) => say(one.status !== 401, describe(one))),
	},
	{
		...{
			id: 'no-redirect',
			says: 'Nothing is redirected.',
			notes: [13],
			wrong: 'Requests fail; the Base URL is to be corrected.',
		},
		judge: ({ exchanges }) => {
			const found = exchanges.find(({ status }) => status >= 300 && status < 400);
			return exchanges.length === 0
				? undefined
				: say(!found, found ? describe(found) : 'no redirect');
		},
	},
	{
		...{ id: 'success-201', notes: [1], wrong: 'Nothing: the nodes accept any 2xx.' },
		judge: ({ exchanges }) => {
			const found = [...new Set(exchanges.filter(isSuccess).map(({ status }) => status))];
			return found.length === 0
				? undefined
				: say(
						found.every((one) => one === 201),
						found,
					);
		},
	},
	{
		...{
			id: 'error-status',
			says: 'Errors have a 4xx, except rejected records.',
			wrong: 'An error could be read as a success; the nodes also read the status in the body.',
		},
		judge: (seen) =>
			about(seen.one('invalid number'), (one) => say(!isSuccess(one), describe(one))),
	},
	{
		...{ id: 'unknown-path', wrong: 'A wrong Base URL is not recognized.' },
		judge: (seen) =>
			about(seen.one('unknown path'), (one) => say(one.status === 404, describe(one))),
	},
	{
		...{ id: 'json-only', wrong: 'Nothing: the nodes send JSON.' },
		judge: (seen) =>
			about(seen.one('text instead of JSON'), (one) => say(one.status === 415, describe(one))),
	},
	{ ...taken('balance-no-type', 'balance', ''), says: undefined },
	// Methods
	taken('method-send', 'method-send', 'Send takes POST.'),
	taken('method-bulk', 'method-bulk', 'Bulk send takes POST.'),
	taken('method-history', 'history', 'History takes GET.'),
	taken('method-balance', 'balance', 'Balance takes GET.'),
	taken('method-otp-request', 'method-otp-request', 'Requesting a code takes POST.'),
	taken('method-otp-verify', 'method-otp-verify', 'Verifying a code takes POST.'),
	taken('method-query', 'method-query', 'Sending by query parameters takes POST.'),
	// Sending
	...[flag('flag-test', 'test'), flag('flag-unicode', 'unicode'), flag('flag-encrypt', 'encrypt')],
	{
		...{ id: 'flag-forms', notes: [2], wrong: 'Nothing: the nodes send the number 1.' },
		judge: (seen) => about(seen.one('flag-true'), (one) => say(isAccepted(one), describe(one))),
	},
	{
		...{ id: 'test-free', wrong: 'Messages with the option Test cost money.' },
		judge: (seen) =>
			about(seen.one('after test'), (one) =>
				say(
					bodyOf(one).balance === bodyOf(seen.one('before test')).balance,
					'balance',
					Number(bodyOf(one).balance) - Number(bodyOf(seen.one('before test')).balance),
				),
			),
	},
	{
		...{
			id: 'status-accepted',
			says: 'Every send response says Accepted.',
			notes: [9],
			wrong: 'Output shows another word; retries still recognize the message.',
		},
		judge: (seen) =>
			about(seen.one('send'), () =>
				say(seen.records('send')[0]?.status === 'Accepted', seen.records('send')[0]?.status),
			),
	},
	{
		...{
			id: 'number-form',
			wrong:
				'Messages of one request are matched by number: bulk results could be reported as in doubt.',
		},
		judge: (seen) =>
			about(seen.one('send'), () =>
				say(
					/^(959)?NUMBER$/.test(String(seen.records('send')[0]?.to)),
					seen.records('send')[0]?.to,
				),
			),
	},
	{
		...{ id: 'networks', wrong: 'Nothing: the words are passed on.' },
		judge: (seen) =>
			about(seen.one('send'), () =>
				say(
					/^(MPT|Telenor|Ooredoo|Unknown)$/.test(String(seen.records('send')[0]?.network)) &&
						seen.records('send')[0]?.type === 'sms.text',
					seen.records('send')[0]?.network,
					seen.records('send')[0]?.type,
				),
			),
	},
	{
		...{ id: 'reference-empty', wrong: 'Nothing: both are read as none.' },
		judge: (seen) =>
			about(seen.one('flag-test'), () =>
				say(
					seen.records('flag-test')[0]?.clientReference === '',
					seen.records('flag-test')[0]?.clientReference,
				),
			),
	},
	{
		...{ id: 'query-reference-null', wrong: 'Nothing: both are read as none.' },
		judge: (seen) =>
			about(seen.one('send by query'), () =>
				say(
					seen.records('send by query')[0]?.clientReference === null,
					seen.records('send by query')[0]?.clientReference,
				),
			),
	},
	{
		...{
			id: 'send-by-query',
			says: 'Sending by query parameters sends.',
			wrong: 'The option fails; leave it off.',
		},
		judge: (seen) => about(seen.one('send by query'), (one) => say(isAccepted(one), describe(one))),
	},
	{
		...{ id: 'error-422', notes: [15], wrong: 'Nothing: every 4xx is a rejection.' },
		judge: (seen) =>
			about(seen.one('invalid number'), (one) => say(one.status === 422, describe(one))),
	},
	{
		...{
			id: 'sender-unregistered',
			notes: [3, 15],
			wrong: 'Nothing if it is a 4xx. If it is accepted, a typo in the sender ID costs a message.',
		},
		judge: (seen) =>
			about(seen.one('unknown sender'), (one) =>
				say(isSuccess(one) && !isAccepted(one), describe(one)),
			),
	},
	{
		...{
			id: 'bulk-all-or-none',
			wrong:
				'Good messages of a bulk request are sent beside bad ones; the nodes match records to items.',
		},
		judge: (seen) =>
			about(seen.one('bulk with a bad number'), (one) => say(!isSuccess(one), describe(one))),
	},
	{
		...{ id: 'bulk-order', wrong: 'Nothing: records are matched by number and text.' },
		judge: (seen) =>
			about(seen.one('bulk'), () =>
				say(
					/bulk one/.test(String(seen.records('bulk')[0]?.message)),
					seen.records('bulk').map(({ message }) => message),
				),
			),
	},
	{
		...{ id: 'bulk-reference-null', wrong: 'Nothing: both are read as none.' },
		judge: (seen) =>
			about(seen.one('bulk'), () =>
				say(
					seen.records('bulk')[0]?.clientReference === null,
					seen.records('bulk')[0]?.clientReference,
				),
			),
	},
	{
		...{
			id: 'schedule-zone',
			wrong:
				'Scheduled messages leave at a wrong time: correct Service Time Zone in the credential.',
		},
		judge: (seen) => {
			const [before, after] = ['before its time', 'after its time'].map((name) =>
				seen.records(name).find(({ message }) => String(message).includes('scheduled')),
			);
			if (!after) return undefined;
			const isSent =
				after.status !== 'Accepted' && (before === undefined || before.status === 'Accepted');
			return say(
				isSent,
				before?.status ?? 'not listed',
				'before its time,',
				after.status,
				'after it',
			);
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
			return say(
				found !== undefined && seconds <= 60,
				found ? 'listed after' : 'not listed for',
				seconds,
				'seconds',
			);
		},
	},
	listed(
		'reference-in-history',
		'History has the reference.',
		'Safe retries fall back to number, text and time: the same text sent twice can be taken for a duplicate.',
		(one) => 'clientReference' in one && /check-.*-ref/.test(String(one.clientReference)),
		'clientReference',
	),
	listed(
		'history-text',
		'History has the text as it was sent.',
		"Retries of messages without a reference can't recognize them.",
		(one) =>
			'message' in one && /real: {2}two spaces, "quotes", \u00e9 \u20ac$/.test(String(one.message)),
		'message',
	),
	listed(
		'history-number',
		'History has numbers as in responses.',
		'Retries recognize a message by number: it would be sent again.',
		(one) => 'to' in one && /^(959)?NUMBER$/.test(String(one.to)),
		'to',
	),
	{
		...{
			id: 'history-sender',
			says: 'History has the sender ID as it was sent.',
			wrong: 'Filters by sender ID find nothing.',
		},
		judge: (seen) => {
			const [record, sent] = [seen.listed('real:').at(-1), seen.one('send')?.request.body];
			return record && say(record.from === (sent as { from?: string }).from, 'from', record.from);
		},
	},
	{
		...{
			id: 'zone-created',
			wrong:
				'Times are shown wrong, and retries search the wrong hours: correct Service Time Zone in the credential.',
		},
		judge: (seen) =>
			about(seen.one('send'), (one) => {
				const ahead = minutesAhead(createdOf(one), one.date ? Date.parse(one.date) : one.at);
				return ahead === undefined
					? undefined
					: say(
							Math.abs(ahead) < 30,
							'createdAt, read in GMT+6:30, is',
							Math.round(ahead),
							'minutes ahead of the header Date',
						);
			}),
	},
	{
		...{
			id: 'clock',
			says: 'Times agree with the header Date, within a minute.',
			wrong: 'Retries allow for 15 minutes; beyond that, a message is in doubt.',
		},
		judge: (seen) =>
			about(seen.one('send'), (one) => {
				const ahead =
					one.date === undefined ? undefined : minutesAhead(createdOf(one), Date.parse(one.date));
				// A whole number of half hours is a zone, not a clock.
				return ahead === undefined
					? undefined
					: say(
							Math.abs(ahead - Math.round(ahead / 30) * 30) <= 1,
							Math.round(ahead),
							'minutes ahead',
						);
			}),
	},
	{
		...{
			id: 'history-newest-first',
			wrong: 'Lookups of retries read all pages, or stop too early.',
		},
		judge: (seen) =>
			about(seen.one('listed bulk two'), () => {
				const times = seen.records('listed bulk two').map(({ createdAt }) => String(createdAt));
				const sorted = [...times].sort().reverse();
				return new Set(times).size < 2
					? undefined
					: say(times.join() === sorted.join(), times.slice(0, 3));
			}),
	},
	{
		...{
			id: 'history-filters',
			notes: [11],
			wrong: 'SMS History and lookups miss messages of the last day.',
		},
		judge: (seen) =>
			about(seen.one('history with filters'), (one) =>
				say(
					seen
						.records('history with filters')
						.some(({ message }) => String(message).includes('real:')),
					isSuccess(one) ? `${seen.records('history with filters').length} records` : describe(one),
				),
			),
	},
	{
		...{
			id: 'history-to-95',
			says: '`to` takes numbers that start with 95, not 09.',
			notes: [11],
			wrong: 'Nothing: the nodes write 959.',
		},
		judge: (seen) =>
			about(seen.one('history to 09'), (one) =>
				say(!isSuccess(one) || seen.records('history to 09').length === 0, describe(one)),
			),
	},
	{
		...{
			id: 'page-sizes',
			says: 'Pages have 20, 50, 100, 500 or 1,000 records.',
			wrong: 'Reading long histories takes more requests.',
		},
		judge: (seen) => {
			const pages = seen.all('page of ').filter(({ name }) => name !== 'page of 7');
			const wrong = pages.find(
				(one) => Number(bodyOf(one).limit) !== Number(one.request.query?.limit),
			);
			return pages.length === 0
				? undefined
				: say(!wrong, wrong ? `${wrong.name}: ${describe(wrong)}` : 'all');
		},
	},
	{
		...{ id: 'history-invalid', wrong: 'Nothing: the nodes send valid values.' },
		judge: (seen) => about(seen.one('page of 7'), (one) => say(one.status === 422, describe(one))),
	},
	{
		...{
			id: 'history-last-page',
			wrong: 'Reading all messages could repeat some: the nodes stop by `records`.',
		},
		judge: (seen) =>
			about(seen.one('last page'), (one) =>
				say(
					isSuccess(one) && seen.records('last page').length === 0,
					isSuccess(one) ? `${seen.records('last page').length} records` : describe(one),
				),
			),
	},
	{
		...{
			id: 'links-own-host',
			says: '`links` name the host of the service.',
			notes: [12],
			wrong: 'Nothing: the nodes never follow them.',
		},
		judge: (seen) =>
			about(seen.one('history'), (one) => {
				const { first } = (bodyOf(one).links ?? {}) as { first?: string };
				return first === undefined ? undefined : say(/^https?:\/\/SERVICE/.test(first), first);
			}),
	},
	{
		...{ id: 'history-no-codes', wrong: 'Anyone who can read history can read codes.' },
		judge: (seen) =>
			about(seen.one('codes in history'), () =>
				say(
					!seen.records('codes in history').some(({ message }) => /CODE/.test(String(message))),
					seen.records('codes in history').length,
					'records, none with a code',
				),
			),
	},
	// Codes
	rejectedBy400('otp-bad-parameter', 'code without brand', 'Nothing: every 4xx is a rejection.'),
	{
		...{ id: 'otp-defaults', wrong: 'Nothing: the nodes show `expireAt`.' },
		judge: (seen) =>
			about(seen.one('code by SMS'), (one) => {
				const { createdAt, expireAt } = bodyOf(one);
				const seconds = (Date.parse(String(expireAt)) - Date.parse(String(createdAt))) / 1000;
				return Number.isNaN(seconds)
					? undefined
					: say(seconds === 300, 'valid for', seconds, 'seconds');
			}),
	},
	{
		...{ id: 'otp-id', notes: [14], wrong: 'Nothing: IDs keep their digits.' },
		judge: (seen) =>
			about(seen.one('code by SMS'), (one) => {
				const { requestId } = bodyOf(one);
				return requestId === undefined
					? undefined
					: say(/^\d{9}$/.test(String(requestId)), String(requestId).length, 'characters');
			}),
	},
	rejectedBy400(
		'verify-missing',
		'code by SMS: without a code',
		'Nothing: OTP Verify requires a code.',
	),
	rejectedBy400(
		'verify-wrong',
		'code by SMS: wrong',
		'A mistyped code is reported as a failure, or with another reason.',
		/Invalid request/,
	),
	{
		...{
			id: 'verify-right',
			says: 'A right code is confirmed with `request_id`, `to` and `verifiedAt`.',
			notes: [5],
			wrong: 'Nobody is verified: OTP Verify fails closed.',
		},
		judge: (seen) =>
			about(seen.one('code by SMS: right'), (one) =>
				say(
					isSuccess(one) && ['request_id', 'to', 'verifiedAt'].every((name) => name in bodyOf(one)),
					describe(one),
				),
			),
	},
	rejectedBy400(
		'verify-once',
		'code by SMS: again',
		'A code that was seen by others can be used again.',
	),
	{
		...rejectedBy400(
			'verify-expired',
			'code by email: late',
			'Codes stay valid beyond their time.',
		),
		says: 'An expired code is rejected.',
	},
	rejectedBy400(
		'verify-blocked',
		'blocked code: right',
		'Codes can be guessed: OTP Verify counts attempts itself only with its option.',
	),
	// Receipts
	receipts(
		'receipt-method',
		'Nothing: the trigger takes POST and GET, query, form and JSON.',
		(all) =>
			say(
				all.every(({ method }) => method === 'POST'),
				[...new Set(all.map(({ method }) => method))],
			),
	),
	receipts('receipt-retries', 'A receipt is lost when n8n is down.', (all) => {
		const [first, ...others] = all.map(
			({ fields }) => `${String(fields.messageId)} ${String(fields.status)}`,
		);
		return say(
			others.includes(String(first)),
			others.includes(String(first)) ? 'repeated after a 500' : 'not repeated after a 500',
		);
	}),
	receipts('receipt-unsigned', 'Nothing: history confirms receipts.', (all) =>
		say(
			all.every(({ signed }) => !signed),
			all.some(({ signed }) => signed) ? 'a header names a signature' : 'no signature',
		),
	),
	{
		says: 'Sent and Delivered have a receipt each.',
		...receipts('receipt-statuses', 'Waiting for delivery can end late.', (all) =>
			say(
				all.some(({ fields }) => fields.status === 'Sent') &&
					all.some(({ fields }) => fields.status === 'Delivered'),
				all.map(({ fields }) => fields.status),
			),
		),
	},
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
