import * as z from 'zod/v4';
import { type Operation, operations, responses } from './routes';

const summaries: Record<Operation['name'], string> = {
	'GET /messages': 'Messages, oldest first.',
	'GET /codes': 'One-time codes as plain text, each with its state, oldest first.',
	'GET /mails': 'Codes by email, and mails that were handed in, oldest first.',
	'GET /receipts': 'Every attempt to post a delivery receipt, oldest first.',
	'GET /requests':
		'Requests that reached a path of the service, credentials included, oldest first.',
	'GET /requests/count': 'Number of requests that match, by the filters of the list.',
	'GET /messages/latest': 'The newest message; `wait` waits for one. 404 if none comes in time.',
	'GET /codes/latest': 'The newest code; `wait` waits for one. 404 if none comes in time.',
	'GET /mails/latest': 'The newest mail; `wait` waits for one. 404 if none comes in time.',
	'GET /mark': 'The mark of the latest message, code or mail: there is nothing `since` it yet.',
	'GET /stats': 'Requests and peak in flight, in all and by path.',
	'GET /receipts/queue': 'How many receipts wait, and how late.',
	'GET /balance': 'The balance and its currency.',
	'GET /settings': 'All settings, without secrets.',
	'GET /faults': 'The fault rules, with their counts.',
	'PUT /settings': 'Changes settings; what is left out stays.',
	'POST /faults': 'Adds a fault rule, or a list of them.',
	'DELETE /faults': 'Removes all fault rules.',
	'POST /balance/top-up': 'Adds to the balance.',
	'POST /messages/{id}/status': 'Sets the status of a message and posts its receipt.',
	'POST /messages/{id}/receipt': "Posts the receipt of a message's current status again.",
	'POST /codes/{id}/expire': 'Makes the code of a request expire now.',
	'POST /mails': 'Hands in a mail, as to a mail server that delivers nothing.',
	'POST /seed': 'Adds delivered messages, a second apart, to history; `message` sets their fields.',
	'POST /decrypt': 'Decrypts the text of a message.',
	'POST /advance': "Moves the sandbox's clock, and waits for what becomes due.",
	'POST /settle': 'Waits until every receipt has a response or was given up.',
	'POST /clear': 'Removes what was sent and received; settings, faults and balance stay.',
	'POST /reset': 'Empties everything, and restores clock, settings and balance.',
};

/** The control API as an OpenAPI document, generated from its routes. */
export function describeRoutes(): object {
	const paths: Record<string, Record<string, object>> = {};
	for (const one of operations) {
		const ofPath = (paths[one.path] ??= {});
		ofPath[one.method.toLowerCase()] = describeOperation(one);
	}
	const described = Object.entries(responses).map(([name, one]) => [name, toSchema(one, 'output')]);
	return {
		openapi: '3.1.0',
		info: {
			title: 'Control of the messaging service sandbox',
			version: '1.0.0',
			description:
				'Reads and controls a running sandbox. It needs no credentials, except the control token where others can reach it.',
			license: { name: 'MIT', identifier: 'MIT' },
		},
		servers: [{ url: '/_sandbox/api' }],
		...{ security: [], paths, components: { schemas: Object.fromEntries(described) } },
	};
}

function toSchema(shape: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
	return { ...z.toJSONSchema(shape, { io, unrepresentable: 'any' }), $schema: undefined };
}

function describeOperation({ name, method, path, query, body, response, status = 200 }: Operation) {
	const words = path.replace(/[/{}]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
	const required = body && !body.safeParse(undefined).success;
	const { properties = {} } = query ? toSchema(query, 'input') : {};
	const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
	const describeOne = ([one, schema]: [string, unknown]) => ({ name: one, in: 'query', schema });
	const schema = Array.isArray(response)
		? { type: 'array', items: refer(response[0]) }
		: refer(response);
	return {
		operationId: `${method.toLowerCase()}${words}`,
		summary: summaries[name],
		parameters: path.includes('{id}') ? [id] : Object.entries(properties).map(describeOne),
		...(body && { requestBody: { required, ...asJson(toSchema(body, 'input')) } }),
		responses: {
			[status]: { description: 'The result.', ...asJson(schema) },
			'400': describeError('The message names the invalid value.'),
			'404': describeError('No entry was found.'),
			...(body && { '413': describeError('The body is longer than 1 MB.') }),
			...(body && { '415': describeError('The body is not sent as application/json.') }),
			...(method !== 'GET' && { '503': describeError('The data folder cannot be written.') }),
		},
	};
}

const asJson = (schema: object) => ({ content: { 'application/json': { schema } } });
const refer = (name: keyof typeof responses) => ({ $ref: `#/components/schemas/${name}` });
const describeError = (description: string) => ({ description, ...asJson(refer('Error')) });
