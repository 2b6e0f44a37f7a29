import { NotFound } from '../../notFound';
import { duration, numberText, objectOf, text } from '../../shape';
import type { LatestQuery } from '../latest';
import type { ListFilter } from '../lists';
import { type Route, route } from '../route';

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

const lists = [
	['messages', 'Message', 'Messages.'],
	['codes', 'Code', 'One-time codes in clear, each with its state.'],
	['mails', 'Mail', 'Mails that were handed in.'],
	[
		'requests',
		'Request',
		'Every request that reached a path of the service, credentials included.',
	],
	['receipts', 'Receipt', 'Every attempt to post a delivery receipt.'],
] as const;

const listRoutes = lists.map(([name, schema, about]) =>
	route<ListFilter>({
		method: 'GET',
		path: `/${name}`,
		about: `${about} \`to\` takes any spelling of a number.`,
		query: listFilter,
		answers: 'A list, oldest first.',
		schema: [schema],
		run: (controls, { query }) => controls.inTurns[name](query),
	}),
);

const kinds = [
	['message', 'messages', 'Message', 'latestMessage'],
	['code', 'codes', 'Code', 'latestCode'],
	['mail', 'mails', 'Mail', 'latestMail'],
] as const;

const latestRoutes = kinds.map(([word, list, schema, control]) =>
	route<LatestTexts>({
		method: 'GET',
		path: `/${list}/latest`,
		about: `The newest ${word} to a recipient; waits for one, and looks only after a mark, when told.`,
		query: latestQuery,
		answers: `The ${word}; 404 when there is none in time.`,
		schema,
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
);

/** What was sent, and who asked. */
export const readingRoutes: Route[] = [
	...listRoutes,
	route({
		method: 'GET',
		path: '/mark',
		about: 'The mark of the latest message, code or mail: `since` this mark there is nothing yet.',
		answers: '`{"mark": 12}`',
		schema: 'Mark',
		run: (controls) => ({ mark: controls.mark() }),
	}),
	...latestRoutes,
];
