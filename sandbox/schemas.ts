import * as z from 'zod/v4';
import { filledText, maxAddressLength, milliseconds, optional, whole } from './shapes';

/** What the sandbox keeps and shows: types (`entities.ts`), validation and OpenAPI come from here. */

const text = z.string();
const flag = z.boolean();
const number = z.number();
const count = z.int().min(1);
const time = number.describe('Milliseconds since 1970 (UTC).');
const dateTime = text.describe('YYYY-MM-DD HH:MM:SS in GMT+6:30.');
const mark = whole.describe('Grows with every message, code and mail; not always by one.');

/** An API key can be limited to some of the surfaces (field note 6). */
export const surface = z.enum(['rest', 'otp', 'http']);

const afterMs = number.describe('After `createdAtMs`.');
export const statusChange = z.strictObject({ status: text, afterMs });
export const statusStep = statusChange.extend({
	receipts: z.array(statusChange).describe('To post when the status is reached.'),
});
const answered = z.int().nullable().describe("Status of the receiver's last response, if any.");
export const reportedStatus = z.strictObject({ status: text, answered });

/** The encryption key is not stored: the service returns it only once. */
export const message = z.strictObject({
	mark,
	...{ messageId: text, message: text, to: text, clientReference: text },
	...{ scheduledAt: dateTime.nullable(), createdAt: dateTime, messageCount: z.int() },
	...{ from: text, network: text, type: text, status: text, test: flag },
	encryptMessage: optional(z.literal(true), '`message` is encrypted.'),
	...{ finishedAt: dateTime.nullable(), createdAtMs: time },
	arrivedMs: time.describe('Orders messages: like `createdAtMs`, but never earlier than before.'),
	listedFromMs: time.describe("From when history lists it, by the sandbox's clock."),
	deliveryReceiptUrl: text.nullable(),
	sentBy: text.describe('Path of its request: /rest/send, /rest/send/bulk, /http/send.'),
	encoding: z.enum(['GSM-7', 'UCS-2']),
	requestNumber: whole.describe('0 if it was seeded.'),
	price: number.describe('Deducted for it, in the currency of the balance.'),
	statuses: z.array(statusChange).describe('So far, Accepted first.'),
	steps: z.array(statusStep).describe('Still to come, in order.'),
	reported: z.array(reportedStatus).describe('Receipts that are finished.'),
});

const requestId = z.union([z.int(), text]).describe('A text where a number loses digits.');

/** In plain text. */
export const code = z.strictObject({
	mark,
	requestId,
	...{ channel: z.enum(['SMS', 'EMAIL']), to: text, brand: text, from: text, code: text },
	message: text.describe('The text that contains the code.'),
	...{ createdAt: dateTime, expireAt: dateTime, createdAtMs: time, expiresAtMs: time },
	...{ maxInvalidAttempts: whole, invalidAttempts: whole, verifiedAt: dateTime.nullable() },
});
export const otpState = z.enum(['valid', 'verified', 'expired', 'blocked']);

