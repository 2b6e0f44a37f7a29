import * as z from 'zod/v4';
import type { MailDraft } from '../mails';
import { NotFound } from '../notFound';
import { seedMessage } from '../seedFile';
import { settingChanges } from '../settingSchemas';
import { duration, filledText, wholeText, WrongValue } from '../shapes';
import type { Controls } from './controls';
import { faultRule } from './faultSchemas';
import type { SchemaName } from './schemas';

interface RouteInput<Query, Body> {
	/** Of the path's `{id}`. */
	id: string;
	query: Query;
	body: Body;
	/** Aborted when the client leaves. */
	signal: AbortSignal;
}

/** One path of the control API: what it takes, what it does, what it responds. */
export interface Route<Query = unknown, Body = unknown> {
	method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	path: string;
	about: string;
	/** Values come as texts. */
	query?: z.ZodType<Query>;
	body?: z.ZodType<Body>;
	/** What the names in the body are called. */
	names?: string;
	/** What it responds; in a list of one: a list of such. */
	schema: SchemaName | [SchemaName];
	/** 200 when left out. */
	status?: 201;
	run(controls: Controls, input: RouteInput<Query, Body>): unknown;
}

/** Keeps the types of query and body together with what uses them. */
function route<Query = object, Body = undefined>(one: Route<Query, Body>): Route {
	return one as Route;
}

function get(
	path: string,
	about: string,
	schema: Route['schema'],
	run: (controls: Controls) => unknown,
): Route {
	return { method: 'GET', path, about, schema, run };
}

/** What only does something. */
function act<Body = undefined>(
	path: string,
	about: string,
	run: (controls: Controls, input: RouteInput<object, Body>) => unknown,
	{ body, status }: { body?: z.ZodType<Body>; status?: 201 } = {},
): Route {
	const runAndSay: Route<object, Body>['run'] = async (controls, input) => {
		await run(controls, input);
		return { done: true };
	};
	return route({
		...{ method: 'POST', path, about, schema: 'Done', run: runAndSay },
		...{ ...(body && { body }), ...(status && { status }) },
	});
}

const optionalText = z.string().optional();
const listFilter = z.strictObject({ newest: wholeText.optional(), to: optionalText });
const requestFields = { method: optionalText, path: optionalText, status: optionalText };
const moment = z
	.string()
	.refine((text) => /^\d+$/.test(text) || !Number.isNaN(Date.parse(text)), 'a time')
	.optional();
const requestFilter = listFilter.extend({
	...{ ...requestFields, text: optionalText, from: moment, until: moment },
});
const latestQuery = z.strictObject({
	...{ to: optionalText, since: wholeText.optional(), wait: duration(300_000).optional() },
});

const listRoutes = (
	[
		['messages', 'Message', 'Messages.'],
		['codes', 'Code', 'One-time codes in clear, each with its state.'],
		['mails', 'Mail', 'Mails that were handed in.'],
		['receipts', 'Receipt', 'Every attempt to post a delivery receipt.'],
	] as const
).map(([name, schema, about]) =>
	route<z.infer<typeof listFilter>>({
		...{ method: 'GET', path: `/${name}`, query: listFilter, schema: [schema] },
		about: `${about} Oldest first; \`to\` takes any spelling of a number.`,
		run: (controls, { query }) => controls.lists[name](query),
	}),
);

const requestRoutes = [
	route<z.infer<typeof requestFilter>>({
		...{ method: 'GET', path: '/requests', query: requestFilter, schema: ['Request'] },
		about:
			'Requests that reached a path of the service, credentials included, oldest first. `path` can end in `*`; `status` is that of the response, or open, cut, hung, gone; `text` is in the query or the body; `from` and `until` are times in milliseconds or ISO 8601.',
		run: (controls, { query }) => controls.lists.requests(query),
	}),
	route<z.infer<typeof requestFilter>>({
		...{ method: 'GET', path: '/requests/count', query: requestFilter, schema: 'Count' },
		about: 'How many requests match, by the filters of the list.',
		run: (controls, { query }) => ({ count: controls.countRequests(query) }),
	}),
];

const latestRoutes = (
	[
		['message', 'messages', 'Message', 'latestMessage'],
		['code', 'codes', 'Code', 'latestCode'],
		['mail', 'mails', 'Mail', 'latestMail'],
	] as const
).map(([word, list, schema, control]) =>
	route<z.infer<typeof latestQuery>>({
		...{ method: 'GET', path: `/${list}/latest`, query: latestQuery, schema },
		about: `The newest ${word} to a recipient; waits for one, and looks only after a mark, when told. 404 when there is none in time.`,
		run: async (controls, { query, signal }) => {
			const { wait: waitMs, ...rest } = query;
			const found = await controls[control]({ ...rest, waitMs, signal });
			if (found) return found;
			throw new NotFound(
				`There is no ${word}${query.to ? ` to ${query.to}` : ''}${waitMs ? ` after ${waitMs} ms` : ''}.`,
			);
		},
	}),
);

