import { startSandbox } from '../../../sandbox';
import { listAddresses } from '../../../sandbox/store/recipients';
import { control, requestCode, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('the control API', () => {
	const sandbox = useSandbox({ methods: 'any' });

	test('reads the addresses of a mail in no time', async () => {
		const to = 'a '.repeat(40_000) + 'thida@example.com';
		const { user } = process.cpuUsage();
		expect(listAddresses('a'.repeat(80_000))).toEqual([]);
		expect(process.cpuUsage().user - user).toBeLessThan(500_000);
		await control(sandbox, 'POST', '/mails', { from: '', to, subject: '', text: '' });
		expect((await sandbox.latestMail({ to: 'thida@example.com' }))!.to).toBe(to);
	});

	describe('checks every value', () => {
		test.each<[string, string, unknown, string]>([
			['PUT', '/settings', { credentials: 'x' }, 'credentials must be a list, not "x".'],
			[
				'PUT',
				'/settings',
				{ credentials: [{ apiKey: 'a' }] },
				'credentials[0].apiSecret is missing.',
			],
			[
				'PUT',
				'/settings',
				{ credentials: [{ apiKey: 'a', apiSecret: 'b', products: ['sms'] }] },
				'credentials[0].products[0] must be one of rest, otp, http, not "sms".',
			],
			// A seed is content to start with; this number is `randomSeed`.
			['PUT', '/settings', { seed: 1 }, 'Unknown settings: seed'],
			['PUT', '/settings', { pace: '0' }, 'pace must be a number, not "0".'],
			['PUT', '/settings', { pace: -1 }, 'pace must be a number from 0, not -1.'],
			['PUT', '/settings', { pace: null }, 'pace must be a number, not null.'],
			['PUT', '/settings', { prices: { domestic: 1 } }, 'prices.international is missing.'],
			[
				'PUT',
				'/settings',
				{ prices: { domestic: 1, international: 1, x: 1 } },
				'Unknown fields: prices.x',
			],
			['PUT', '/settings', { shuffleBulk: 1 }, 'shuffleBulk must be true or false, not 1.'],
			[
				'PUT',
				'/settings',
				{ strictFlags: 'some' },
				'strictFlags must be one of none, test, all, not "some".',
			],
			[
				'PUT',
				'/settings',
				{ defaultReceiptUrl: 'ftp://x' },
				'defaultReceiptUrl must be empty or a URL such as http://localhost:5678/webhook/sms, not "ftp://x".',
			],
			['PUT', '/settings', [], 'The body must be an object, not [].'],
			[
				'POST',
				'/faults',
				[{ effect: 'cut' }, { effect: { status: 500 }, count: -1 }],
				'[1].count must be a number from 0, not -1.',
			],
			[
				'POST',
				'/faults',
				[{ effect: 'cut' }, { effect: { slowMs: 'x' } }],
				'[1].effect.slowMs must be a number, not "x".',
			],
			['POST', '/reset', { balance: 1 }, 'Unknown fields: balance'],
			['POST', '/clear', { messages: true }, 'Unknown fields: messages'],
			['POST', '/faults', { effect: 'cut', chance: 1 }, 'Unknown fields: chance'],
			[
				'POST',
				'/faults',
				{ effect: { status: 99 } },
				'effect.status must be a number from 200, not 99.',
			],
			['POST', '/faults', {}, 'effect is missing.'],
			['POST', '/faults', 5, 'The body must be a fault rule or a list of them, not 5.'],
			['PUT', '/settings', { successStatus: 'x' }, 'must be a status from 200 to 299, or one'],
			['POST', '/advance', { ms: '5' }, 'ms must be a number, not "5".'],
			['POST', '/advance', {}, 'ms is missing.'],
			['POST', '/advance', { ms: 1e300 }, 'ms must be a number that leaves the clock between 1970'],
			['POST', '/advance', { ms: -1e13 }, 'ms must be a number that leaves the clock between 1970'],
			[
				'PUT',
				'/settings',
				{ latencyMs: 1e10 },
				'latencyMs must be a number up to 2147483647, not 10000000000.',
			],
			[
				'POST',
				'/faults',
				{ effect: { status: 429, headers: { 'Retry After': '1' } } },
				'must be a name of a header',
			],
			[
				'POST',
				'/faults',
				{ effect: { status: 429, headers: { 'Retry-After': '1\r\nX: 1' } } },
				'effect.headers.Retry-After must be a text that a header can have',
			],
			[
				'POST',
				'/faults',
				{ effect: { redirect: { location: 'http://a\n' } } },
				'effect.redirect.location must be a text that a header can have',
			],
			[
				'POST',
				'/faults',
				{ effect: { status: 101 } },
				'effect.status must be a number from 200, not 101.',
			],
			['POST', '/mails', { from: '', to: '', subject: '', text: '' }, 'to must be a text'],
			[
				'POST',
				'/mails',
				{ from: '', to: 'a', subject: '', text: '', htm: '' },
				'Unknown fields: htm',
			],
			[
				'POST',
				'/mails',
				{ from: '', to: `${'a'.repeat(243)}@example.com`, subject: '', text: '' },
				'to must be addresses of at most 254 characters, not "aaa',
			],
			['POST', '/seed', { count: 1.5 }, 'count must be a whole number, not 1.5.'],
			['POST', '/seed', { count: 1, message: { to: 5 } }, 'message.to must be a text, not 5.'],
			[
				'POST',
				'/messages/x/status',
				{ status: '' },
				'status must be a text that is not empty, not "".',
			],
			['POST', '/decrypt', { message: 'x', encryptKey: 'y' }, 'The message cannot be decrypted'],
			[
				'GET',
				'/messages?newest=few',
				undefined,
				'newest must be a whole number from 0, not "few".',
			],
			['GET', '/messages?form=x', undefined, 'Unknown query parameters: form'],
			['GET', '/messages?to=1&to=2', undefined, 'The query parameter to is repeated.'],
			['GET', '/stats?newest=1', undefined, 'Unknown query parameters: newest'],
			['GET', '/codes/latest?wait=10', undefined, 'wait must be a duration such as 10s or 500ms'],
			['GET', '/codes/latest?wait=301s', undefined, 'of 300s at most'],
		])('%s %s with %j is a 400 that says why', async (method, path, body, words) => {
			const { status, data } = await control(sandbox, method, path, body);
			expect([status, data.status]).toEqual([400, 400]);
			expect(data.message).toContain(words);
			expect((await send(sandbox)).status).toBe(201);
		});

		test.each([
			['POST', '/messages/none/status', { status: 'Failed' }],
			['POST', '/messages/none/receipt', {}],
			['POST', '/codes/1/expire', {}],
			['GET', '/codes/latest', undefined],
			['GET', '/messages/latest?to=09779123456', undefined],
		])('%s %s is a 404 while it is not there', async (method, path, body) => {
			expect((await control(sandbox, method, path, body)).status).toBe(404);
		});

		test.each([
			['{', 'The body must be JSON.'],
			['', 'The body is missing.'],
		])('the body "%s" is a 400 that says why', async (body, message) => {
			const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
			const answer = await fetch(`${sandbox.url}/_sandbox/api/advance`, init);
			expect([answer.status, await answer.json()]).toMatchObject([400, { message }]);
		});

		test('a wrong value is rejected in this process too', async () => {
			expect(() => sandbox.configure({ pase: 1 } as never)).toThrow('Unknown settings: pase');
			await expect(startSandbox({ pace: '0' as never })).rejects.toThrow(/pace must be a number/);
		});
	});

	describe('returns the newest message or code', () => {
		test.each([
			'09779123456',
			'959779123456',
			'+959 779-123-456',
			'09 779 123 456',
			'00959779123456',
		])('to %s, however the number is written', async (to) => {
			await requestCode(sandbox, { to: '+959779123456' });
			await requestCode(sandbox, { to: '09254123456' });
			const { data } = await control(sandbox, 'GET', `/codes/latest?to=${encodeURIComponent(to)}`);
			expect(data).toMatchObject({
				to: '959779123456',
				code: sandbox.codes()[0]!.code,
				state: 'valid',
			});
		});

		test('to an email address, in upper or lower case', async () => {
			await requestCode(sandbox, { to: 'Thida@example.com' });
			const { data } = await control(sandbox, 'GET', '/codes/latest?to=thida%40EXAMPLE.com');
			expect(data.to).toBe('Thida@example.com');
		});

		test('as soon as it is there, when told to wait', async () => {
			const start = performance.now();
			const waiting = control(sandbox, 'GET', '/codes/latest?to=09779123456&wait=10s');
			await new Promise((resolve) => setTimeout(resolve, 200));
			await requestCode(sandbox, { to: '09254123456' });
			await requestCode(sandbox, { to: '09779123456' });
			const { status, data } = await waiting;
			expect([status, data.to]).toEqual([200, '959779123456']);
			expect(performance.now() - start).toBeLessThan(9_000);
		});

		test('or a 404 when the time is up', async () => {
			const start = performance.now();
			const { status, data } = await control(sandbox, 'GET', '/messages/latest?wait=300ms');
			expect([status, data.message]).toEqual([404, 'There is no message after 300 ms.']);
			expect(performance.now() - start).toBeGreaterThan(290);
		});

		test('after a mark only', async () => {
			await send(sandbox, { message: 'old' });
			const { mark } = (await control(sandbox, 'GET', '/mark')).data;
			const after = `/messages/latest?to=09779123456&since=${mark}`;
			expect((await control(sandbox, 'GET', after)).status).toBe(404);
			const waiting = control(sandbox, 'GET', `${after}&wait=5s`);
			await send(sandbox, { message: 'new' });
			const { data } = await waiting;
			expect([data.message, data.mark]).toEqual(['new', mark + 1]);
		});

		test('in this process too', async () => {
			const waiting = sandbox.latestCode({ to: '09779123456', waitMs: 5000 });
			await requestCode(sandbox, { to: '09779123456' });
			expect(await waiting).toEqual(sandbox.codes()[0]);
			const since = sandbox.mark();
			expect(await sandbox.latestCode({ since })).toBeUndefined();
			expect(await sandbox.latestMessage({ waitMs: 20 })).toBeUndefined();
		});

		test('and stops waiting on a reset', async () => {
			const waiting = sandbox.latestCode({ waitMs: 60_000 });
			sandbox.reset();
			expect(await waiting).toBeUndefined();
		});
	});

	test('lists can be filtered by recipient', async () => {
		await send(sandbox, { to: '09779123456' });
		await send(sandbox, { to: '09254123456' });
		await requestCode(sandbox, { to: '09779123456' });
		const to = '?to=%2B959%20779%20123%20456';
		const lengths = ['/messages', '/codes', '/requests'].map(
			async (path) => (await control(sandbox, 'GET', `${path}${to}`)).data.length as number,
		);
		expect(await Promise.all(lengths)).toEqual([1, 1, 2]);
	});

	test('a code can be let expire, and everything sent be cleared away', async () => {
		const { data } = await requestCode(sandbox, { to: '09779123456' });
		await send(sandbox);
		await control(sandbox, 'POST', `/codes/${data.requestId}/expire`);
		expect(sandbox.codes()[0]!.state).toBe('expired');
		sandbox.configure({ currency: 'USD' });
		const { balance } = sandbox.balance();
		await control(sandbox, 'POST', '/clear');
		expect([sandbox.messages(), sandbox.codes(), sandbox.requests()]).toEqual([[], [], []]);
		expect(sandbox.balance()).toEqual({ balance, currency: 'USD' });
	});

	test('describes itself: every path, with what it accepts', async () => {
		const { data } = await control(sandbox, 'GET', '/openapi.json');
		expect(data.openapi).toBe('3.1.0');
		const { put } = data.paths['/settings'];
		const { schema } = put.requestBody.content['application/json'];
		expect(schema.properties.latencyMs.description).toMatch(/^Each response takes this long/);
		for (const setting of Object.values(schema.properties)) {
			expect(setting).toHaveProperty('description');
		}
		expect(
			data.paths['/codes/latest'].get.parameters.map((one: { name: string }) => one.name),
		).toEqual(['to', 'since', 'wait']);
	});
});
