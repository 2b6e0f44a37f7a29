import * as z from 'zod/v4';
import { settingsSchema } from '../settingSchemas';
import { whole as count } from '../shapes';
import { faultRule } from './faultSchemas';

/** Response schemas of the control API; tests check real responses against them. */

const text = z.string();
const flag = z.boolean();
const number = z.number();
const whole = z.int();
const time = z.number().describe('Milliseconds since 1970 (UTC).');
const dateTime = z.string().describe('YYYY-MM-DD HH:MM:SS in GMT+6:30.');
const mark = count.describe('Grows with every message, code and mail; not always by one.');

const change = { status: text, afterMs: number.describe('After `createdAtMs`.') };
const statusChange = z.strictObject(change);
const reported = z.strictObject({ status: text, answered: whole.nullable() });

const message = z.strictObject({
	...{ messageId: text, message: text, to: text, from: text, status: text, network: text },
	...{ type: text, test: flag, messageCount: whole, clientReference: text.nullable() },
	...{ scheduledAt: dateTime.nullable(), createdAt: dateTime, finishedAt: dateTime.nullable() },
	...{ createdAtMs: time, listedFromMs: time, mark, deliveryReceiptUrl: text.nullable() },
	...{ sentBy: text, encoding: z.enum(['GSM-7', 'UCS-2']), requestNumber: count, price: number },
	statuses: z.array(statusChange),
	steps: z.array(z.strictObject({ ...change, receipts: z.array(statusChange) })),
	owed: z.array(statusChange),
	reported: z.array(reported),
	encryptMessage: z.literal(true).optional(),
});

const code = z.strictObject({
	requestId: z.union([whole, text]).describe('A text where a number loses digits.'),
	channel: z.enum(['SMS', 'EMAIL']),
	...{ to: text, brand: text, from: text, code: text, message: text },
	...{ createdAt: dateTime, expireAt: dateTime, createdAtMs: time, expiresAtMs: time, mark },
	...{ maxInvalidAttempts: count, invalidAttempts: count, verifiedAt: dateTime.nullable() },
	state: z.enum(['valid', 'verified', 'expired', 'blocked']),
});

const mail = z.strictObject({
	...{ mailId: text, from: text, to: text, subject: text, text, html: text.optional() },
	...{ createdAt: dateTime, createdAtMs: time, mark },
});

const texts = z.record(text, text);
const request = z.strictObject({
	...{ number: count, at: time, clockMs: time, method: text, surface: text, path: text },
	...{ query: texts, rawQuery: text, bytes: count, headers: texts, ipAddress: text, baseUrl: text },
	body: z.unknown().describe('Parsed when it is JSON, else the text as it came.'),
	statusAnswered: z.union([whole, z.enum(['open', 'cut', 'hung', 'gone'])]),
	...{ answer: text.optional(), reason: text.optional(), fault: text.optional() },
	...{ notes: z.array(text).optional(), repeated: z.array(text).optional() },
	statusOfLateAct: whole.optional(),
});

const receipt = z.strictObject({
	...{ at: time, messageId: text, to: text, status: text, url: text },
	...{ answered: whole.nullable(), attempt: whole, lateMs: number },
});

const counts = { requests: count, peakInFlight: count };
const credential = z.strictObject({
	...{ apiKey: text, products: z.array(text).optional(), whitelist: z.array(text).optional() },
});

export const schemas = {
	Balance: z.strictObject({ balance: number, currency: text }),
	Code: code,
	Count: z.strictObject({ count }),
	Done: z.strictObject({ done: z.literal(true) }),
	Error: z.strictObject({ name: text, message: text, code: z.literal(0), status: whole }),
	Fault: z.strictObject({ rule: faultRule, seen: count, hits: count }),
	Mail: mail,
	Mark: z.strictObject({ mark }),
	Message: message,
	Process: z.strictObject({ memoryMb: number, processorSeconds: number }),
	Receipt: receipt,
	ReceiptQueue: z.strictObject({
		...{ underWay: count, waiting: count, dropped: count, waitingLateMs: number },
		...{ lastLateMs: number, maxLateMs: number },
	}),
	Request: request,
	Settings: z.strictObject({ ...settingsSchema.shape, credentials: z.array(credential) }),
	Stats: z.strictObject({ ...counts, byPath: z.record(text, z.strictObject(counts)) }),
	Text: z.strictObject({ message: text }),
};

export type SchemaName = keyof typeof schemas;
