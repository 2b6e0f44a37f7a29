import { sleep, useSandbox, useStarts } from '../../support/sandbox/harness';

describe('a running sandbox', () => {
	const sandbox = useSandbox({ balance: 500 });
	const start = useStarts();

	test('logs each request as it came', async () => {
		await sandbox.send({ message: 'မင်္ဂလာပါ' });
		const query = { to: 'a+b@example.com', brand: 'ü', from: 'x' };
		const headers = { 'X-Long': 'x'.repeat(1_000) };
		await sandbox.call({ method: 'POST', path: '/otp/request', query, headers });
		const [first, second] = sandbox.requests();
		expect(first).toMatchObject({
			...{ method: 'POST', surface: 'rest', path: '/api/rest/send', ipAddress: '127.0.0.1' },
			body: { to: '09779123456', message: 'မင်္ဂလာပါ', from: 'Shop' },
			statusAnswered: 201,
		});
		expect(first!.headers.authorization).toBe(`Bearer ${sandbox.token}`);
		expect(second).toMatchObject({ surface: 'otp', body: '', query });
		expect(second!.rawQuery).toContain('to=a%2Bb%40example.com');
		expect(second!.headers['content-length']).toBe('0');
		// Long headers count too: the log is limited by its bytes.
		expect(second!.bytes).toBeGreaterThan(1_000 + second!.rawQuery.length);
	});

	test('has what users need, and nothing that only the sandbox itself needs', () => {
		const internal = ['inTurns', 'internal', 'keepingProblem', 'lists', 'loadSeed', 'process'];
		expect(internal.filter((name) => name in sandbox)).toEqual([]);
	});

	test('keeps only the newest requests, counts all, and never two for one after the other', async () => {
		sandbox.configure({ maxRequestsKept: 50 });
		for (let i = 0; i < 300; i++) await sandbox.list({ page: String(i + 1) });
		const requests = sandbox.requests();
		expect(requests.length).toBeLessThanOrEqual(150);
		expect(requests.at(-1)!.query.page).toBe('300');
		expect(sandbox.stats()).toMatchObject({ requests: 300, peakInFlight: 1 });
	});

	test('counts requests and the peak in flight per path; unknown paths are one', async () => {
		sandbox.configure({ latencyMs: 50 });
		await sandbox.send();
		await Promise.all([sandbox.send(), sandbox.send(), sandbox.send(), sandbox.list()]);
		for (const page of [1, 2, 3]) {
			await sandbox.call({ method: 'GET', path: `/rest/messages/${page}` });
		}
		expect(sandbox.stats()).toEqual({
			...{ requests: 8, peakInFlight: 4 },
			byPath: {
				'/api/rest/send': { requests: 4, peakInFlight: 3 },
				'/api/rest/messages': { requests: 1, peakInFlight: 1 },
				other: { requests: 3, peakInFlight: 1 },
			},
		});
	});

	test('responds after the set latency, and acts when half of it is over', async () => {
		sandbox.configure({ latencyMs: 1000, latencyJitterMs: 20 });
		const begun = performance.now();
		const sending = sandbox.send();
		while (sandbox.messages().length === 0) await sleep(5);
		const actedAfter = performance.now() - begun;
		await sending;
		const answeredAfter = performance.now() - begun;
		expect(actedAfter).toBeGreaterThan(490);
		expect(answeredAfter - actedAfter).toBeGreaterThan(300);
		expect(answeredAfter).toBeGreaterThan(990);
	});

	test('accepts 700 requests at once', async () => {
		sandbox.configure({ latencyMs: 300, balance: 1_000_000 });
		const answers = await Promise.all(Array.from({ length: 700 }, () => sandbox.send()));
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
		expect(sandbox.messages()).toHaveLength(700);
		expect(sandbox.stats().byPath['/api/rest/send']!.requests).toBe(700);
	});

	test('is emptied by a reset, which puts the settings back', async () => {
		sandbox.configure({ successStatus: 200, balance: 1 });
		sandbox.addFault({ effect: 'echo' });
		await sandbox.send();
		sandbox.advance(1000);
		sandbox.reset();
		const lists = [sandbox.messages(), sandbox.requests(), sandbox.receipts(), sandbox.codes()];
		expect(lists.flat()).toEqual([]);
		expect(sandbox.stats()).toEqual({ requests: 0, peakInFlight: 0, byPath: {} });
		expect(sandbox.balance()).toEqual({ balance: 500, currency: 'MMK' });
		expect((await sandbox.send()).status).toBe(201);
	});

	test('is emptied by a clear, which leaves settings and balance', async () => {
		await sandbox.requestCode();
		await sandbox.send();
		sandbox.configure({ currency: 'USD' });
		const { balance } = sandbox.balance();
		sandbox.clear();
		expect([sandbox.messages(), sandbox.codes(), sandbox.requests()].flat()).toEqual([]);
		expect(sandbox.balance()).toEqual({ balance, currency: 'USD' });
	});

	test('rejects wrong settings, and does not start with wrong options', async () => {
		expect(() => sandbox.configure({ pase: 1 } as never)).toThrow('Unknown settings: pase');
		await expect(start({ pace: '0' as never })).rejects.toThrow(/pace must be a number/);
		await expect(start({ pase: 0 } as never)).rejects.toThrow('Unknown options: pase');
	});
});
