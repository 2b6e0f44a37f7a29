import type { Route } from './route';
import { schemas } from './schemas';

interface ObjectSchema {
	properties: Record<string, object>;
	required: string[];
}

/** The control API as an OpenAPI document, made from its own routes. */
export function describeRoutes(routes: Route[]): object {
	const paths = new Map<string, Record<string, object>>();
	for (const route of routes) {
		const operations = paths.get(route.path) ?? {};
		operations[route.method.toLowerCase()] = describeRoute(route);
		paths.set(route.path, operations);
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Control of the messaging service sandbox',
			version: '1.0.0',
			description: 'Reads and steers a running sandbox. It asks for no credentials.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/_sandbox/api' }],
		security: [],
		paths: Object.fromEntries(paths),
		components: { schemas },
	};
}

function describeRoute(route: Route): object {
	const { method, path, about, body, answers, status = 200 } = route;
	const words = path.replace(/[{}]/g, '').split('/').filter(Boolean);
	const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
	const schema = describeAnswer(route);
	return {
		operationId: `${method.toLowerCase()}${name}`,
		summary: about,
		parameters: describeParameters(route),
		...(body && {
			requestBody: { required: true, content: { 'application/json': { schema: body.schema } } },
		}),
		responses: {
			[status]: { description: answers, content: { 'application/json': { schema } } },
			'400': describeError('Something that cannot be taken is named.'),
			'404': describeError('It is not there.'),
			...(body && {
				'413': describeError('The body is longer than 1 MB.'),
				'415': describeError('The body is not sent as application/json.'),
			}),
			...(method !== 'GET' && { '503': describeError('The data folder cannot be written.') }),
		},
	};
}

function describeAnswer({ schema }: Route): object {
	const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
	return Array.isArray(schema) ? { type: 'array', items: refer(schema[0]) } : refer(schema);
}

function describeParameters({ path, query }: Route): object[] {
	const { properties = {} } = (query?.schema ?? {}) as Partial<ObjectSchema>;
	const ofQuery = Object.entries(properties).map(([name, schema]) => ({
		name,
		in: 'query',
		schema,
	}));
	const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
	return path.includes('{id}') ? [id, ...ofQuery] : ofQuery;
}

function describeError(description: string): object {
	const schema = { $ref: '#/components/schemas/Error' };
	return { description, content: { 'application/json': { schema } } };
}
