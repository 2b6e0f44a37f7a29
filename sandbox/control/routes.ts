import type { StoredMessage } from '../entities';
import { NotFound } from '../notFound';
import { settingChanges } from '../settings';
import {
	duration,
	either,
	flag,
	listOf,
	number,
	numberText,
	objectOf,
	orNull,
	text,
	WrongValue,
} from '../shape';
import type { ListFilter } from './controls';
import { type FaultRule, faultRule } from './faultRule';
import type { LatestQuery } from './latest';
import { type Route, route } from './route';

const listFilter = objectOf<ListFilter>(
	{ newest: numberText({ min: 0, isWhole: true }), to: text() },
	[],
	'query parameters',
);

interface LatestTexts {
	to?: string;
	since?: number;
	wait?: number;
}
const latestQuery = objectOf<LatestTexts>(
	{ to: text(), since: numberText({ min: 0, isWhole: true }), wait: duration(300_000) },
	[],
	'query parameters',
);

const nullableText = orNull(text());
const seedMessage = objectOf<Partial<StoredMessage>>(
	{
		messageId: text(),
		message: text(),
		to: text(),
		from: text(),
		network: text(),
		type: text(),
		status: text(),
		createdAt: text(),
		clientReference: nullableText,
		scheduledAt: nullableText,
		finishedAt: nullableText,
		messageCount: number({ min: 1, isWhole: true }),
		test: flag(),
		createdAtMs: number(),
		listedFromMs: number(),
	} as never,
	[],
);
interface Seed {
	count: number;
	message?: Partial<StoredMessage>;
}
const seed = objectOf<Seed>(
	{ count: number({ min: 0, max: 1_000_000, isWhole: true }), message: seedMessage },
	['count'],
);
const faultRules = either<FaultRule | FaultRule[]>(
	'a rule or a list of rules',
	faultRule,
	listOf(faultRule),
);
const filled = text('a text that is not empty', (value) => value !== '');

const done = { done: true };
const saysDone = '`{"done": true}`';

/** The control API, each path once. */
export const routes: Route[] = [
	...listRoutes(),
	route({
		method: 'GET',
		path: '/stats',
		about: 'Requests and peak in flight, in all and by path.',
		answers: 'The counts.',
		run: (controls) => controls.stats(),
	}),
	route({
		method: 'GET',
		path: '/receipts/queue',
		about: 'How receipts keep up: under way, waiting, dropped, and how late the latest were.',
		answers: 'The counts.',
		run: (controls) => controls.receiptQueue(),
	}),
	route({
		method: 'GET',
		path: '/process',
		about: 'Memory and processor time of the process that the sandbox runs in.',
		answers: '`{"memoryMb": 80, "processorSeconds": 1.5}`',
		run: (controls) => controls.process(),
	}),
	route({
		method: 'GET',
		path: '/balance',
		about: 'The balance.',
		answers: 'Balance and currency.',
		run: (controls) => controls.balance(),
	}),
	route<object, { amount: number }>({
		method: 'POST',
		path: '/balance/top-up',
		about: 'Adds to the balance.',
		body: objectOf({ amount: number({ min: 0 }) }, ['amount']),
		answers: 'Balance and currency.',
		run: (controls, { body }) => {
			controls.topUp(body.amount);
			return controls.balance();
		},
	}),
	route({
		method: 'GET',
		path: '/settings',
		about: 'All settings, without secrets.',
		answers: 'The settings.',
		run: (controls) => controls.settings(),
	}),
	route({
		method: 'PUT',
		path: '/settings',
		about: 'Changes settings; what is left out stays.',
		body: settingChanges,
		answers: 'The settings.',
		run: (controls, { body }) => {
			controls.configure(body);
			return controls.settings();
		},
	}),
	...faultRoutes(),
	...messageRoutes(),
	...clockRoutes(),
];

function listRoutes(): Route[] {
	const lists = [
		['messages', 'Messages.'],
		['codes', 'One-time codes in clear, each with its state.'],
		['requests', 'Every request that reached a path of the service, credentials included.'],
		['receipts', 'Every attempt to post a delivery receipt.'],
	] as const;
	return [
		...lists.map(([name, about]) =>
			route<ListFilter>({
				method: 'GET',
				path: `/${name}`,
				about: `${about} \`to\` takes any spelling of a number.`,
				query: listFilter,
				answers: 'A list, oldest first.',
				run: (controls, { query }) => controls[name](query),
			}),
		),
		...latestRoutes(),
	];
}

