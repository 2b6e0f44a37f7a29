import * as z from 'zod/v4';
import type { Route } from './routes';
import { responses } from './responses';

interface ObjectSchema {
	properties?: Record<string, object>;
}

/** The control API as an OpenAPI document, generated from its routes. */
export function describeRoutes(routes: Route[]): object {
	const paths: Record<string, Record<string, object>> = {};
	for (const route of routes) {
		paths[route.path] = {
			...paths[route.path],
			[route.method.toLowerCase()]: describeRoute(route),
		};
	}
	const described = Object.entries(responses).map(([name, one]) => [name, toSchema(one, 'output')]);
	return {
		openapi: '3.1.0',
		info: {
			title: 'Control of the messaging service sandbox',
			version: '1.0.0',
			description: 'Reads and controls a running sandbox. It needs no credentials.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/_sandbox/api' }],
		...{ security: [], paths, components: { schemas: Object.fromEntries(described) } },
	};
}

function toSchema(shape: z.ZodType, io: 'input' | 'output'): object {
	return { ...z.toJSONSchema(shape, { io, unrepresentable: 'any' }), $schema: undefined };
}

function describeRoute(route: Route): object {
	const { method, path, about, body, response, status = 200 } = route;
	const words = path.replace(/[{}]/g, '').split('/').filter(Boolean);
	const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
	const isRequired = body && !body.safeParse(undefined).success;
	return {
		operationId: `${method.toLowerCase()}${name}`,
		summary: about,
		parameters: describeParameters(route),
		...(body && {
			requestBody: {
				required: isRequired,
				content: { 'application/json': { schema: toSchema(body, 'input') } },
			},
		}),
		responses: {
			[status]: {
				description: Array.isArray(response) ? 'A list.' : 'The result.',
				content: { 'application/json': { schema: refer(response) } },
			},
			'400': describeError('The message names the invalid value.'),
			'404': describeError('There is no such entry.'),
			...(body && {
				'413': describeError('The body is longer than 1 MB.'),
				'415': describeError('The body is not sent as application/json.'),
			}),
			...(method !== 'GET' && { '503': describeError('The data folder cannot be written.') }),
		},
	};
}

function refer(name: Route['response']): object {
	if (Array.isArray(name)) return { type: 'array', items: refer(name[0]) };
	return { $ref: `#/components/schemas/${name}` };
}

function describeParameters({ path, query }: Route): object[] {
	const { properties = {} } = query ? (toSchema(query, 'input') as ObjectSchema) : {};
	const ofQuery = Object.entries(properties).map(([name, schema]) => ({
		...{ name, in: 'query', schema },
	}));
	const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
	return path.includes('{id}') ? [id, ...ofQuery] : ofQuery;
}

function describeError(description: string): object {
	return { description, content: { 'application/json': { schema: refer('Error') } } };
}
