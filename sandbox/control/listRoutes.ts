import * as z from 'zod/v4';
import { NotFound } from '../notFound';
import { duration, wholeText } from '../shapes';
import { type Route, route } from './route';

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

const wholeLists = (
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

const requests = [
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

const latest = (
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

/** Paths of the lists, and of the newest message, code and mail. */
export const listRoutes: Route[] = [...wholeLists, ...requests, ...latest];
