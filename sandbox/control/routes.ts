import * as z from 'zod/v4';
import { filledText, NotFound, WrongValue } from '../shapes';
import * as schemas from '../schemas';
import type { Controls } from './controls';
import type { ResponseName } from './responses';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface RouteInput<Query, Body> {
	/** Value of `{id}` in the path. */
	id: string;
	query: Query;
	body: Body;
	/** Aborted when the client disconnects. */
	signal: AbortSignal;
}

interface RouteOptions<Query, Body> {
	/** All values are strings. */
	query?: z.ZodType<Query>;
	body?: z.ZodType<Body>;
	/** Plural noun for the names in the body, for error messages. */
	names?: string;
	/** Default 200. */
	status?: 201;
}

/** One operation of the control API. */
export interface Route extends RouteOptions<unknown, unknown> {
	method: Method;
	path: string;
	about: string;
	/** Schema of the response; `[name]` for a list. */
	response: ResponseName | [ResponseName];
	run(controls: Controls, input: RouteInput<unknown, unknown>): unknown;
}

/** Types `run` by the route's own query and body. */
function route<Query = object, Body = undefined>(
	operation: `${Method} /${string}`,
	about: string,
	response: Route['response'],
	run: (controls: Controls, input: RouteInput<Query, Body>) => unknown,
	options: RouteOptions<Query, Body> = {},
): Route {
	const [method, path] = operation.split(' ') as [Method, string];
	return { ...options, method, path, about, response, run: run as Route['run'] };
}

/** A POST route that responds only that it is done. */
function act<Body = undefined>(
	path: `/${string}`,
	about: string,
	run: (controls: Controls, input: RouteInput<object, Body>) => unknown,
	options: RouteOptions<object, Body> = {},
): Route {
	const runAndReport: typeof run = async (controls, input) => {
		await run(controls, input);
		return { done: true };
	};
	return route(`POST ${path}`, about, 'Done', runAndReport, options);
}

const wholeLists = (
	[
		['messages', 'Message', 'Messages.'],
		['codes', 'Code', 'One-time codes as plain text, each with its state.'],
		['mails', 'Mail', 'Mails that were handed in.'],
		['receipts', 'Receipt', 'Every attempt to post a delivery receipt.'],
	] as const
).map(([name, response, about]) =>
	route(
		`GET /${name}`,
		`${about} Oldest first; \`to\` accepts any spelling of a number.`,
		[response],
		(controls, { query }) => controls.lists[name](query),
		{ query: schemas.listFilter },
	),
);

const latest = (
	[
		['message', 'messages', 'Message', 'latestMessage'],
		['code', 'codes', 'Code', 'latestCode'],
		['mail', 'mails', 'Mail', 'latestMail'],
	] as const
).map(([word, list, response, control]) =>
	route(
		`GET /${list}/latest`,
		`The newest ${word} to a recipient, after the mark \`since\`; waits for one. 404 if there is none in time.`,
		response,
		async (controls, { query: { wait: waitMs, ...query }, signal }) => {
			const found = await controls[control]({ ...query, waitMs, signal });
			if (found) return found;
			const recipient = query.to ? ` to ${query.to}` : '';
			const time = waitMs ? ` after ${waitMs} ms` : '';
			throw new NotFound(`There is no ${word}${recipient}${time}.`);
		},
		{ query: schemas.latestQuery },
	),
);

const reads = [
	route(
		'GET /requests',
		'Requests that reached a path of the service, credentials included, oldest first. `path` can end in `*`; `status` is that of the response, or open, cut, hung, gone; `text` is in the query or the body; `from` and `until` are times in milliseconds or ISO 8601.',
		['Request'],
		(controls, { query }) => controls.lists.requests(query),
		{ query: schemas.requestFilter },
	),
	route(
		'GET /requests/count',
		'Number of requests that match, by the filters of the list.',
		'Count',
		(controls, { query }) => ({ count: controls.countRequests(query) }),
		{ query: schemas.requestFilter },
	),
	route(
		'GET /mark',
		'The mark of the latest message, code or mail: `since` this mark there is nothing yet.',
		'Mark',
		(controls) => ({ mark: controls.mark() }),
	),
];

