import { isIP } from 'node:net';
import * as z from 'zod/v4';
import { duration, filledText, milliseconds, whole, wholeText } from './shapes';

/** All data of the sandbox: types (`entities.ts`), columns of the store, validation and OpenAPI come from here. */

const text = z.string();
const flag = z.boolean();
const number = z.number();
const count = z.int().min(1);
const time = number.describe('Milliseconds since 1970 (UTC).');
const dateTime = text.describe('YYYY-MM-DD HH:MM:SS in GMT+6:30.');
const mark = whole.describe('Grows with every message, code and mail; not always by one.');

/** An API key can be limited to some of the surfaces (field note 6). */
export const surface = z.enum(['rest', 'otp', 'http']);

const change = { status: text, afterMs: number.describe('After `createdAtMs`.') };
export const statusChange = z.strictObject(change);
export const statusStep = z.strictObject({
	...change,
	receipts: z.array(statusChange).describe('To post when the status is reached.'),
});
export const reportedStatus = z.strictObject({
	status: text,
	answered: z.int().nullable().describe("Status of the receiver's last response, if any."),
});

/** The encryption key is not stored: the service returns it only once. */
export const message = z.strictObject({
	mark,
	...{ messageId: text, message: text, to: text, clientReference: text.nullable() },
	...{ scheduledAt: dateTime.nullable(), createdAt: dateTime, messageCount: z.int() },
	...{ from: text, network: text, type: text, status: text, test: flag },
	encryptMessage: z.literal(true).optional().describe('`message` is encrypted.'),
	...{ finishedAt: dateTime.nullable(), createdAtMs: time },
	listedFromMs: time.describe("From when history lists it, by the sandbox's clock."),
	deliveryReceiptUrl: text.nullable(),
	sentBy: text.describe('Path of its request: /rest/send, /rest/send/bulk, /http/send.'),
	encoding: z.enum(['GSM-7', 'UCS-2']),
	requestNumber: whole.describe('0 if it was seeded.'),
	price: number.describe('Deducted for it, in the currency of the balance.'),
	// Messages share these lists: never change them in place.
	statuses: z.array(statusChange).describe('So far, Accepted first.'),
	steps: z.array(statusStep).describe('Still to come, in order.'),
	owed: z.array(statusChange).describe('Receipts that are due or in flight.'),
	reported: z.array(reportedStatus).describe('Receipts that are finished.'),
});

/** In plain text. */
export const code = z.strictObject({
	mark,
	requestId: z.union([z.int(), text]).describe('A text where a number loses digits.'),
	...{ channel: z.enum(['SMS', 'EMAIL']), to: text, brand: text, from: text, code: text },
	message: text.describe('The text that contains the code.'),
	...{ createdAt: dateTime, expireAt: dateTime, createdAtMs: time, expiresAtMs: time },
	...{ maxInvalidAttempts: whole, invalidAttempts: whole, verifiedAt: dateTime.nullable() },
});
export const otpState = z.enum(['valid', 'verified', 'expired', 'blocked']);

export const mail = z.strictObject({
	...{ mark, mailId: text, from: text, to: text.describe('Addresses, as in the mail.') },
	...{ subject: text, text, html: text.optional(), createdAt: dateTime, createdAtMs: time },
});
export const mailDraft = mail
	.pick({ from: true, subject: true, text: true, html: true })
	.extend({ to: filledText });

const texts = z.record(text, text);
/** A request that reached a path of the service, with its response. Holds credentials. */
export const request = z.strictObject({
	number: whole.describe('From 1; with a data folder, after the highest number stored.'),
	at: time.describe("By the machine's clock."),
	clockMs: time.describe("The same time by the sandbox's clock."),
	method: text,
	surface: text.describe('rest, otp or http; empty for any other path.'),
	path: text.describe('As received, without the query: /api/rest/send'),
	query: texts.describe('Decoded; the last value of a repeated parameter.'),
	repeated: z.array(text).optional().describe('Names of repeated parameters.'),
	rawQuery: text.describe('As received, without the question mark.'),
	bytes: whole.describe('Length of URL and body, in characters.'),
	headers: texts.describe('Names in lower case.'),
	ipAddress: text,
	baseUrl: text.describe('With the host name that the client used, or `linksBaseUrl`.'),
	statusAnswered: z
		.union([z.int(), z.enum(['open', 'cut', 'hung', 'gone'])])
		.describe('`open` while in flight; `cut` and `hung` by a fault; `gone`: the client left.'),
	answer: text.optional().describe('The beginning of the response body.'),
	reason: text.optional().describe('Why it was rejected, in more detail than the response.'),
	notes: z.array(text).optional().describe('Fields and parameters that were ignored.'),
	fault: text.optional().describe('The fault that was applied.'),
	statusOfLateAct: z.int().optional().describe("Status when it acted later (`when: 'later'`)."),
	body: z.unknown().describe('Parsed when it is JSON, otherwise the text as received.'),
});

/** A request that the service acts on after its response (`when: 'later'`). */
export const lateAct = z.strictObject({ id: text, dueMs: time, request });

