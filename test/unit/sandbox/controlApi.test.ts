import Ajv2020 from 'ajv/dist/2020';
import type { FaultRule } from '../../../sandbox';
import { operations } from '../../../sandbox/control/routes';
import { listAddresses } from '../../../sandbox/recipients';
import { sleep, useReceiver, useSandbox } from '../../support/sandbox/harness';
import { processorMs } from '../../support/unit/processorTime';

const sandbox = useSandbox();
const receiver = useReceiver();
const get = (path: string) => sandbox.control('GET', path);

describe('a wrong value', () => {
	const key = { apiKey: 'a', apiSecret: 'b' };
	const mail = { from: '', to: 'a@example.com', subject: '', text: '' };
	const rule = { effect: 'cut' };
	const withHeader = (name: string, value: string) => ({
		effect: { status: 429, headers: { [name]: value } },
	});
	const wrong: Record<string, Array<[body: unknown, words: string]>> = {
		'PUT /settings': [
			[{ credentials: 'x' }, 'credentials must be a list, not "x".'],
			[
				{ credentials: [{ ...key, products: ['sms'] }] },
				'credentials[0].products[0] must be one of rest, otp, http, not "sms".',
			],
			[{ prices: { domestic: 1, international: 1, x: 1 } }, 'Unknown fields: prices.x'],
			[{ shuffleBulk: 1 }, 'shuffleBulk must be true or false, not 1.'],
			[[], 'The body must be an object, not [].'],
			[{ successStatus: 'x' }, 'must be a status from 200 to 299, or one'],
		],
		'POST /faults': [
			[{}, 'effect is missing.'],
			[5, 'The body must be a fault rule or a list of them, not 5.'],
			[{ effect: 'explode' }, 'effect must be an effect such as'],
			[[rule, { ...rule, count: -1 }], '[1].count must be a number from 0, not -1.'],
			[{ effect: { status: 101 } }, 'effect.status must be a number from 200, not 101.'],
			[withHeader('Retry After', '1'), 'must be a name of a header'],
			[withHeader('X', '1\r\nX: 1'), 'effect.headers.X must be a text that a header can have'],
			[{ ...rule, when: 'later' }, 'laterMs is missing.'],
			[{ ...rule, laterMs: 5 }, 'when is missing.'],
			// The real response, slowed, cannot come before the service acts.
			[{ when: 'later', laterMs: 5, effect: { slowMs: 1 } }, 'slowMs'],
		],
		'POST /reset': [[{ balance: 1 }, 'Unknown fields: balance']],
		'POST /advance': [[{ ms: 1e300 }, 'ms must be a number that leaves the clock between 1970']],
		'POST /mails': [
			[{ ...mail, to: '' }, 'to must be a text'],
			[
				{ ...mail, to: `${'a'.repeat(243)}@example.com` },
				'to must be addresses of at most 254 characters, not "aaa',
			],
		],
		'POST /seed': [
			[{ count: 1.5 }, 'count must be a whole number, not 1.5.'],
			[{ count: 1, message: { to: 5 } }, 'message.to must be a text, not 5.'],
		],
		'POST /messages/x/status': [
			[{ status: '' }, 'status must be a text that is not empty, not "".'],
		],
		'POST /decrypt': [[{ message: 'x', encryptKey: 'y' }, 'The message cannot be decrypted']],
		...Object.fromEntries(
			[
				['/messages?newest=few', 'newest must be a whole number from 0, not "few".'],
				['/messages?to=1&to=2', 'The query parameter to is repeated.'],
				['/codes/latest?wait=10', 'wait must be a duration such as 10s or 500ms'],
				['/codes/latest?wait=301s', 'of 300s at most'],
				['/requests?from=yesterday', 'from must be milliseconds since 1970, or a time with'],
				['/requests?until=2026-11-23', 'a time with its zone'],
			].map(([path, words = '']) => [`GET ${path}`, [[undefined, words]]]),
		),
	};
	const rows = Object.entries(wrong).flatMap(([operation, cases]) =>
		cases.map(([body, words]) => [operation, body, words] as const),
	);

	test.each(rows)('to %s with %j is a 400 that says why', async (operation, body, words) => {
		const [method = '', path = ''] = operation.split(' ');
		const { status, data } = await sandbox.control(method, path, body);
		expect([status, data.status]).toEqual([400, 400]);
		expect(data.message).toContain(words);
		expect((await sandbox.send()).status).toBe(201);
	});

	test.each([
		['{', 'The body must be JSON.'],
		['', 'The body is missing.'],
	])('is the body "%s", too', async (body, message) => {
		const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
		const answer = await fetch(`${sandbox.url}/_sandbox/api/advance`, init);
		expect(await answer.json()).toMatchObject({ status: 400, message });
	});

	test.each([
		['POST', '/messages/none/status', { status: 'Failed' }],
		['POST', '/messages/none/receipt', {}],
		['POST', '/codes/1/expire', {}],
		['GET', '/codes/latest', undefined],
	])('%s %s is a 404 while it is not there', async (method, path, body) => {
		expect((await sandbox.control(method, path, body)).status).toBe(404);
	});
});