const seed = z.strictObject({
	count: z.int().min(0).max(1_000_000),
	message: seedMessage.optional(),
});
const mailDraft: z.ZodType<MailDraft> = z.strictObject({
	...{ from: z.string(), to: filledText, subject: z.string(), text: z.string() },
	html: z.string().optional(),
});
const encrypted = z.strictObject({ message: z.string(), encryptKey: z.string() });

/** The control API, each path once. */
export const routes: Route[] = [
	...listRoutes,
	...requestRoutes,
	...latestRoutes,
	get(
		'/mark',
		'The mark of the latest message, code or mail: `since` this mark there is nothing yet.',
		'Mark',
		(controls) => ({ mark: controls.mark() }),
	),
	get('/stats', 'Requests and peak in flight, in all and by path.', 'Stats', (controls) =>
		controls.stats(),
	),
	get(
		'/receipts/queue',
		'How receipts keep up: in flight, waiting, dropped, and how late they are.',
		'ReceiptQueue',
		(controls) => controls.receiptQueue(),
	),
	get(
		'/process',
		'Memory and processor time of the process that the sandbox runs in.',
		'Process',
		(controls) => controls.process(),
	),
	get('/balance', 'The balance and its currency.', 'Balance', (controls) => controls.balance()),
	route<object, { amount: number }>({
		...{ method: 'POST', path: '/balance/top-up', about: 'Adds to the balance.' },
		...{ body: z.strictObject({ amount: z.number().min(0) }), schema: 'Balance' },
		run: (controls, { body }) => {
			controls.topUp(body.amount);
			return controls.balance();
		},
	}),
	get('/settings', 'All settings, without secrets.', 'Settings', (controls) => controls.settings()),
	route({
		...{ method: 'PUT', path: '/settings', about: 'Changes settings; what is left out stays.' },
		...{ body: settingChanges, names: 'settings', schema: 'Settings' },
		run: (controls, { body }) => {
			controls.configure(body);
			return controls.settings();
		},
	}),
	get('/faults', 'The fault rules, with how often they were seen and hit.', ['Fault'], (controls) =>
		controls.faults(),
	),
	route({
		...{ method: 'POST', path: '/faults', about: 'Adds a fault rule, or a list of them.' },
		...{ body: z.union([faultRule, z.array(faultRule)]), schema: ['Fault'], status: 201 },
		run: (controls, { body }) => {
			for (const rule of [body].flat()) controls.addFault(rule);
			return controls.faults();
		},
	}),
	route({
		...{ method: 'DELETE', path: '/faults', about: 'Removes all fault rules.', schema: ['Fault'] },
		run: (controls) => {
			controls.clearFaults();
			return controls.faults();
		},
	}),
	act(
		'/messages/{id}/status',
		'Moves a message by hand and posts its receipt.',
		(controls, { id, body }) => controls.setStatus(id, body.status),
		{ body: z.strictObject({ status: filledText }) },
	),
	act(
		'/messages/{id}/receipt',
		"Posts the receipt of a message's present status once more.",
		(controls, { id }) => controls.repeatReceipt(id),
	),
	act('/codes/{id}/expire', 'Lets the code of a request expire now.', (controls, { id }) =>
		controls.expireCode(id),
	),
	act(
		'/seed',
		'Fills history with delivered messages, a second apart; `message` is laid over each.',
		(controls, { body }) => controls.inTurns.seedMessages(body.count, () => body.message ?? {}),
		{ body: seed, status: 201 },
	),
	route<object, z.infer<typeof encrypted>>({
		...{ method: 'POST', path: '/decrypt', about: 'The text of an encrypted message.' },
		...{ body: encrypted, schema: 'Text' },
		run: async (controls, { body: { message, encryptKey } }) => ({
			message: await controls.decrypt(message, encryptKey).catch(() => {
				throw new WrongValue('The message cannot be decrypted with this encryptKey.');
			}),
		}),
	}),
	route<object, MailDraft>({
		about: 'Hands in a mail, as a mail server does that passes nothing on.',
		...{ method: 'POST', path: '/mails', body: mailDraft, schema: 'Mail', status: 201 },
		run: (controls, { body }) => controls.addMail(body),
	}),
	act(
		'/advance',
		"Moves the sandbox's clock, and waits for what becomes due.",
		async (controls, { body }) => {
			await controls.inTurns.advance(body.ms);
			await controls.settle();
		},
		{ body: z.strictObject({ ms: z.number() }) },
	),
	act('/settle', 'Waits until every receipt has been answered or given up.', (controls) =>
		controls.settle(),
	),
	act(
		'/clear',
		'Removes messages, codes, mails, requests and receipts; settings, faults and balance stay.',
		(controls) => controls.clear(),
		{ body: z.strictObject({}).optional() },
	),
	act(
		'/reset',
		'Empties everything, and puts clock, settings and balance back to the start.',
		(controls) => controls.reset(),
		{ body: z.strictObject({}).optional() },
	),
];
