import * as z from 'zod/v4';
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

type ResponseName = keyof typeof responses;

/** What an operation accepts: values of a query are strings. */
interface Accepted<Input> {
	query?: z.ZodType<Input>;
	body?: z.ZodType<Input>;
	/** Plural noun for the names in the body, for error messages. */
	names?: string;
	/** Of a success; default 200. */
	status?: 201;
}

interface Call<Input> {
	/** Value of `{id}` in the path. */
	id: string;
	/** The query or the body. */
	input: Input;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

type Run<Input> = (controls: Controls, call: Call<Input>) => unknown;

interface Operation extends Accepted<unknown> {
	/** Schema of the response; `[name]` for a list. */
	response: ResponseName | [ResponseName];
	run: Run<unknown>;
}

/** Types `run` by what the operation accepts. */
function respond<Input>(
	response: Operation['response'],
	accepted: Accepted<Input>,
	run: Run<Input>,
): Operation {
	return { ...accepted, response, run: run as Run<unknown> };
}

/** Responds only that it is done. */
function act<Input>(accepted: Accepted<Input>, run: Run<Input>): Operation {
	return respond('Done', accepted, async (controls, call) => {
		await run(controls, call);
		return { done: true };
	});
}

function list(
	response: ResponseName,
	name: 'messages' | 'codes' | 'mails' | 'receipts',
): Operation {
	return respond([response], { query: schemas.listFilter }, (controls, { input }) =>
		controls.lists[name](input),
	);
}

function latest(word: 'Message' | 'Code' | 'Mail'): Operation {
	return respond(word, { query: schemas.latestQuery }, async (controls, { input, signal }) => {
		const { wait: waitMs, ...query } = input;
		const found = await controls[`latest${word}`]({ ...query, waitMs, signal });
		if (found) return found;
		const recipient = query.to ? ` to ${query.to}` : '';
		const time = waitMs ? ` after ${waitMs} ms` : '';
		throw new NotFound(`There is no ${word.toLowerCase()}${recipient}${time}.`);
	});
}

type Report = 'stats' | 'receiptQueue' | 'process' | 'balance' | 'settings' | 'faults';

function report(response: Operation['response'], name: Report): Operation {
	return respond(response, {}, (controls) => controls[name]());
}

const nothing = z.strictObject({}).optional();
const faults = z.union([schemas.faultRule, z.array(schemas.faultRule)]);
const seeds = z.strictObject({ count: count.max(1e6), message: schemas.seedMessage.optional() });

const operations = {
	'GET /messages': list('Message', 'messages'),
	'GET /codes': list('Code', 'codes'),
	'GET /mails': list('Mail', 'mails'),
	'GET /receipts': list('Receipt', 'receipts'),
	'GET /requests': respond(['Request'], { query: schemas.requestFilter }, (controls, { input }) =>
		controls.lists.requests(input),
	),
	'GET /requests/count': respond(
		'Count',
		{ query: schemas.requestFilter },
		(controls, { input }) => ({ count: controls.countRequests(input) }),
	),
	'GET /messages/latest': latest('Message'),
	'GET /codes/latest': latest('Code'),
	'GET /mails/latest': latest('Mail'),
	'GET /mark': respond('Mark', {}, (controls) => ({ mark: controls.mark() })),
	'GET /stats': report('Stats', 'stats'),
	'GET /receipts/queue': report('ReceiptQueue', 'receiptQueue'),
	'GET /process': report('Process', 'process'),
	'GET /balance': report('Balance', 'balance'),
	'GET /settings': report('Settings', 'settings'),
	'GET /faults': report(['Fault'], 'faults'),
	'PUT /settings': respond(
		'Settings',
		{ body: schemas.settingChanges, names: 'settings' },
		(controls, { input }) => {
			controls.configure(input);
			return controls.settings();
		},
	),
	'POST /faults': respond(['Fault'], { body: faults, status: 201 }, (controls, { input }) => {
		for (const rule of [input].flat()) controls.addFault(rule);
		return controls.faults();
	}),
	'DELETE /faults': respond(['Fault'], {}, (controls) => {
		controls.clearFaults();
		return controls.faults();
	}),
	'POST /balance/top-up': respond(
		'Balance',
		{ body: z.strictObject({ amount: number.min(0) }) },
		(controls, { input }) => {
			controls.topUp(input.amount);
			return controls.balance();
		},
	),
	'POST /messages/{id}/status': act(
		{ body: z.strictObject({ status: filledText }) },
		(controls, { id, input }) => controls.setStatus(id, input.status),
	),
	'POST /messages/{id}/receipt': act({}, (controls, { id }) => controls.repeatReceipt(id)),
	'POST /codes/{id}/expire': act({}, (controls, { id }) => controls.expireCode(id)),
	'POST /mails': respond('Mail', { body: schemas.mailDraft, status: 201 }, (controls, { input }) =>
		controls.addMail(input),
	),
	'POST /seed': act({ body: seeds, status: 201 }, (controls, { input: { count, message = {} } }) =>
		controls.inTurns.seedMessages(count, () => message),
	),
	'POST /decrypt': respond(
		'Text',
		{ body: z.strictObject({ message: text, encryptKey: text }) },
		async (controls, { input: { message, encryptKey } }) => ({
			message: await controls.decrypt(message, encryptKey).catch(() => {
				throw new WrongValue('The message cannot be decrypted with this encryptKey.');
			}),
		}),
	),
	'POST /advance': act({ body: z.strictObject({ ms: number }) }, async (controls, { input }) => {
		await controls.inTurns.advance(input.ms);
		await controls.settle();
	}),
	'POST /settle': act({}, (controls) => controls.settle()),
	'POST /clear': act({ body: nothing }, (controls) => controls.clear()),
	'POST /reset': act({ body: nothing }, (controls) => controls.reset()),
};

export type OperationName = keyof typeof operations;

/** One operation of the control API. */
export interface Route extends Operation {
	name: OperationName;
	method: string;
	path: string;
}

export const routes = Object.entries(operations).map(([name, operation]) => {
	const [method, path] = name.split(' ');
	return { ...operation, name, method, path } as Route;
});
