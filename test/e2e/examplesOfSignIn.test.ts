import { randomInt, randomUUID } from 'node:crypto';

import { httpClient } from '../../scripts/http';

import {
	missingPrograms,
	postgresLogin,
	redisLogin,
	startPostgres,
	startRedis,
	type Server,
} from '../support/queue/services';
import { readExample } from '../../scripts/n8n/examples';
import { breakNode, ExampleRunner } from '../support/e2e/ExampleRunner';
import { completeNode, connectInLine, type NodeUnderTest } from '../../tools/harness';

const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const stepsOf = (example: string) =>
	readExample(example)
		.nodes.filter(({ type }) => !/\.(stickyNote|webhook)$/.test(type))
		.map(({ name }) => name);

describe('sign-in-webhook', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open({ httpHeaderAuth: websiteKey });
	});
	beforeEach(async () => {
		await runner.reset();
		await runner.activate('sign-in-webhook');
	});
	afterAll(async () => await runner?.close());

	const lastCode = () => runner.sandbox.codes().at(-1)?.code ?? '';
	const wrongCode = () => (lastCode().startsWith('1') ? '222222' : '111111');
	const phone = '09791234567';
	const call = async (path: string, body: object, headers: object = {}) => {
		const key = { [websiteKey.name]: websiteKey.value, ...headers };
		const { status, data } = await runner.call(`sign-in/${path}`, { body, headers: key });
		return { status, data };
	};

	test('sends a code and lets in with it', async () => {
		const sent = await call('request-code', { phone });
		expect(sent).toMatchObject({
			status: 200,
			data: { requestId: expect.stringMatching(/^\d+\.\w{64}$/) },
		});
		const { requestId } = sent.data;
		const verified = { verified: true, to: '959791234567' };
		expect(await call('verify-code', { requestId, phone, code: lastCode() })).toEqual({
			status: 200,
			data: verified,
		});
	});

	test('writes the code so that the browser of the phone can fill it in', async () => {
		await call('request-code', { phone });
		const [{ message, maxInvalidAttempts }] = runner.sandbox.codes();
		expect(message.split('\n').at(-1)).toBe(`@shop.example.com #${lastCode()}`);
		expect(lastCode()).toMatch(/^\d{6}$/);
		expect(maxInvalidAttempts).toBe(5);
	});

	test.each(['request-code', 'verify-code'])(
		'rejects requests without the key: %s',
		async (path) => {
			const stranger = { [websiteKey.name]: 'guessed' };
			expect(await call(path, { phone }, stranger)).toMatchObject({ status: 403 });
			expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
		},
	);

	test('responds 401 to a wrong code, and to a code that was used', async () => {
		const { data } = await call('request-code', { phone });
		const { requestId } = data;
		expect(await call('verify-code', { requestId, phone, code: wrongCode() })).toEqual(rejected);
		await call('verify-code', { requestId, phone, code: lastCode() });
		expect(await call('verify-code', { requestId, phone, code: lastCode() })).toEqual(rejected);
	});

	test.each([
		'၀၉၇၉၁၂၃၄၅၆၇',
		'\uFF10\uFF19\uFF17\uFF19\uFF11\uFF12\uFF13\uFF14\uFF15\uFF16\uFF17',
		'+95 (0)9 791 234 567',
		959791234567,
	])('accepts the number written as %j', async (spelling) => {
		const { data } = await call('request-code', { phone: spelling });
		const typed = { requestId: data.requestId, phone: spelling, code: lastCode() };
		expect(await call('verify-code', typed)).toMatchObject({
			status: 200,
			data: { verified: true, to: '959791234567' },
		});
	});

	const rejected = { status: 401, data: { verified: false } };
	const strangers = ['09791234568', '', undefined, '+6591234567', '959', [phone]];

	test.each(strangers)(
		'responds 401 when the code proves another number than %j',
		async (other) => {
			const { data } = await call('request-code', { phone });
			const typed = { requestId: data.requestId, phone: other, code: lastCode() };
			expect(await call('verify-code', typed)).toEqual(rejected);
		},
	);

	/** A request ID of another workflow on the same account, such as the example that verifies email addresses. */
	const requestByEmail = async (to: string) => {
		const { baseUrl, token } = runner.sandbox;
		const params = { accessToken: token, to, brand: 'MyShop', from: 'MyShop', channel: 'email' };
		const url = `${baseUrl}/otp/request`;
		const { data } = await httpClient.post<{ requestId: number }>(url, undefined, { params });
		return data.requestId;
	};

	const address = '959791234567@evil.example';
	test.each([phone, '+959791234567', '', undefined, address, address.replace('@', '\uFF20')])(
		'responds 401 to the code of an email address that holds the number, where the phone is %j',
		async (claimed) => {
			const requestId = await requestByEmail(address);
			const typed = { requestId, phone: claimed, code: lastCode() };
			expect(await call('verify-code', typed)).toEqual(rejected);
		},
	);

	test('uses up no attempt with an ID that the website did not get for this number', async () => {
		const { data } = await call('request-code', { phone });
		const [id, seal] = String(data.requestId).split('.');
		const ids = Array.from({ length: 120 }, (_, n) => Number(id) + n - 60);
		const forged = ids.flatMap((one) => [one, String(one), `${one}.`, `${one}.${seal}x`]);
		for (const requestId of forged.slice(0, 120))
			expect(await call('verify-code', { requestId, phone, code: '000000' })).toEqual(rejected);
		const other = { requestId: data.requestId, phone: '09791234568', code: lastCode() };
		expect(await call('verify-code', other)).toEqual(rejected);
		expect(runner.sandbox.requests().map(({ path }) => path)).toEqual(['/api/otp/request']);
		const right = { requestId: data.requestId, phone, code: lastCode() };
		expect(await call('verify-code', right)).toMatchObject({ status: 200 });
	}, 120_000);

	test('responds 400 to input that cannot be right, in words for programs', async () => {
		expect(await call('request-code', { phone: 'none' })).toEqual({
			status: 400,
			data: { sent: false, reason: 'number' },
		});
		expect(await call('request-code', { phone: '+6591234567' })).toEqual({
			status: 400,
			data: { sent: false, reason: 'abroad' },
		});
		for (const code of [undefined, 42719, 'abcdef', '42'])
			expect(await call('verify-code', { requestId: 1, phone, code })).toEqual({
				status: 400,
				data: { verified: false, reason: 'input' },
			});
		expect(runner.sandbox.requests()).toEqual([]);
	});

	test('responds with 429, and how long to wait, to a request that comes too soon', async () => {
		await call('request-code', { phone });
		const wait = { sent: false, reason: 'wait', limit: 'to' };
		expect(await call('request-code', { phone })).toEqual({
			...{ status: 429, data: { ...wait, retryAfterSeconds: expect.any(Number) } },
		});
		expect(runner.sandbox.codes()).toHaveLength(1);
	});

	test.each([...stepsOf('sign-in-webhook'), '/otp/request', '/otp/verify'])(
		'tells a visitor nothing of another one where %s fails',
		async (step) => {
			const other = '09791234568';
			const broken = readExample('sign-in-webhook');
			const entered = `$('Code ' + ($('Code entered').isExecuted ? 'entered' : 'requested'))`;
			breakNode(broken, step, `${entered}.first().json.body.phone === '${other}'`);
			await runner.reset();
			await runner.activate(broken);
			const first = { ...(await call('request-code', { phone })).data, phone, code: lastCode() };
			runner.sandbox.addFault({ match: { path: step }, effect: { status: 500 } });
			const sent = await call('request-code', { phone: other });
			const second = { ...first, ...sent.data, phone: other, code: lastCode() };
			const again = await call('request-code', { phone: other });
			const wrong = await call('verify-code', { ...second, code: wrongCode() });
			const answers = [sent, again, wrong, await call('verify-code', second)];
			for (const secret of [first.requestId, '9791234567'])
				expect(JSON.stringify(answers)).not.toContain(secret);
			const down = answers.filter(({ status }) => status === 503);
			expect(down).toHaveLength({ '/otp/request': 1, '/otp/verify': 2 }[step] ?? 0);
			for (const { data } of down) expect(data.reason).toBe('unavailable');
			runner.sandbox.clearFaults();
			const verified = { verified: true, to: '959791234567' };
			expect(await call('verify-code', first)).toEqual({ status: 200, data: verified });
		},
	);
});