export const mail = z.strictObject({
	...{ mark, mailId: text, from: text, to: text.describe('Addresses, as in the mail.') },
	...{ subject: text, text, html: text.optional(), createdAt: dateTime, createdAtMs: time },
	requestId: optional(requestId, 'Of the code that it contains.'),
});
const isShort = ({ length }: string) => length <= maxAddressLength;
const addresses = filledText.refine(
	(list) => list.split(/[\s<>,;"]/).every(isShort),
	`addresses of at most ${maxAddressLength} characters`,
);
export const mailDraft = mail
	.pick({ from: true, subject: true, text: true, html: true })
	.extend({ to: addresses });

const texts = z.record(text, text);
/** A request that reached a path of the service, with its response. Holds credentials. */
export const request = z.strictObject({
	number: whole.describe('From 1.'),
	at: time.describe("By the machine's clock."),
	clockMs: time.describe("The same time by the sandbox's clock."),
	method: text,
	surface: text.describe('rest, otp or http; empty for any other path.'),
	path: text.describe('As received, without the query: /api/rest/send'),
	query: texts.describe('Decoded; the last value of a repeated parameter.'),
	repeated: optional(z.array(text), 'Names of repeated parameters.'),
	rawQuery: text.describe('As received, without the question mark.'),
	bytes: whole.describe('Length of URL, headers and body, in characters.'),
	headers: texts.describe('Names in lower case.'),
	ipAddress: text,
	baseUrl: text.describe('With the host name that the client used, or `linksBaseUrl`.'),
	statusAnswered: z
		.union([z.int(), z.enum(['open', 'cut', 'hung', 'gone'])])
		.describe('`open` while in flight; `cut` and `hung` by a fault; `gone`: the client left.'),
	answer: optional(text, 'The beginning of the response body.'),
	reason: optional(text, 'Why it was rejected, in more detail than the response.'),
	notes: optional(z.array(text), 'Fields and parameters that were ignored.'),
	fault: optional(text, 'The fault that was applied.'),
	statusOfLateAct: optional(z.int(), "Status when it acted later (`when: 'later'`)."),
	body: z.unknown().describe('Parsed when it is JSON, otherwise the text as received.'),
});

/** One attempt to post a delivery receipt. */
export const receipt = z.strictObject({
	at: time.describe("Start of the attempt, its time in the queue included; machine's clock."),
	...{ messageId: text, to: text, status: text, url: text, answered, attempt: count },
	problem: optional(text, 'Why there was no response, and what to do.'),
	lateMs: number.describe('From when it was due to the end of this attempt.'),
});

/** What happens to messages and codes for a phone number. */
export const behaviour = z.strictObject({
	statuses: z.array(filledText).describe('After Accepted, in order.'),
	paceFactor: optional(number.positive().max(1000), 'For the time between steps.'),
	receipts: optional(
		z.enum(['once', 'twice', 'none', 'reversed']),
		'`reversed`: none until the last step, then all, newest first.',
	),
	refusal: optional(
		z.enum(['inBody', 'byStatus']),
		'`inBody`: a 2xx whose record has status false (field note 3); `byStatus`: a 400.',
	),
	answerDelayMs: optional(milliseconds, 'Before the service acts and responds.'),
	isEarly: optional(flag, 'All steps and receipts come before the send response.'),
});

/** After a 1xx status, the client would wait for the final response. */
const status = z.int().min(200).max(599);
const headerValue = text.regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'a text that a header can have');
const headerName = text.regex(/^[!#$%&'*+.^`|~\w-]+$/, 'a name of a header');
const words = z.enum(['cut', 'hang', 'brokenJson', 'cutBody', 'echo']);
const headers = z.record(headerName, headerValue).optional();
const effects = [
	words.describe(
		'`cut`: no response, connection destroyed; `hang`: no response, connection open; `brokenJson`: JSON that ends in the middle; `cutBody`: connection destroyed in the middle of the body; `echo`: an error that repeats URL, headers and body.',
	),
	z
		.strictObject({ status, headers, body: z.unknown().optional() })
		.describe("`body`: a string unchanged, anything else as JSON; default: the service's error."),
	z.strictObject({
		redirect: z.strictObject({ location: headerValue, status: status.optional() }),
	}),
	z.strictObject({ slowMs: milliseconds }).describe('The real response, this much later.'),
	z.strictObject({ echo: z.strictObject({ status }) }),
] as const;
export const faultEffect = z.union(effects, 'an effect such as "cut" or {"status": 500}');

const match = z.strictObject({
	path: optional(text, 'With or without /api; a prefix when it ends in `*`.'),
	method: text.optional(),
	contains: optional(text, 'Text in the decoded query or the body.'),
});
export const faultRule = z
	.strictObject({
		match: optional(match, 'Default: every request.'),
		when: optional(
			z.enum(['before', 'after', 'later']),
			'`before` (default): the service does not act, except with `slowMs`; `after`: it acts first; `later`: it acts `laterMs` after the request.',
		),
		laterMs: optional(milliseconds, "Only with `later`; by the sandbox's clock."),
		effect: faultEffect,
		probability: optional(number.min(0).max(1), 'Default 1; drawn by `randomSeed`.'),
		skip: optional(whole, 'Matching requests that pass first; default 0.'),
		count: optional(whole, 'Requests the fault applies to; default: no limit.'),
	})
	.check(({ value: { when, laterMs }, issues }) => {
		if ((when === 'later') === (laterMs !== undefined)) return;
		const [path, input] = when === 'later' ? ['laterMs'] : ['when', when];
		issues.push({ code: 'custom', path: [path], input, message: "'later' beside laterMs" });
	})
	.refine(
		({ when, effect }) => when !== 'later' || typeof effect !== 'object' || !('slowMs' in effect),
		"a rule without slowMs, which gives the real response: when: 'later' does not have it",
	);
export const activeFault = z.strictObject({ rule: faultRule, seen: whole, hits: whole });
