import * as z from 'zod/v4';
import * as inputs from '../inputSchemas';
import * as schemas from '../schemas';
import { filledText, NotFound, whole as count, WrongValue } from '../shapes';
import type { Controls } from './controls';

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
	Receipt: schemas.receipt,
	ReceiptQueue: z.strictObject({
		...{ underWay: count, waiting: count, dropped: count, waitingLateMs: number },
		...{ lastLateMs: number, maxLateMs: number },
	}),
	Request: schemas.request,
	Settings: inputs.settings.extend({
		credentials: z.array(inputs.credential.omit({ apiSecret: true })),
	}),
	Stats: z.strictObject({ ...counts, byPath: z.record(text, z.strictObject(counts)) }),
	Text: schemas.message.pick({ message: true }),
};

type ResponseName = keyof typeof responses;

/** What an operation accepts: values of a query are strings. */
interface Accepted<Input> {
	query?: z.ZodType<Input>;
	body?: z.ZodType<Input>;
	/** Plural noun for the names in the body, for error messages. */
	names?: string;
	/** Of a success; default 200. */
	status?: 200 | 201;
}

/** @param signal aborted when the client disconnects */
type Run<Input> = (controls: Controls, input: Input, id: string, signal: AbortSignal) => unknown;

interface Act extends Accepted<unknown> {
	/** Schema of the response; `[name]` for a list. */
	response: ResponseName | [ResponseName];
	run: Run<unknown>;
}

/** Types `run` by what the operation accepts. */
function respond<Input>(
	response: Act['response'],
	accepted: Accepted<Input>,
	run: Run<Input>,
): Act {
	return { ...accepted, response, run: run as Run<unknown> };
}

/** Responds only that it is done. */
function act<Input>(accepted: Accepted<Input>, run: Run<Input>): Act {
	return respond('Done', accepted, async (...call) => {
		await run(...call);
		return { done: true };
	});
}

type ListName = 'messages' | 'codes' | 'mails' | 'receipts';

function list(response: ResponseName, name: ListName): Act {
	return respond([response], { query: inputs.listFilter }, (controls, filter) =>
		controls[name](filter),
	);
}

function latest(word: 'Message' | 'Code' | 'Mail'): Act {
	return respond(word, { query: inputs.latestQuery }, async (controls, query, _id, signal) => {
		const { wait: waitMs, to, since } = query;
		const found = await controls[`latest${word}`]({ to, since, waitMs, signal });
		if (found) return found;
		const recipient = to ? ` to ${to}` : '';
		const time = waitMs ? ` after ${waitMs} ms` : '';
		throw new NotFound(`There is no ${word.toLowerCase()}${recipient}${time}.`);
	});
}

type Report = 'stats' | 'receiptQueue' | 'balance' | 'settings' | 'faults';

/** @param run what to do before */
function report<Input>(
	response: Act['response'],
	name: Report,
	accepted: Accepted<Input> = {},
	run: Run<Input> = () => undefined,
): Act {
	return respond(response, accepted, (controls, ...call) => {
		run(controls, ...call);
		return controls[name]();
	});
}

const requests = { query: inputs.requestFilter };
const nothing = { body: z.strictObject({}).optional() };
const changes = { body: inputs.settingChanges, names: 'settings' };
const created = { status: 201 } as const;
const faults = [schemas.faultRule, z.array(schemas.faultRule)] as const;
const rules = { body: z.union(faults, 'a fault rule or a list of them'), ...created };
const deposit = { body: z.strictObject({ amount: number.min(0) }) };
const newStatus = { body: z.strictObject({ status: filledText }) };
const draft = { body: schemas.mailDraft, ...created };
const seeded = z.strictObject({ count: count.max(1e6), message: inputs.seedMessage.optional() });
const encrypted = { body: z.strictObject({ message: text, encryptKey: text }) };
const time = { body: z.strictObject({ ms: number }) };

const acts = {
	'GET /messages': list('Message', 'messages'),
	'GET /codes': list('Code', 'codes'),
	'GET /mails': list('Mail', 'mails'),
	'GET /receipts': list('Receipt', 'receipts'),
	'GET /requests': respond(['Request'], requests, (controls, filter) => controls.requests(filter)),
	'GET /requests/count': respond('Count', requests, (controls, filter) => ({
		count: controls.countRequests(filter),
	})),
	'GET /messages/latest': latest('Message'),
	'GET /codes/latest': latest('Code'),
	'GET /mails/latest': latest('Mail'),
	'GET /mark': respond('Mark', {}, (controls) => ({ mark: controls.mark() })),
	'GET /stats': report('Stats', 'stats'),
	'GET /receipts/queue': report('ReceiptQueue', 'receiptQueue'),
	'GET /balance': report('Balance', 'balance'),
	'GET /settings': report('Settings', 'settings'),
	'GET /faults': report(['Fault'], 'faults'),
	'PUT /settings': report('Settings', 'settings', changes, (controls, given) =>
		controls.configure(given),
	),
	'POST /faults': report(['Fault'], 'faults', rules, (controls, given) =>
		[given].flat().forEach(controls.addFault),
	),
	'DELETE /faults': report(['Fault'], 'faults', {}, (controls) => controls.clearFaults()),
	'POST /balance/top-up': report('Balance', 'balance', deposit, (controls, { amount }) =>
		controls.topUp(amount),
	),
	'POST /messages/{id}/status': act(newStatus, (controls, { status }, id) =>
		controls.setStatus(id, status),
	),
	'POST /messages/{id}/receipt': act({}, (controls, _, id) => controls.repeatReceipt(id)),
	'POST /codes/{id}/expire': act({}, (controls, _, id) => controls.expireCode(id)),
	'POST /mails': respond('Mail', draft, (controls, mail) => controls.addMail(mail)),
	'POST /seed': act({ body: seeded, ...created }, (controls, { count, message = {} }) =>
		controls.seedMessages(count, () => message),
	),
	'POST /decrypt': respond('Text', encrypted, async (controls, { message, encryptKey }) => {
		const decrypted = controls.decrypt(message, encryptKey).catch(() => {
			throw new WrongValue('The message cannot be decrypted with this encryptKey.');
		});
		return { message: await decrypted };
	}),
	'POST /advance': act(time, async (controls, { ms }) => {
		controls.advance(ms);
		await controls.settle();
	}),
	'POST /settle': act({}, (controls) => controls.settle()),
	'POST /clear': act(nothing, (controls) => controls.clear()),
	'POST /reset': act(nothing, (controls) => controls.reset()),
};

/** One operation of the control API. */
export interface Operation extends Act {
	name: keyof typeof acts;
	method: string;
	path: string;
}

export const operations = Object.entries(acts).map(([name, act]) => {
	const [method, path] = name.split(' ');
	return { ...act, name, method, path } as Operation;
});
