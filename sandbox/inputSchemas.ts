import { isIP } from 'node:net';
import * as z from 'zod/v4';
import { behaviour, faultRule, message, surface } from './schemas';
import {
	deviations,
	duration,
	filledText,
	milliseconds,
	optional,
	readTime,
	wholeText,
} from './shapes';

/** What the sandbox is given: settings, start options, seeds and filters. */

const text = z.string();
const flag = z.boolean();
const number = z.number();
const count = z.int().min(1);
const ipAddress = text.refine((address) => isIP(address) > 0, 'an IP address');
const urlOrNothing = text.refine(
	(url) => url === '' || (/^https?:\/\//i.test(url) && URL.canParse(url)),
	'empty or a URL such as http://localhost:5678/webhook/sms',
);
export const credential = z.strictObject({
	...{ apiKey: filledText, apiSecret: filledText },
	products: optional(z.array(surface), 'Surfaces it may use; default: all.'),
	whitelist: optional(z.array(ipAddress), 'Addresses it may send from; default: any.'),
});
const price = number.min(0);
const prices = z.strictObject({ domestic: price, international: price });
const digits = text.regex(/^\d+$/, 'a number in digits only, such as 959779123456');
const success = z.int().min(200).max(299);
const successBySurface = z.strictObject({ rest: success, otp: success, http: success });
const demo = { apiKey: 'demo-key', apiSecret: 'demo-secret' };

/** A setting, with its value at the start. */
const setting = <Shape extends z.ZodType>(shape: Shape, value: z.output<Shape>, about: string) =>
	shape.meta({ description: about, 'x-default': value });

export const settings = z.strictObject({
	credentials: setting(z.array(credential), [demo], 'API keys with their secrets.'),
	successStatus: setting(
		z.union([success, successBySurface], 'a status from 200 to 299, or one for each surface'),
		201,
		'Status of every success, the GETs included: 201 as documented, 200 as some deployments respond. `{"rest": 201, "otp": 200, "http": 200}` sets it for each surface.',
	),
	latencyMs: setting(milliseconds, 0, 'Each response takes this long; the service acts halfway.'),
	latencyJitterMs: setting(milliseconds, 0, 'Random part of up to this, added to each response.'),
	pace: setting(milliseconds, 1500, 'Between two statuses; 0 = messages move only when told.'),
	balance: setting(price, 1_000_000, 'The balance; setting it sets the balance.'),
	currency: setting(filledText, 'MMK', 'ISO 4217 code of the balance.'),
	numbers: setting(z.record(digits, behaviour), {}, 'Your special numbers, by 959779123456.'),
	prices: setting(prices, { domestic: 20, international: 150 }, 'Price of one message part.'),
	testMessagesCost: setting(flag, false, 'Test messages are charged like others.'),
	defaultReceiptUrl: setting(
		urlOrNothing,
		'',
		'For messages without a URL of their own; empty = no receipts.',
	),
	receiptMethod: setting(
		z.enum(['query', 'form', 'json', 'get']),
		'query',
		'How a receipt carries its values (field note 10); all but `get` are a POST.',
	),
	receiptAttempts: setting(count, 3, 'Max calls of a receiver that does not respond with 200.'),
	receiptRetryMs: setting(milliseconds, 1000, 'Before the second attempt; doubles each time.'),
	historyLagMs: setting(milliseconds, 0, 'A new message appears in history this much later.'),
	bulkLagMs: setting(milliseconds, 0, 'Additional lag for the second half of each bulk request.'),
	unlistedScheduled: setting(flag, false, 'History lists a scheduled message from its time on.'),
	historySender: setting(text, '', 'Sender ID that history shows and filters by; empty = as sent.'),
	shuffleBulk: setting(flag, false, 'Bulk responses come in random order.'),
	randomSeed: setting(
		z.int(),
		1,
		'Repeats chance: the same number, the same faults, jitter, order.',
	),
	whitelist: setting(z.array(ipAddress), [], 'IP addresses that may send; empty = any.'),
	strictFlags: setting(
		z.enum(['none', 'test', 'all']),
		'none',
		'Flags that must be the number 1 or 0: `none` accepts booleans as documented, `test` rejects them for `test` as was seen (field note 2), `all` for every flag.',
	),
	strictHttpFlags: setting(flag, false, 'The query-parameter surface rejects flags, as was seen.'),
	largeRequestIds: setting(flag, false, 'OTP request IDs above 2^53, as digits in JSON.'),
	knownSenders: setting(z.array(filledText), [], 'Registered sender IDs; empty = all are.'),
	deviate: setting(
		z.array(z.enum(deviations)),
		[],
		'Assumptions that the service breaks, by the IDs in SUPPORTED.md and of the check.',
	),
	methods: setting(
		z.enum(['any', 'usual']),
		'any',
		'Of endpoints whose method is not specified: GET and POST, or the usual one only.',
	),
	linksBaseUrl: setting(urlOrNothing, '', 'Base of `links` in history; empty = as it was called.'),
	maxMessagesKept: setting(count, 100_000, 'Messages and codes kept; the oldest go first.'),
	maxRequestsKept: setting(count, 10_000, 'Requests and receipts kept; the oldest go first.'),
});
export const settingChanges = settings.partial();

const otherOptions = z.strictObject({
	...{ port: z.int().min(0).max(65_535), host: filledText, allowedHosts: z.array(filledText) },
	...{ apiKey: filledText, apiSecret: filledText, seedFile: filledText },
	allowedReceivers: z.array(filledText),
	controlToken: text.regex(/^[\w.~-]{8,}$/, 'at least 8 letters, digits, dots, dashes or tildes'),
});
export const startOptions = settings.extend(otherOptions.shape).partial();

/** Fields that a seed can set in a seeded message. */
export const seedMessage = message
	.pick({
		...{ messageId: true, message: true, to: true, from: true, clientReference: true },
		...{ scheduledAt: true, test: true, createdAt: true, createdAtMs: true, listedFromMs: true },
	})
	.extend({ status: filledText })
	.partial();

/** A seed file; the build turns it into a JSON schema for editors. */
export const seed = z.strictObject({
	$schema: optional(text, 'Where editors find the schema of this file.'),
	...settingChanges.pick({ balance: true, numbers: true }).shape,
	messages: optional(
		z.array(seedMessage),
		'Messages in history, oldest first, a second apart; what is left out is generated.',
	),
	faults: optional(z.array(faultRule), 'Fault rules.'),
});

const moment = text.refine(
	(one) => /^\d+$|[T ]\S+(?:Z|[+-]\d\d:?\d\d)$/i.test(one) && !Number.isNaN(readTime(one)),
	'milliseconds since 1970, or a time with its zone such as 2026-11-23T12:00:00Z',
);
const to = optional(text, 'Any spelling of a phone number, or an email address.');
export const listFilter = z.strictObject({
	newest: optional(wholeText, 'Only this many of the newest, still oldest first.'),
	to,
});
export const requestFilter = listFilter.extend({
	method: optional(text, 'In uppercase or lowercase.'),
	path: optional(text, 'With or without /api; a prefix when it ends in `*`.'),
	status: optional(text, 'Such as 201, or `open`, `cut`, `hung`, `gone`.'),
	text: optional(text, 'Part of the decoded query or of the body.'),
	from: optional(
		moment,
		"Inclusive; machine's clock: milliseconds since 1970, or ISO 8601 with a zone.",
	),
	until: optional(moment, 'Inclusive, like `from`.'),
});
export const latestQuery = z.strictObject({
	to,
	since: optional(wholeText, 'Only entries after this mark.'),
	wait: optional(duration, 'Time to wait for one, such as 10s.'),
});