const reports = (
	[
		['stats', 'stats', 'Stats', 'Requests and peak in flight, in all and by path.'],
		['receipts/queue', 'receiptQueue', 'ReceiptQueue', 'How many receipts wait, and how late.'],
		['process', 'process', 'Process', "Memory and processor time of the sandbox's process."],
		['balance', 'balance', 'Balance', 'The balance and its currency.'],
		['settings', 'settings', 'Settings', 'All settings, without secrets.'],
	] as const
).map(([path, control, response, about]) =>
	route(`GET /${path}`, about, response, (controls) => controls[control]()),
);

const nothing = z.strictObject({}).optional();

const changes = [
	route(
		'POST /balance/top-up',
		'Adds to the balance.',
		'Balance',
		(controls, { body }) => {
			controls.topUp(body.amount);
			return controls.balance();
		},
		{ body: z.strictObject({ amount: z.number().min(0) }) },
	),
	route(
		'PUT /settings',
		'Changes settings; what is left out stays.',
		'Settings',
		(controls, { body }) => {
			controls.configure(body);
			return controls.settings();
		},
		{ body: schemas.settingChanges, names: 'settings' },
	),
	route(
		'POST /faults',
		'Adds a fault rule, or a list of them.',
		['Fault'],
		(controls, { body }) => {
			for (const rule of [body].flat()) controls.addFault(rule);
			return controls.faults();
		},
		{ body: z.union([schemas.faultRule, z.array(schemas.faultRule)]), status: 201 },
	),
	route('GET /faults', 'The fault rules, with their counts.', ['Fault'], (controls) =>
		controls.faults(),
	),
	route('DELETE /faults', 'Removes all fault rules.', ['Fault'], (controls) => {
		controls.clearFaults();
		return controls.faults();
	}),
	act(
		'/messages/{id}/status',
		'Sets the status of a message and posts its receipt.',
		(controls, { id, body }) => controls.setStatus(id, body.status),
		{ body: z.strictObject({ status: filledText }) },
	),
	act(
		'/messages/{id}/receipt',
		"Posts the receipt of a message's current status again.",
		(controls, { id }) => controls.repeatReceipt(id),
	),
	act('/codes/{id}/expire', 'Makes the code of a request expire now.', (controls, { id }) =>
		controls.expireCode(id),
	),
	act(
		'/seed',
		'Fills history with delivered messages, a second apart; `message` sets fields of each.',
		(controls, { body }) => controls.inTurns.seedMessages(body.count, () => body.message ?? {}),
		{
			body: z.strictObject({
				count: z.int().min(0).max(1_000_000),
				message: schemas.seedMessage.optional(),
			}),
			status: 201,
		},
	),
	route(
		'POST /decrypt',
		'Decrypts the text of a message.',
		'Text',
		async (controls, { body: { message, encryptKey } }) => ({
			message: await controls.decrypt(message, encryptKey).catch(() => {
				throw new WrongValue('The message cannot be decrypted with this encryptKey.');
			}),
		}),
		{ body: z.strictObject({ message: z.string(), encryptKey: z.string() }) },
	),
	route(
		'POST /mails',
		'Hands in a mail, as to a mail server that delivers nothing.',
		'Mail',
		(controls, { body }) => controls.addMail(body),
		{ body: schemas.mailDraft, status: 201 },
	),
	act(
		'/advance',
		"Moves the sandbox's clock, and waits for what becomes due.",
		async (controls, { body }) => {
			await controls.inTurns.advance(body.ms);
			await controls.settle();
		},
		{ body: z.strictObject({ ms: z.number() }) },
	),
	act('/settle', 'Waits until every receipt has a response or was given up.', (controls) =>
		controls.settle(),
	),
	act(
		'/clear',
		'Removes messages, codes, mails, requests and receipts; settings, faults and balance stay.',
		(controls) => controls.clear(),
		{ body: nothing },
	),
	act(
		'/reset',
		'Empties everything, and restores clock, settings and balance.',
		(controls) => controls.reset(),
		{ body: nothing },
	),
];

/** All routes of the control API. */
export const routes: Route[] = [...wholeLists, ...reads, ...reports, ...latest, ...changes];