/** One attempt to post a delivery receipt. */
export const receipt = z.strictObject({
	at: time.describe("Start of the attempt, its time in the queue included; machine's clock."),
	...{ messageId: text, to: text, status: text, url: text },
	answered: z.int().nullable().describe("Status of the receiver's response, if any."),
	attempt: count,
	lateMs: number.describe('From when it was due to the end of this attempt.'),
});

/** What happens to messages and codes for a phone number. */
export const behaviour = z.strictObject({
	statuses: z.array(filledText).describe('After Accepted, in order.'),
	paceFactor: number.positive().max(1000).optional().describe('For the time between steps.'),
	receipts: z
		.enum(['once', 'twice', 'none', 'reversed'])
		.optional()
		.describe('`reversed`: none until the last step, then all, newest first.'),
	refusal: z
		.enum(['inBody', 'byStatus'])
		.optional()
		.describe('`inBody`: a 2xx whose record has status false (field note 3); `byStatus`: a 400.'),
	answerDelayMs: milliseconds.optional().describe('Before the service acts and responds.'),
	isEarly: flag.optional().describe('All steps and receipts come before the send response.'),
});

/** After a 1xx status, the client would wait for the final response. */
const status = z.int().min(200).max(599);
const headerValue = text.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a text that a header can have');
const headerName = text.regex(/^[!#$%&'*+.^`|~\w-]+$/, 'a name of a header');
const effects = [
	z
		.enum(['cut', 'hang', 'brokenJson', 'cutBody', 'echo'])
		.describe(
			'`cut`: no response, connection destroyed; `hang`: no response, connection open; `brokenJson`: JSON that ends in the middle; `cutBody`: connection destroyed in the middle of the body; `echo`: an error that repeats URL, headers and body.',
		),
	z
		.strictObject({
			status,
			headers: z.record(headerName, headerValue).optional(),
			body: z.unknown().optional(),
		})
		.describe("`body`: a string unchanged, anything else as JSON; default: the service's error."),
	z.strictObject({
		redirect: z.strictObject({ location: headerValue, status: status.optional() }),
	}),
	z.strictObject({ slowMs: milliseconds }).describe('The real response, this much later.'),
	z.strictObject({ echo: z.strictObject({ status }) }),
] as const;
export const faultEffect = z.union(effects, 'an effect such as "cut" or {"status": 500}');

export const faultRule = z
	.strictObject({
		match: z
			.strictObject({
				path: text.optional().describe('With or without /api; a prefix when it ends in `*`.'),
				method: text.optional(),
				contains: text.optional().describe('Text in the decoded query or the body.'),
			})
			.optional()
			.describe('Default: every request.'),
		when: z
			.enum(['before', 'after', 'later'])
			.optional()
			.describe(
				'`before` (default): the service does not act, except with `slowMs`; `after`: it acts first; `later`: it acts `laterMs` after the request.',
			),
		laterMs: milliseconds.optional().describe("Only with `later`; by the sandbox's clock."),
		effect: faultEffect,
		probability: number.min(0).max(1).optional().describe('Default 1; drawn from `seed`.'),
		skip: whole.optional().describe('Matching requests that pass first; default 0.'),
		count: whole.optional().describe('Requests the fault applies to; default: no limit.'),
	})
	.refine(
		({ when = 'before', laterMs }) => (when === 'later') === (laterMs !== undefined),
		"a rule in which when: 'later' and laterMs go together: one needs the other",
	)
	.refine(
		({ laterMs, effect }) =>
			laterMs === undefined || typeof effect !== 'object' || !('slowMs' in effect),
		"a rule without slowMs, which gives the real response: when: 'later' does not have it",
	);
export const activeFault = z.strictObject({ rule: faultRule, seen: whole, hits: whole });

const ipAddress = text.refine((address) => isIP(address) > 0, 'an IP address');
const urlOrNothing = text.refine(
	(url) => url === '' || (/^https?:\/\//i.test(url) && URL.canParse(url)),
	'empty or a URL such as http://localhost:5678/webhook/sms',
);
export const credential = z.strictObject({
	...{ apiKey: filledText, apiSecret: filledText },
	products: z.array(surface).optional().describe('Surfaces it may use; default: all.'),
	whitelist: z.array(ipAddress).optional().describe('Addresses it may send from; default: any.'),
});
const price = number.min(0);
const success = z.int().min(200).max(299);

export const settings = z.strictObject({
	credentials: z.array(credential).describe('API keys with their secrets.'),
	successStatus: z
		.union([success, z.strictObject({ rest: success, otp: success, http: success })])
		.describe(
			'Status of every success, the GETs included: 201 as documented, 200 as some deployments respond. `{"rest": 201, "otp": 200, "http": 200}` sets it for each surface.',
		),
	latencyMs: milliseconds.describe('Each response takes this long; the service acts halfway.'),
	latencyJitterMs: milliseconds.describe('Random part of up to this, added to each response.'),
	pace: milliseconds.describe('Between two status steps; 0 = messages move only when told.'),
	balance: price.describe('The balance; setting it sets the balance.'),
	currency: filledText.describe('ISO 4217 code of the balance.'),
	numbers: z
		.record(text.regex(/^\d+$/, 'a number in digits only, such as 959779123456'), behaviour)
		.describe('What happens to messages and codes for these numbers, by 959779123456.'),
	prices: z
		.strictObject({ domestic: price, international: price })
		.describe('Price of one message part.'),
	testMessagesCost: flag.describe('Test messages are charged like others.'),
	defaultReceiptUrl: urlOrNothing.describe(
		"The account's receipt URL for messages without their own; empty = no receipts.",
	),
	receiptMethod: z
		.enum(['query', 'form', 'json', 'get'])
		.describe('How a receipt carries its values (field note 10); all but `get` are a POST.'),
	receiptAttempts: count.describe('Max calls of a receiver that does not respond with 200.'),
	receiptRetryMs: milliseconds.describe('Before the second attempt; doubles with each further.'),
	historyLagMs: milliseconds.describe('A new message appears in history this much later.'),
	historyLagJitterMs: milliseconds.describe('Random part of up to this, added for each message.'),
	bulkLagMs: milliseconds.describe(
		'The second half of the messages of a bulk request appears in history this much later.',
	),
	unlistedScheduled: flag.describe('History lists a scheduled message only from its time on.'),
	historySender: text.describe(
		'History shows, and filters by, this sender ID in place of the requested one; empty = that one.',
	),
	shuffleBulk: flag.describe('Bulk responses come in random order.'),
	seed: z.int().describe('Seed of everything random that decides behavior: faults, jitter, order.'),
	whitelist: z.array(ipAddress).describe('IP addresses that may send; empty = any.'),
	strictFlags: z
		.enum(['none', 'test', 'all'])
		.describe(
			'Flags that must be the number 1 or 0: `none` accepts booleans as documented, `test` rejects them for `test` as was seen (field note 2), `all` for every flag.',
		),
	bareRefusals: flag.describe('A record rejected inside a 2xx has `status` and `message` only.'),
	strictHttpFlags: flag.describe('The query-parameter surface rejects every flag, as was seen.'),
	largeRequestIds: flag.describe('OTP request IDs above 2^53, as digits in JSON.'),
	knownSenders: z
		.array(filledText)
		.describe('Registered sender IDs; empty = every sender ID is registered.'),
	linksBaseUrl: urlOrNothing.describe(
		'Base of the URLs in `links` of message history; empty = the address that the client used.',
	),
	maxMessagesKept: count.describe('Messages and codes kept; the oldest go first.'),
	maxRequestsKept: count.describe('Requests and receipts kept; the oldest go first.'),
});
export const settingChanges = settings.partial();

/** Start options that are not settings. */
export const startOptions = z
	.strictObject({
		port: z.int().min(0).max(65_535),
		host: filledText,
		allowedHosts: z.array(filledText),
		...{ apiKey: filledText, apiSecret: filledText },
		dataFolder: filledText,
		tls: z.union([flag, z.strictObject({ cert: filledText, key: filledText })]),
		...{ caFile: filledText, seedFile: filledText },
	})
	.partial();

/** Fields that a seed can set in a seeded message. */
export const seedMessage = message
	.pick({
		...{ messageId: true, message: true, to: true, from: true, network: true, type: true },
		...{ status: true, createdAt: true, clientReference: true, scheduledAt: true },
		...{ finishedAt: true, test: true, createdAtMs: true, listedFromMs: true },
	})
	.extend({ messageCount: count })
	.partial();

/** A seed file; the build turns it into a JSON schema for editors. */
export const seed = z.strictObject({
	$schema: text.optional().describe('Where editors find the schema of this file.'),
	...settings.pick({ balance: true, numbers: true }).partial().shape,
	messages: z
		.array(seedMessage)
		.optional()
		.describe('Messages in history, oldest first, a second apart; what is left out is generated.'),
	faults: z.array(faultRule).optional().describe('Fault rules.'),
});

const moment = text
	.refine((one) => /^\d+$/.test(one) || !Number.isNaN(Date.parse(one)), 'a time')
	.optional();
export const listFilter = z.strictObject({
	newest: wholeText.optional().describe('Only this many of the newest, still oldest first.'),
	to: text.optional().describe('Any spelling of a phone number, or an email address.'),
});
export const requestFilter = listFilter.extend({
	method: text.optional().describe('In uppercase or lowercase.'),
	path: text.optional().describe('With or without /api; a prefix when it ends in `*`.'),
	status: text.optional().describe('Such as 201, or `open`, `cut`, `hung`, `gone`.'),
	text: text.optional().describe('Part of the decoded query or of the body.'),
	from: moment.describe("Inclusive; machine's clock, in milliseconds since 1970 or ISO 8601."),
	until: moment.describe('Inclusive, like `from`.'),
});
export const latestQuery = z.strictObject({
	to: text.optional().describe('Any spelling of a phone number, or an email address.'),
	since: wholeText.optional().describe('Only entries after this mark.'),
	wait: duration(300_000).optional().describe('Time to wait for one, such as 10s.'),
});