describe('the newest message or code', () => {
	test('to a number is found, however it is written', async () => {
		await sandbox.requestCode({ to: '+959779123456' });
		await sandbox.requestCode({ to: '09254123456' });
		const { data } = await get('/codes/latest?to=00959%20779-123-456');
		expect(data).toMatchObject({ to: '959779123456', state: 'valid' });
	});

	test('to an email address is found in upper or lower case', async () => {
		await sandbox.requestCode({ to: 'Thida@example.com' });
		const { data } = await get('/codes/latest?to=thida%40EXAMPLE.com');
		expect(data.to).toBe('Thida@example.com');
	});

	test('comes as soon as it is there, when told to wait', async () => {
		const begun = performance.now();
		const waiting = get('/codes/latest?to=09779123456&wait=10s');
		await sleep(200);
		await sandbox.requestCode({ to: '09254123456' });
		await sandbox.requestCode({ to: '09779123456' });
		const { status, data } = await waiting;
		expect([status, data.to]).toEqual([200, '959779123456']);
		expect(performance.now() - begun).toBeLessThan(9_000);
	});

	test('is a 404 when the time is up', async () => {
		const begun = performance.now();
		const { status, data } = await get('/messages/latest?wait=300ms');
		expect([status, data.message]).toEqual([404, 'There is no message after 300 ms.']);
		expect(performance.now() - begun).toBeGreaterThan(290);
	});

	test('is one after a mark', async () => {
		await sandbox.send({ message: 'old' });
		const { mark } = (await get('/mark')).data;
		const after = `/messages/latest?to=09779123456&since=${mark}`;
		await sandbox.send({ to: '09254123456' });
		expect((await get(after)).status).toBe(404);
		const waiting = get(`${after}&wait=5s`);
		await sandbox.send({ message: 'new' });
		const { data } = await waiting;
		expect([data.message, data.mark]).toEqual(['new', mark + 2]);
	});

	test('is found in this process too, until a reset', async () => {
		const waiting = sandbox.latestCode({ to: '09779123456', waitMs: 5000 });
		await sandbox.requestCode({ to: '09779123456' });
		expect(await waiting).toEqual(sandbox.codes()[0]);
		expect(await sandbox.latestCode({ since: sandbox.mark() })).toBeUndefined();
		expect(await sandbox.latestMessage({ waitMs: 20 })).toBeUndefined();
		const forever = sandbox.latestCode({ since: sandbox.mark(), waitMs: 60_000 });
		sandbox.reset();
		expect(await forever).toBeUndefined();
	});
});

describe('a list', () => {
	const count = async (query: Record<string, string>) => {
		const text = new URLSearchParams(query).toString();
		const { data } = await get(`/requests/count?${text}`);
		expect((await get(`/requests?${text}`)).data).toHaveLength(data.count as number);
		return data.count as number;
	};

	test('of requests is filtered by method, path, status, text and time together', async () => {
		await sandbox.send({ message: 'မင်္ဂလာပါ "quoted"' });
		await sandbox.send({ to: '12' });
		await sandbox.list({ message: 'quoted' });
		const minuteAgo = Date.now() - 60_000;
		for (const [query, found] of [
			[{}, 3],
			[{ method: 'post' }, 2],
			[{ path: '/rest/send' }, 2],
			[{ path: '/api/rest/*' }, 3],
			[{ status: '201' }, 2],
			[{ status: '' }, 0],
			[{ status: '422', path: '/rest/send' }, 1],
			[{ text: 'မင်္ဂလာပါ "quoted"' }, 1],
			[{ text: 'quoted' }, 2],
			[{ until: String(minuteAgo) }, 0],
			[{ from: new Date(minuteAgo).toISOString() }, 3],
			[{ from: '2000-01-01T12:00+06:30' }, 3],
			[{ to: '09779123456', method: 'POST' }, 1],
		] as Array<[Record<string, string>, number]>) {
			expect([query, await count(query)]).toEqual([query, found]);
		}
		expect(sandbox.requests({ status: '422' })).toHaveLength(1);
		expect(sandbox.countRequests({ method: 'GET' })).toBe(1);
	});

	test('is filtered by recipient, or cut to the newest', async () => {
		await sandbox.send({ to: '09779123456' });
		await sandbox.send({ to: '09254123456' });
		await sandbox.requestCode({ to: '09779123456' });
		for (const [path, found] of [
			['/messages', 1],
			['/codes', 1],
			['/requests', 2],
		]) {
			expect((await get(`${path}?to=%2B959%20779%20123%20456`)).data).toHaveLength(Number(found));
		}
		sandbox.seedMessages(10, () => ({ createdAtMs: Date.now() - 3_600_000 }));
		expect((await get('/messages?newest=2')).data).toMatchObject([
			{ to: '959779123456' },
			{ to: '959254123456' },
		]);
	});

	test('of mails reads their addresses in no time', async () => {
		const to = 'a '.repeat(40_000) + 'thida@example.com';
		const reading = await processorMs(() => expect(listAddresses('a'.repeat(80_000))).toEqual([]));
		expect(reading).toBeLessThan(500);
		sandbox.addMail({ from: '', to, subject: '', text: '' });
		expect((await sandbox.latestMail({ to: 'thida@example.com' }))!.to).toBe(to);
	});
});

