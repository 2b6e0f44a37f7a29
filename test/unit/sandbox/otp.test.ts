import { httpClient } from '../../../scripts/http';
import { callSandbox } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

describe('one-time codes', () => {
	const sandbox = useSandbox({ methods: 'any' });

	const request = (query: Record<string, string> = {}) =>
		callSandbox(sandbox, {
			method: 'POST',
			path: '/otp/request',
			query: { to: '09779123456', brand: 'Shop', from: 'Shop', ...query },
		});
	const verify = (requestId: unknown, code: string) =>
		callSandbox(sandbox, {
			method: 'POST',
			path: '/otp/verify',
			query: { requestId: String(requestId), code },
		});
	const INVALID = { name: 'Bad Request', message: 'Invalid request!.', code: 0, status: 400 };

	test('a code has the wanted length, lifetime and text', async () => {
		const { data } = await request({
			ttl: '60',
			pinLength: '8',
			template: '<b>{code}</b> for {brand}, {code}',
		});
		const [otp] = sandbox.codes();
		expect(otp!.code).toMatch(/^\d{8}$/);
		expect(otp!.message).toBe(`<b>${otp!.code}</b> for Shop, ${otp!.code}`);
		expect(Date.parse(`${data.expireAt}Z`) - Date.parse(`${data.createdAt}Z`)).toBe(60_000);
		expect(data.requestId).toBeGreaterThanOrEqual(100_000_000);
	});

	test('without options a code has 6 digits, 300 seconds and 5 invalid attempts', async () => {
		await request();
		const [otp] = sandbox.codes();
		expect(otp!.code).toHaveLength(6);
		expect(otp!.maxInvalidAttempts).toBe(5);
		expect(Date.parse(`${otp!.expireAt}Z`) - Date.parse(`${otp!.createdAt}Z`)).toBe(300_000);
	});

	test.each([
		{ to: '' },
		{ to: '12345' },
		{ to: 'a@b' },
		{ to: 'a b@example.com' },
		{ to: `${'a'.repeat(243)}@example.com` },
		{ brand: '' },
		{ from: '' },
		{ ttl: '59' },
		{ ttl: '3601' },
		{ ttl: '60.5' },
		{ ttl: 'x' },
		{ pinLength: '3' },
		{ pinLength: '9' },
		{ maxInvalidAttempts: '0' },
		{ maxInvalidAttempts: '11' },
		{ template: 'no placeholder' },
	])('%j is rejected', async (query) => {
		const { status, data } = await request(query as unknown as Record<string, string>);
		expect([status, data]).toEqual([
			400,
			{ name: 'Bad Request', message: 'missing or invalid parameters', code: 0, status: 400 },
		]);
		expect(sandbox.codes()).toEqual([]);
		expect(sandbox.requests()[0]!.reason).toMatch(/^(To|Brand|From|Ttl|Pin|Max|Template)/);
	});

	test.each([
		{ to: `${'a'.repeat(242)}@example.com` },
		{ ttl: '60' },
		{ ttl: '3600' },
		{ pinLength: '4' },
		{ pinLength: '8' },
		{ maxInvalidAttempts: '1' },
		{ maxInvalidAttempts: '10' },
	])('%j is accepted', async (query) => {
		expect((await request(query as unknown as Record<string, string>)).status).toBe(201);
	});

	test('the right code verifies once', async () => {
		const { data } = await request();
		const { code } = sandbox.codes()[0]!;
		const first = await verify(data.requestId, code);
		const second = await verify(data.requestId, code);
		expect(first.status).toBe(201);
		expect(first.data).toMatchObject({ request_id: data.requestId, to: '959779123456' });
		expect([second.status, second.data]).toEqual([400, INVALID]);
		expect(sandbox.codes()[0]!.state).toBe('verified');
	});

	test('a code of another request does not verify', async () => {
		const first = await request();
		await request();
		const [, other] = sandbox.codes();
		sandbox.codes().forEach(({ code }) => expect(code).toHaveLength(6));
		const wrong = other!.code === sandbox.codes()[0]!.code ? 'x' : other!.code;
		expect((await verify(first.data.requestId, wrong)).status).toBe(400);
	});

	test('an expired code does not verify', async () => {
		const { data } = await request({ ttl: '60' });
		const { code } = sandbox.codes()[0]!;
		sandbox.advance(60_000);
		const { status, data: body } = await verify(data.requestId, code);
		expect([status, body]).toEqual([400, INVALID]);
		expect(sandbox.codes()[0]!.state).toBe('expired');
	});

	test.each([
		[1, 1, 201],
		[1, 2, 400],
		[3, 3, 201],
		[3, 4, 400],
	])(
		'with at most %i invalid attempts, the right code after %i wrong ones gets %i',
		async (maxInvalidAttempts, wrongOnes, status) => {
			const { data } = await request({ maxInvalidAttempts: String(maxInvalidAttempts) });
			for (let i = 0; i < wrongOnes; i++) await verify(data.requestId, 'wrong');
			const { code } = sandbox.codes()[0]!;
			expect((await verify(data.requestId, code)).status).toBe(status);
			expect(sandbox.codes()[0]!.state).toBe(status === 201 ? 'verified' : 'blocked');
		},
	);

	const MISSING = { ...INVALID, message: 'missing or invalid parameters' };

	test.each<Record<string, string>>([{}, { code: '' }])(
		'a verification with the code %j uses up no attempt',
		async (given) => {
			const { data } = await request({ maxInvalidAttempts: '1' });
			const query = { requestId: String(data.requestId), ...given };
			for (let i = 0; i < 3; i++) {
				const rejected = await callSandbox(sandbox, { method: 'POST', path: '/otp/verify', query });
				expect([rejected.status, rejected.data]).toEqual([400, MISSING]);
			}
			expect(sandbox.codes()[0]).toMatchObject({ invalidAttempts: 0, state: 'valid' });
			expect(sandbox.requests().at(-1)!.reason).toBe('Code cannot be blank.');
		},
	);

	test.each<Record<string, string>>([{}, { requestId: '' }])(
		'a verification of %j names no request',
		async (given) => {
			const query = { ...given, code: '123456' };
			const { status, data } = await callSandbox(sandbox, {
				...{ method: 'POST', path: '/otp/verify', query },
			});
			expect([status, data]).toEqual([400, MISSING]);
		},
	);

	test.each(['0', '123', '999999999', '999999999999', 'NaN', '1e9', '__proto__'])(
		'a request id of %p is an invalid request',
		async (requestId) => {
			const { status, data } = await verify(requestId, '123456');
			expect([status, data]).toEqual([400, INVALID]);
		},
	);

	test('request IDs can be above 2^53, as digits in JSON', async () => {
		sandbox.configure({ largeRequestIds: true });
		const answerAsText = { transformResponse: (text: string) => text };
		const query = { accessToken: sandbox.token, to: '09779123456', brand: 'B', from: 'B' };
		const post = (path: string, params: Record<string, string>) =>
			httpClient.post<string>(`${sandbox.baseUrl}${path}`, undefined, {
				...answerAsText,
				params,
			});
		const requested = await post('/otp/request', query);
		const [, requestId = ''] = /"requestId":([1-9]\d{17}),/.exec(requested.data)!;
		expect(String(Number(requestId))).not.toBe(requestId);
		const { code, requestId: kept } = sandbox.codes()[0]!;
		expect(kept).toBe(requestId);
		const verified = await post('/otp/verify', {
			accessToken: sandbox.token,
			requestId,
			code,
		});
		expect(verified.data).toContain(`{"request_id":${requestId},`);
	});

	test('a code by email is among the mails, too', async () => {
		const mark = sandbox.mark();
		const waiting = sandbox.latestMail({ to: 'Thida@example.com', since: mark, waitMs: 5_000 });
		await request({ to: 'Thida@example.com', template: '<b>{code}</b> for {brand}' });
		const [otp] = sandbox.codes();
		const mail = {
			...{ from: 'Shop', to: 'Thida@example.com', subject: 'Shop', requestId: otp!.requestId },
			...{ text: `${otp!.code} for Shop`, html: `<b>${otp!.code}</b> for Shop` },
		};
		expect(await waiting).toMatchObject(mail);
		await request();
		expect(sandbox.mails()).toEqual([expect.objectContaining(mail)]);
	});

	test('a code by SMS is charged, one by email is not', async () => {
		sandbox.configure({ balance: 100 });
		await request();
		await request({ to: 'thida@example.com' });
		expect(sandbox.balance().balance).toBe(80);
	});

	test.each([
		['without balance', { balance: 0 }, {}],
		['with an unknown sender ID', { knownSenders: ['Bank'] }, {}],
		['to a number that is refused', {}, { to: '09000000011' }],
		['to an address that is refused', {}, { to: 'refused@example.com' }],
	])('%s no code is sent', async (_case, settings, query) => {
		sandbox.configure(settings);
		const { status, data } = await request(query as unknown as Record<string, string>);
		expect(status).toBe(400);
		expect(data.message).toMatch(/^We were unable to send your OTP\. /);
		expect(sandbox.codes()).toEqual([]);
	});
});
