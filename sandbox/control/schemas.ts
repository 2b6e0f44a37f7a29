import { settingChanges } from '../settings';
import { faultRule } from './faultRule';

/** What the control API answers, as JSON Schema. Tests compare it with real answers. */

type Schema = Record<string, unknown>;
type Properties = Record<string, Schema>;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const whole = { type: 'integer' };
const count = { type: 'integer', minimum: 0 };
const time = { type: 'number', description: 'Milliseconds since 1970 (UTC).' };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const dateTime = { type: 'string', description: 'YYYY-MM-DD HH:MM:SS in GMT+6:30.' };
const mark = { ...count, description: 'Counts messages, codes and mails together.' };

function listOf(items: Schema): Schema {
	return { type: 'array', items };
}

/** All of `properties` are always there, those of `optional` sometimes; nothing else is. */
function object(properties: Properties, optional: Properties = {}): Schema {
	return {
		type: 'object',
		properties: { ...properties, ...optional },
		required: Object.keys(properties),
		additionalProperties: false,
	};
}

const change = { status: text, afterMs: { type: 'number', description: 'After `createdAtMs`.' } };
const statusChange = object(change);
const reported = object({ status: text, answered: orNull(whole) });

const message = object(
	{
		...{ messageId: text, message: text, to: text, from: text, status: text, network: text },
		...{ type: text, test: flag, messageCount: whole, clientReference: orNull(text) },
		...{ scheduledAt: orNull(dateTime), createdAt: dateTime, finishedAt: orNull(dateTime) },
		...{ createdAtMs: time, listedFromMs: time, mark, deliveryReceiptUrl: orNull(text) },
		...{ sentBy: text, encoding: { enum: ['GSM-7', 'UCS-2'] }, requestNumber: count },
		price: { type: 'number' },
		statuses: listOf(statusChange),
		steps: listOf(object({ ...change, receipts: listOf(statusChange) })),
		owed: listOf(statusChange),
		reported: listOf(reported),
	},
	{ encryptMessage: { const: true } },
);

const code = object({
	requestId: { type: ['integer', 'string'], description: 'A text where a number loses digits.' },
	channel: { enum: ['SMS', 'EMAIL'] },
	...{ to: text, brand: text, from: text, code: text, message: text },
	...{ createdAt: dateTime, expireAt: dateTime, createdAtMs: time, expiresAtMs: time, mark },
	...{ maxInvalidAttempts: count, invalidAttempts: count, verifiedAt: orNull(dateTime) },
	state: { enum: ['valid', 'verified', 'expired', 'blocked'] },
});

const mail = object({
	...{ mailId: text, from: text, to: text, subject: text, text },
	...{ createdAt: dateTime, createdAtMs: time, mark },
});

const texts = { type: 'object', additionalProperties: text };
const request = object(
	{
		...{ number: count, at: time, clockMs: time, method: text, surface: text, path: text },
		...{ query: texts, rawQuery: text, bytes: count, headers: texts, ipAddress: text },
		body: { description: 'Parsed when it is JSON, else the text as it came.' },
		statusAnswered: { anyOf: [whole, { enum: ['open', 'cut', 'hung', 'gone'] }] },
	},
	{
		answer: text,
		reason: text,
		notes: listOf(text),
		repeated: listOf(text),
		statusOfLateAct: whole,
		fault: text,
	},
);

const receipt = object({
	...{ at: time, messageId: text, status: text, url: text },
	...{ answered: orNull(whole), attempt: whole, lateMs: { type: 'number' } },
});

const counts = { requests: count, peakInFlight: count };
const byPath = { type: 'object', additionalProperties: object(counts) };
const queue = object({
	...{ underWay: count, waiting: count, dropped: count },
	...{ waitingLateMs: { type: 'number' }, lastLateMs: { type: 'number' } },
	maxLateMs: { type: 'number' },
});

const { properties } = settingChanges.schema as { properties: Properties };
const credential = object({ apiKey: text }, { products: listOf(text), whitelist: listOf(text) });
const error = object({ name: text, message: text, code: { const: 0 }, status: whole });

export const schemas = {
	Balance: object({ balance: { type: 'number' }, currency: text }),
	Code: code,
	Done: object({ done: { const: true } }),
	Error: error,
	Fault: object({ rule: faultRule.schema as Schema, seen: count, hits: count }),
	Mail: mail,
	Mark: object({ mark }),
	Message: message,
	Process: object({ memoryMb: { type: 'number' }, processorSeconds: { type: 'number' } }),
	Receipt: receipt,
	ReceiptQueue: queue,
	Request: request,
	Settings: object({ ...properties, credentials: listOf(credential) }),
	Stats: object({ ...counts, byPath }),
	Text: object({ message: text }),
};

export type SchemaName = keyof typeof schemas;