function latestRoutes(): Route[] {
	const kinds = [
		['message', 'messages', 'latestMessage'],
		['code', 'codes', 'latestCode'],
	] as const;
	return [
		route({
			method: 'GET',
			path: '/mark',
			about: 'The mark of the latest message or code: `since` this mark there is nothing yet.',
			answers: '`{"mark": 12}`',
			run: (controls) => ({ mark: controls.mark() }),
		}),
		...kinds.map(([word, list, control]) =>
			route<LatestTexts>({
				method: 'GET',
				path: `/${list}/latest`,
				about: `The newest ${word} to a recipient; waits for one, and looks only after a mark, when told.`,
				query: latestQuery,
				answers: `The ${word}; 404 when there is none in time.`,
				run: async (controls, { query, signal }) => {
					const { wait: waitMs, ...rest } = query;
					const wanted: LatestQuery = { ...rest, waitMs, signal };
					const found = await controls[control](wanted);
					if (found) return found;
					throw new NotFound(
						`There is no ${word}${query.to ? ` to ${query.to}` : ''}${waitMs ? ` after ${waitMs} ms` : ''}.`,
					);
				},
			}),
		),
	];
}

function faultRoutes(): Route[] {
	const path = '/faults';
	return [
		route({
			method: 'GET',
			path,
			about: 'The fault rules, with how often they were seen and hit.',
			answers: 'A list.',
			run: (controls) => controls.faults(),
		}),
		route({
			method: 'POST',
			path,
			about: 'Adds a fault rule, or a list of them.',
			body: faultRules,
			answers: 'The list of rules.',
			status: 201,
			run: (controls, { body }) => {
				for (const rule of [body].flat()) controls.addFault(rule);
				return controls.faults();
			},
		}),
		route({
			method: 'DELETE',
			path,
			about: 'Removes all fault rules.',
			answers: 'An empty list.',
			run: (controls) => {
				controls.clearFaults();
				return controls.faults();
			},
		}),
	];
}

function messageRoutes(): Route[] {
	return [
		route<object, { status: string }>({
			method: 'POST',
			path: '/messages/{id}/status',
			about: 'Moves a message by hand and posts its receipt.',
			body: objectOf({ status: filled }, ['status']),
			answers: saysDone,
			run: async (controls, { id, body }) => {
				await controls.setStatus(id, body.status);
				return done;
			},
		}),
		route({
			method: 'POST',
			path: '/messages/{id}/receipt',
			about: "Posts the receipt of a message's present status once more.",
			answers: saysDone,
			run: async (controls, { id }) => {
				await controls.repeatReceipt(id);
				return done;
			},
		}),
		route({
			method: 'POST',
			path: '/codes/{id}/expire',
			about: 'Lets the code of a request expire now.',
			answers: saysDone,
			run: (controls, { id }) => {
				controls.expireCode(id);
				return done;
			},
		}),
		route<object, Seed>({
			method: 'POST',
			path: '/seed',
			about: 'Fills history with delivered messages, a second apart; `message` is laid over each.',
			body: seed,
			answers: saysDone,
			status: 201,
			run: (controls, { body }) => {
				controls.seedMessages(body.count, () => body.message ?? {});
				return done;
			},
		}),
		route<object, { message: string; encryptKey: string }>({
			method: 'POST',
			path: '/decrypt',
			about: 'The text of an encrypted message.',
			body: objectOf({ message: text(), encryptKey: text() }, ['message', 'encryptKey']),
			answers: '`{"message": "..."}`',
			run: async (controls, { body: { message, encryptKey } }) => ({
				message: await controls.decrypt(message, encryptKey).catch(() => {
					throw new WrongValue('The message cannot be decrypted with this encryptKey.');
				}),
			}),
		}),
	];
}

function clockRoutes(): Route[] {
	return [
		route<object, { ms: number }>({
			method: 'POST',
			path: '/advance',
			about: "Moves the sandbox's clock, and waits for what becomes due.",
			body: objectOf({ ms: number() }, ['ms']),
			answers: saysDone,
			run: async (controls, { body }) => {
				controls.advance(body.ms);
				await controls.settle();
				return done;
			},
		}),
		route({
			method: 'POST',
			path: '/settle',
			about: 'Waits until every receipt has been answered or given up.',
			answers: saysDone,
			run: async (controls) => {
				await controls.settle();
				return done;
			},
		}),
		route({
			method: 'POST',
			path: '/clear',
			about: 'Removes messages, codes, requests and receipts; settings, faults and balance stay.',
			answers: saysDone,
			run: (controls) => {
				controls.clear();
				return done;
			},
		}),
		route({
			method: 'POST',
			path: '/reset',
			about: 'Empties everything, and puts clock, settings and balance back to the start.',
			answers: saysDone,
			run: (controls) => {
				controls.reset();
				return done;
			},
		}),
	];
}
