import * as z from 'zod/v4';
import * as schemas from '../schemas';
import { whole as count } from '../shapes';

const text = z.string();
const number = z.number();
const counts = { requests: count, peakInFlight: count };

/** Response schemas of the control API; tests check real responses against them. */
export const responses = {
	Balance: z.strictObject({ balance: number, currency: text }),
	Code: schemas.code.extend({ state: schemas.otpState }),
	Count: z.strictObject({ count }),
	Done: z.strictObject({ done: z.literal(true) }),
	Error: z.strictObject({ name: text, message: text, code: z.literal(0), status: z.int() }),
	Fault: schemas.activeFault,
	Mail: schemas.mail,
	Mark: schemas.message.pick({ mark: true }),
	Message: schemas.message,
	Process: z.strictObject({ memoryMb: number, processorSeconds: number }),
	Receipt: schemas.receipt,
	ReceiptQueue: z.strictObject({
		...{ underWay: count, waiting: count, dropped: count, waitingLateMs: number },
		...{ lastLateMs: number, maxLateMs: number },
	}),
	Request: schemas.request,
	Settings: schemas.settings.extend({
		credentials: z.array(schemas.credential.omit({ apiSecret: true })),
	}),
	Stats: z.strictObject({ ...counts, byPath: z.record(text, z.strictObject(counts)) }),
	Text: schemas.message.pick({ message: true }),
};

export type ResponseName = keyof typeof responses;