interface Schema {
	description?: string;
	properties?: Record<string, Schema>;
	anyOf?: Schema[];
}
interface Content {
	content: { 'application/json': { schema: Schema } };
}
interface Operation {
	parameters: Array<{ name: string; in: string }>;
	requestBody?: Content;
	responses: Record<string, Content>;
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

describe('the OpenAPI document of the control', () => {
	const ajv = new Ajv2020({ strict: false, allErrors: true });
	let described: Described[];
	const withBody = () => described.filter(({ operation }) => operation.requestBody);

	beforeAll(async () => {
		const { data } = await get('/openapi.json');
		ajv.addSchema(data, 'control');
		const paths = Object.entries(data.paths as Record<string, Record<string, Operation>>);
		described = paths.flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, operation]) => {
				return { method: method.toUpperCase(), path, operation };
			}),
		);
		expect(withBody().length).toBeGreaterThan(6);
	});

	const find = (method: string, path: string) =>
		described.find((one) => one.method === method && one.path === path)!.operation;

	test('describes each setting and parameter', () => {
		const { schema } = find('PUT', '/settings').requestBody!.content['application/json'];
		const { latencyMs, ...others } = schema.properties!;
		expect(latencyMs!.description).toMatch(/^Each response takes this long/);
		expect(Object.values(others).filter(({ description }) => !description)).toEqual([]);
		const { parameters } = find('GET', '/codes/latest');
		expect(parameters.map(({ name }) => name)).toEqual(['to', 'since', 'wait']);
	});

	/** Paths, with their methods, whose real responses were compared. */
	const compared = new Set<string>();
	/** @returns the response, once it is found to be as described */
	const call = async (operation: string, { body, id = '', query = '' }: Given = {}) => {
		const [method = '', path = ''] = operation.split(' ');
		const answer = await sandbox.control(method, `${path.replace('{id}', id)}${query}`, body);
		const { schema } = find(method, path).responses[answer.status]!.content['application/json'];
		const validate = ajv.compile(
			JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"control#/')) as object,
		);
		validate(answer.data);
		expect([operation, validate.errors ?? []]).toEqual([operation, []]);
		compared.add(operation);
		return answer;
	};
	interface Given {
		body?: unknown;
		id?: string;
		query?: string;
	}

	/** One of everything: delivered, waiting, encrypted, refused, reported, spoilt by a fault. */
	const fill = async () => {
		await sandbox.send({ deliveryReceiptUrl: receiver.url, clientReference: 'r' });
		await sandbox.pass();
		await sandbox.send({ encrypt: 1, encryptKey: 'key', scheduledAt: '2099-01-01 00:00:00' });
		await sandbox.send({ to: '12', strange: 1 });
		sandbox.addFault({ effect: 'cut', count: 1 });
		await sandbox.send().catch(() => undefined);
		for (const largeRequestIds of [false, true]) {
			sandbox.configure({ largeRequestIds });
			await sandbox.requestCode();
		}
		sandbox.addMail({ from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' });
	};

	test('describes the response to every request', async () => {
		for (const path of ['/messages', '/codes', '/mails']) {
			expect((await call(`GET ${path}/latest`)).status).toBe(404);
		}
		await fill();
		for (const path of ['/messages', '/codes', '/mails', '/requests', '/receipts']) {
			expect((await call(`GET ${path}`)).data.length).toBeGreaterThan(0);
		}
		for (const path of ['/messages', '/codes', '/mails']) {
			expect((await call(`GET ${path}/latest`)).status).toBe(200);
		}
		const query = '?path=/rest/*&status=201';
		expect((await call('GET /requests/count', { query })).data).toEqual({ count: 2 });
		expect((await call('GET /mails', { query: '?to=B%40example.com' })).data).toHaveLength(1);
		expect((await call('GET /mails', { query: '?to=c%40example.com' })).data).toHaveLength(0);
		expect((await call('GET /messages', { query: '?older=1' })).status).toBe(400);

		for (const path of ['/mark', '/stats', '/receipts/queue', '/balance', '/settings']) {
			await call(`GET ${path}`);
		}
		await call('POST /balance/top-up', { body: { amount: 5 } });
		expect(sandbox.balance().balance).toBe(1_000_000 + 5 - 4 * 20);
		const credentials = [{ apiKey: 'k', apiSecret: 's', products: ['otp'], whitelist: ['::1'] }];
		const { data } = await call('PUT /settings', { body: { credentials, balance: 7 } });
		expect(JSON.stringify(data)).not.toContain('"s"');
		expect(sandbox.balance().balance).toBe(7);
		const rule: FaultRule = { effect: 'cut', probability: 0.5, match: { path: '/none' } };
		expect((await call('POST /faults', { body: rule })).status).toBe(201);
		expect((await call('GET /faults')).data[1]).toEqual({ rule, seen: 0, hits: 0 });
		await call('DELETE /faults');
		expect(sandbox.faults()).toEqual([]);

		const [delivered, encrypted] = sandbox.messages();
		const { messageId: id } = delivered!;
		await call('POST /messages/{id}/status', { id, body: { status: 'Pending' } });
		await call('POST /messages/{id}/receipt', { id });
		const statuses = receiver.calls.map((one) => one.query.status);
		expect(statuses).toEqual(['Sent', 'Delivered', 'Pending', 'Pending']);
		await call('POST /codes/{id}/expire', { id: String(sandbox.codes()[0]!.requestId) });
		expect(sandbox.codes()[0]!.state).toBe('expired');
		const decrypted = await call('POST /decrypt', {
			body: { message: encrypted!.message, encryptKey: 'key' },
		});
		expect(decrypted.data).toEqual({ message: 'Hello' });
		const mail = { from: '', to: 'b@example.com', subject: '', text: '' };
		expect((await call('POST /mails', { body: mail })).status).toBe(201);
		const seed = { count: 2, message: { from: 'Bank' } };
		expect((await call('POST /seed', { body: seed })).status).toBe(201);
		expect(sandbox.messages().filter(({ from }) => from === 'Bank')).toHaveLength(2);
		await call('POST /advance', { body: { ms: 5 } });
		await call('POST /settle');
		for (const name of ['clear', 'reset']) {
			await call(`POST /${name}`);
			expect(sandbox.messages()).toEqual([]);
			await sandbox.send();
		}
		const all = operations.map(({ method, path }) => `${method} ${path}`);
		expect([...compared].sort()).toEqual(all.sort());
	});

	/** Whatever was accepted, the service responds: with a rejection at worst. */
	const useService = async () => {
		const answers = await Promise.all([sandbox.send(), sandbox.list(), sandbox.requestCode()]);
		return Math.max(...answers.map(({ status }) => status));
	};
	/** Names of each object of a body, in itself and in its choices. */
	const listNames = ({ properties = {}, anyOf = [] }: Schema): string[] => [
		...Object.keys(properties).filter((name) => !name.startsWith('latency')),
		...anyOf.flatMap(listNames),
	];

	test('accepts each value of each field, or rejects it in words, and the service goes on', async () => {
		for (const { method, path, operation } of withBody()) {
			const { schema } = operation.requestBody!.content['application/json'];
			for (const name of ['', ...listNames(schema)]) {
				for (const value of hostile) {
					const body = name === '' ? JSON.stringify(value) : { [name]: value };
					const { status, data } = await sandbox.control(method, path.replace('{id}', 'x'), body);
					const place = `${method} ${path} ${name} ${JSON.stringify(value)}: ${status}`;
					expect([place, status < 500]).toEqual([place, true]);
					if (status >= 400) expect([place, typeof data.message]).toEqual([place, 'string']);
					else expect([place, (await useService()) < 500]).toEqual([place, true]);
				}
				sandbox.reset();
			}
		}
	}, 120_000);
});
