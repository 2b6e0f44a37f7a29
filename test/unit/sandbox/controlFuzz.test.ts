import { request } from 'node:http';
import { control, list, requestCode, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

interface Schema {
	properties?: Record<string, Schema>;
	anyOf?: Schema[];
}
interface Operation {
	parameters: Array<{ name: string; in: string }>;
	requestBody?: { content: Record<string, { schema: Schema }> };
	responses: Record<string, object>;
}
interface Described {
	method: string;
	path: string;
	operation: Operation;
}

const hostile: unknown[] = [
	...[null, true, false, 0, 1, -1, 0.5, 1e21, -0, 2 ** 53, '', ' ', 'x', '1', '\u0000', '\ud800'],
	...['http://', 'http://127.0.0.1:1/x y', 'ftp://a', '__proto__', '<script>', '💥'.repeat(200)],
	...[[], [null], [[]], ['x'], [''], {}, { x: 1 }, { toString: 1 }, [{ apiKey: 'x' }]],
	...[{ length: 1 }, { domestic: -1, international: 'x' }, JSON.parse('{"__proto__": {"a": 1}}')],
];

describe('the control API, as its own document describes it,', () => {
	const sandbox = useSandbox({ methods: 'any' });
	let operations: Described[];

	beforeAll(async () => {
		const { data } = await control(sandbox, 'GET', '/openapi.json');
		operations = Object.entries(data.paths as Record<string, Record<string, Operation>>).flatMap(
			([path, methods]) =>
				Object.entries(methods).map(([method, operation]) => ({
					method: method.toUpperCase(),
					path: path.replace('{id}', 'none'),
					operation,
				})),
		);
	});

	const withBody = () => operations.filter(({ operation }) => operation.requestBody);
	const post = (
		{ method, path }: Described,
		headers: Record<string, string>,
		body: string,
	): Promise<number | undefined> =>
		new Promise((resolve, reject) => {
			const url = `${sandbox.url}/_sandbox/api${path}`;
			request(url, { method, headers }, (answer) => {
				answer.resume().once('end', () => resolve(answer.statusCode));
			})
				.once('error', reject)
				.end(body);
		});
	const json = 'application/json';

	test('has paths that accept a body', () => {
		expect(withBody().length).toBeGreaterThan(6);
	});

	test.each([
		['with its length', {}],
		['without its length', { 'Transfer-Encoding': 'chunked' }],
	])('responds 413 to a body over 1 MB %s wherever it says so', async (_case, headers) => {
		const long = JSON.stringify({ text: 'x'.repeat(1_000_001) });
		for (const one of withBody()) {
			const status = await post(one, { 'Content-Type': json, ...headers }, long);
			expect([one.path, status, '413' in one.operation.responses]).toEqual([one.path, 413, true]);
		}
	});

	test.each([
		['text', { 'Content-Type': 'text/plain' }],
		['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
		['almost JSON', { 'Content-Type': 'application/jsonx' }],
		['nothing', {}],
	])('responds 415 to %s wherever it says so', async (_case, headers: object) => {
		for (const one of withBody()) {
			const status = await post(one, { ...headers }, '{}');
			expect([one.path, status, '415' in one.operation.responses]).toEqual([one.path, 415, true]);
		}
	});

	/** Whatever was taken, the service answers: with a refusal at worst. */
	const useService = async () => {
		const answers = await Promise.all([
			send(sandbox, { deliveryReceiptUrl: undefined }),
			list(sandbox),
			requestCode(sandbox),
		]);
		return Math.max(...answers.map(({ status }) => status));
	};

	/** Names of each object of a body, in itself and in its choices. */
	const listNames = ({ properties = {}, anyOf = [] }: Schema): string[] => [
		...Object.keys(properties),
		...anyOf.flatMap(listNames),
	];

	test('accepts each value of each field, or rejects it in words, and the service goes on', async () => {
		for (const { method, path, operation } of withBody()) {
			const { schema } = operation.requestBody!.content[json]!;
			for (const name of ['', ...listNames(schema)]) {
				for (const value of hostile) {
					if (name === 'latencyMs' || name === 'latencyJitterMs') continue;
					const body = name === '' ? JSON.stringify(value) : { [name]: value };
					const { status, data } = await control(sandbox, method, path, body);
					const place = `${method} ${path} ${name} ${JSON.stringify(value)}: ${status}`;
					expect([place, status < 500]).toEqual([place, true]);
					if (status >= 400) expect([place, typeof data.message]).toEqual([place, 'string']);
					else expect([place, (await useService()) < 500]).toEqual([place, true]);
				}
				sandbox.reset();
			}
		}
	}, 120_000);

	test('accepts each value of each query parameter, or rejects it in words', async () => {
		for (const { method, path, operation } of operations) {
			for (const { name } of operation.parameters.filter((one) => one.in === 'query')) {
				for (const value of [...hostile, '9'.repeat(400), '-1', '1e3', '0x1', '%', '+', '(', '*']) {
					if (value === '\ud800') continue;
					const text = typeof value === 'string' ? value : JSON.stringify(value);
					const query = new URLSearchParams({ [name]: text }).toString();
					const { status } = await control(sandbox, method, `${path}?${query}`);
					expect([path, query, status < 500]).toEqual([path, query, true]);
				}
			}
		}
	}, 60_000);
});