/** The example counts in slots of an hour. */
const slotMs = 3_600_000;
const hasRedis = !missingPrograms.includes('redis-server');

(hasRedis ? describe : describe.skip)('otp-limits-in-redis', () => {
	let redis: Server;
	let runner: ExampleRunner;
	beforeAll(async () => {
		redis = await startRedis();
		runner = await ExampleRunner.open({ httpHeaderAuth: websiteKey, redis: redisLogin(redis) });
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => {
		await runner?.close();
		await redis?.close();
	});

	const headers = { [websiteKey.name]: websiteKey.value };
	const ask = async (phone: string) => {
		const { status, data } = await runner.call('codes/request', { body: { phone }, headers });
		return { status, data };
	};

	test('responds 503 while the service is down, which locks nobody out', async () => {
		await runner.disconnect();
		await runner.activate('otp-limits-in-redis');
		const phone = '09792222222';
		const down = { status: 503, data: { sent: false, reason: 'unavailable' } };
		for (let n = 0; n < 6; n += 1) expect(await ask(phone)).toEqual(down);
		await runner.reconnect();
		expect(await ask(phone)).toMatchObject({ status: 200 });
	});

	test.each([...stepsOf('otp-limits-in-redis'), '/otp/request'])(
		'tells a visitor nothing of another one where %s fails',
		async (step) => {
			const [one, other] = [1, 2].map((n) => `0979${n}${randomInt(100_000, 999_999)}`);
			const broken = readExample('otp-limits-in-redis');
			breakNode(broken, step, `$('Code requested').first().json.body.phone === '${other}'`);
			await runner.activate(broken);
			const { data } = await ask(one);
			runner.sandbox.addFault({ match: { path: step }, effect: { status: 500 } });
			const answers = await Promise.all(Array.from({ length: 7 }, async () => await ask(other)));
			expect(answers.map((answer) => answer.data.requestId)).not.toContain(data.requestId);
			expect(await ask(one)).toMatchObject({ status: 429 });
		},
	);

	test('lets five requests of a number pass in an hour, however it is written and however many ask at once', async () => {
		await runner.activate('otp-limits-in-redis');
		const left = slotMs - (Date.now() % slotMs);
		if (left < 60_000) await new Promise((resolve) => setTimeout(resolve, left));
		await ask('09791111111');
		const none = [undefined, '', 'none', '၀၉'].map((given) => ask(given as string));
		expect((await Promise.all(none)).map(({ status }) => status)).toEqual([400, 400, 400, 400]);
		const notations = [
			...['09791234567', '+959791234567', '959-791-234-567', '09 791 234 567', '00959791234567'],
			...['၀၉၇၉၁၂၃၄၅၆၇', '\uFF10\uFF1979\u200B1234567', '+95 (0)9 791 234 567'],
		];
		const callers = Array.from({ length: 40 }, (_, n) => notations[n % notations.length]);
		const answers = await Promise.all(callers.map(ask));
		const statuses = answers.map(({ status }) => status);
		expect(statuses.filter((status) => status === 200)).toHaveLength(1);
		expect(statuses.filter((status) => status === 429)).toHaveLength(39);
		const waits = answers.map(({ data }) => Number(data.retryAfterSeconds));
		// Four passed Redis, and came within 30 seconds of the first.
		expect(waits.filter((seconds) => seconds <= 30)).toHaveLength(4);
		expect(waits.filter((seconds) => seconds > 30)).toHaveLength(35);
		const sent = runner.sandbox.codes().filter(({ to }) => to === '959791234567');
		expect(sent).toHaveLength(1);
	});
});

const hasPostgres = !missingPrograms.includes('postgresql');

(hasPostgres ? describe : describe.skip)(
	'the statement for Postgres in otp-limits-in-redis',
	() => {
		let postgres: Server;
		let runner: ExampleRunner;
		const type = 'n8n-nodes-base.postgres';

		beforeAll(async () => {
			postgres = await startPostgres();
			runner = await ExampleRunner.open({ postgres: postgresLogin(postgres) });
		});
		afterAll(async () => {
			await runner?.close();
			await postgres?.close();
		});

		/** What the note says, word for word. */
		const [insert, create] = readExample('otp-limits-in-redis')
			.nodes.map(({ parameters }) => String(parameters.content))
			.flatMap((note) => [...note.matchAll(/`((?:INSERT|CREATE) [^`]+)`/g)])
			.map(([, statement]) => statement);

		/** A workflow that answers with what the statement returns. */
		const publish = async (query: string, queryReplacement: string) => {
			const path = randomUUID();
			const webhook: NodeUnderTest = {
				name: 'Start',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				webhookId: path,
				parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
			};
			const options = queryReplacement === '' ? {} : { queryReplacement };
			const parameters = { operation: 'executeQuery', query, options };
			const credentials = { postgres: { id: null, name: '' } };
			const statement = { name: 'Count', type, typeVersion: 2.6, parameters, credentials };
			const { id } = await runner.importWorkflow({
				name: `statement ${path}`,
				nodes: [webhook, statement].map(completeNode),
				connections: connectInLine(['Start', 'Count']),
			});
			await runner.n8n.api.activate(id);
			return async () => (await runner.call(path)).data as { n: number };
		};

		test('counts every code once, however many ask at once', async () => {
			await (
				await publish(create, '')
			)();
			const count = await publish(insert, '959791234567, 2938472');
			await count();
			const counts = await Promise.all(Array.from({ length: 40 }, count));
			const inOrder = counts.map(({ n }) => n).sort((a, b) => a - b);
			expect(inOrder).toEqual(Array.from({ length: 40 }, (_, n) => n + 2));
		});
	},
);
