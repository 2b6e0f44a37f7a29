import { setTimeout as sleep } from 'node:timers/promises';

import { startSandbox } from '../../../sandbox';
import { callSandbox, control, list, send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('the control of the sandbox', () => {
	const sandbox = useSandbox({ methods: 'any', balance: 500 });

	test('logs each request as it came', async () => {
		await send(sandbox, { message: 'မင်္ဂလာပါ' });
		const query = { to: 'a+b@example.com', brand: 'ü', from: 'x' };
		await callSandbox(sandbox, { method: 'POST', path: '/otp/request', query });
		const [first, second] = sandbox.requests();
		expect(first).toMatchObject({
			method: 'POST',
			surface: 'rest',
			path: '/api/rest/send',
			body: { to: '09779123456', message: 'မင်္ဂလာပါ', from: 'Shop' },
			ipAddress: '127.0.0.1',
			statusAnswered: 201,
		});
		expect(first!.headers.authorization).toBe(`Bearer ${sandbox.token}`);
		expect(second).toMatchObject({ surface: 'otp', body: '', query });
		expect(second!.rawQuery).toContain('to=a%2Bb%40example.com');
		expect(second!.headers['content-length']).toBe('0');
	});

	test('has what users need, and nothing that only the sandbox itself needs', () => {
		const internal = ['inTurns', 'internal', 'keepingProblem', 'lists', 'loadSeed', 'process'];
		expect(internal.filter((name) => name in sandbox)).toEqual([]);
	});

	test('keeps only the newest requests', async () => {
		sandbox.configure({ maxRequestsKept: 50 });
		for (let i = 0; i < 300; i++) await list(sandbox, { page: String(i + 1) });
		const requests = sandbox.requests();
		expect(requests.length).toBeLessThanOrEqual(150);
		expect(requests.at(-1)!.query.page).toBe('300');
		expect(sandbox.stats().requests).toBe(300);
	});

	test('counts requests and the peak in flight per path', async () => {
		sandbox.configure({ latencyMs: 50 });
		await send(sandbox);
		await Promise.all([send(sandbox), send(sandbox), send(sandbox), list(sandbox)]);
		expect(sandbox.stats()).toEqual({
			requests: 5,
			peakInFlight: 4,
			byPath: {
				'/api/rest/send': { requests: 4, peakInFlight: 3 },
				'/api/rest/messages': { requests: 1, peakInFlight: 1 },
			},
		});
	});

	test('counts paths that the service does not have together', async () => {
		for (let page = 0; page < 30; page += 1) {
			await callSandbox(sandbox, { method: 'GET', path: `/rest/messages/${page}` });
		}
		await list(sandbox);
		expect(sandbox.stats().byPath).toEqual({
			other: { requests: 30, peakInFlight: 1 },
			'/api/rest/messages': { requests: 1, peakInFlight: 1 },
		});
	});

	test('keeps fewer requests when their headers are long', async () => {
		const headers = { 'X-Long': 'x'.repeat(14_000) };
		const call = { method: 'GET', path: '/rest/account/get-balance', headers };
		for (let i = 0; i < 1_300; i += 1) await callSandbox(sandbox, call);
		expect(sandbox.requests().length).toBeLessThan(1_150);
		expect(sandbox.requests().at(-1)!.number).toBe(1_300);
	}, 60_000);

	test('one request after the other never counts as two in flight', async () => {
		for (let i = 0; i < 100; i++) await list(sandbox);
		expect(sandbox.stats().peakInFlight).toBe(1);
	});

	test('a response takes the set latency', async () => {
		sandbox.configure({ latencyMs: 80, latencyJitterMs: 20 });
		const start = performance.now();
		await list(sandbox);
		expect(performance.now() - start).toBeGreaterThan(78);
	});

	test('acts when half of the latency is over', async () => {
		sandbox.configure({ latencyMs: 1000 });
		const start = performance.now();
		const sending = send(sandbox);
		while (sandbox.messages().length === 0) await sleep(5);
		const actedAfter = performance.now() - start;
		await sending;
		const answeredAfter = performance.now() - start;
		expect(actedAfter).toBeGreaterThan(490);
		expect(answeredAfter - actedAfter).toBeGreaterThan(300);
		expect(answeredAfter).toBeGreaterThan(990);
	});

	test('accepts 1,400 requests at once', async () => {
		sandbox.configure({ latencyMs: 300, balance: 1_000_000 });
		const answers = await Promise.all(Array.from({ length: 1400 }, () => send(sandbox)));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1400);
		expect(sandbox.stats().byPath['/api/rest/send']!.requests).toBe(1400);
	}, 60_000);

	test('reset empties everything and puts the settings back', async () => {
		sandbox.configure({ successStatus: 200, balance: 1 });
		sandbox.addFault({ effect: 'echo' });
		await send(sandbox);
		sandbox.advance(1000);
		sandbox.reset();
		expect([sandbox.messages(), sandbox.requests(), sandbox.receipts(), sandbox.codes()]).toEqual([
			[],
			[],
			[],
			[],
		]);
		expect(sandbox.stats()).toEqual({ requests: 0, peakInFlight: 0, byPath: {} });
		expect(sandbox.balance()).toEqual({ balance: 500, currency: 'MMK' });
		expect((await send(sandbox)).status).toBe(201);
	});

	describe('over HTTP', () => {
		test.each(['/messages', '/codes', '/requests', '/receipts'])('%s is a list', async (path) => {
			expect((await control(sandbox, 'GET', path)).data).toEqual([]);
		});

		test('lists can be cut to the newest', async () => {
			sandbox.seedMessages(10);
			const { data } = await control(sandbox, 'GET', '/messages?newest=2');
			expect(data.map(({ message }: { message: string }) => message)).toEqual([
				'Seeded message 9',
				'Seeded message 10',
			]);
		});

		test('settings can be read, without secrets, and changed', async () => {
			const changed = await control(sandbox, 'PUT', '/settings', {
				successStatus: 200,
				balance: 7,
			});
			expect(changed.data).toMatchObject({ successStatus: 200, pace: 0 });
			expect(JSON.stringify(changed.data)).not.toContain(sandbox.apiSecret);
			expect((await control(sandbox, 'GET', '/balance')).data.balance).toBe(7);
			const unknown = await control(sandbox, 'PUT', '/settings', { sucessStatus: 200 });
			expect([unknown.status, unknown.data.message]).toEqual([
				400,
				'Unknown settings: sucessStatus',
			]);
		});

		test('seeding, advancing, stats and reset work', async () => {
			const seed = { count: 3, message: { from: 'Bank' } };
			expect((await control(sandbox, 'POST', '/seed', seed)).status).toBe(201);
			await send(sandbox);
			await control(sandbox, 'POST', '/advance', { ms: 10_000 });
			const { data: messages } = await control(sandbox, 'GET', '/messages');
			expect(messages.map(({ from }: { from: string }) => from)).toEqual([
				'Bank',
				'Bank',
				'Bank',
				'Shop',
			]);
			expect(messages[3].status).toBe('Delivered');
			expect((await control(sandbox, 'GET', '/stats')).data.requests).toBe(1);
			await control(sandbox, 'POST', '/reset');
			expect((await control(sandbox, 'GET', '/messages')).data).toEqual([]);
		});

		test('an option of startSandbox that is none is rejected', async () => {
			const start = startSandbox({ pase: 0 } as object);
			await expect(start).rejects.toThrow('Unknown options: pase');
		});

		test('wrong input and unknown paths get a clear response', async () => {
			expect((await control(sandbox, 'POST', '/advance', {})).status).toBe(400);
			expect((await control(sandbox, 'POST', '/advance', '{')).status).toBe(400);
			const { status, data } = await control(sandbox, 'GET', '/nothing');
			expect(status).toBe(404);
			expect(data.message).toContain('The sandbox has no path /_sandbox/api/nothing.');
		});
	});
});
