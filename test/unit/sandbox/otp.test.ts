import { httpClient } from '../../../scripts/http';
import { useSandbox } from '../../support/sandbox/harness';

type Query = Record<string, string>;

const invalid = { name: 'Bad Request', message: 'Invalid request!.', code: 0, status: 400 };
const missing = { ...invalid, message: 'missing or invalid parameters' };
const longest = `${'a'.repeat(242)}@example.com`;

describe('one-time codes', () => {
	const sandbox = useSandbox();

	/** A code that was issued, as the sandbox keeps it. */
	const issue = async (query: Query = {}) => {
		await sandbox.requestCode(query);
		return sandbox.codes().at(-1)!;
	};
	const verify = async (requestId: unknown, code: string) =>
		(await sandbox.verifyCode({ requestId: String(requestId), code })).data;
	const lifetime = ({ createdAt, expireAt }: { createdAt: string; expireAt: string }) =>
		Date.parse(`${expireAt}Z`) - Date.parse(`${createdAt}Z`);

	test('a code has the wanted length, lifetime and text', async () => {
		const template = '<b>{code}</b> for {brand}, {code}';
		const { data } = await sandbox.requestCode({ ttl: '60', pinLength: '8', template });
		const [otp] = sandbox.codes();
		expect(otp!.code).toMatch(/^\d{8}$/);
		expect(otp!.message).toBe(`<b>${otp!.code}</b> for Shop, ${otp!.code}`);
		expect(lifetime(data)).toBe(60_000);
		expect(data.requestId).toBeGreaterThanOrEqual(100_000_000);
	});

	test('without options a code has 6 digits, 300 seconds and 5 invalid attempts', async () => {
		const otp = await issue();
		expect([otp.code.length, otp.maxInvalidAttempts, lifetime(otp)]).toEqual([6, 5, 300_000]);
	});

	test.each<Query>([
		...[{ to: '' }, { to: '12345' }, { to: 'a@b' }, { to: 'a b@example.com' }],
		...[{ to: `a${longest}` }, { brand: '' }, { from: '' }, { template: 'no placeholder' }],
		...[{ ttl: '59' }, { ttl: '3601' }, { ttl: '60.5' }, { ttl: 'x' }, { pinLength: '3' }],
		...[{ pinLength: '9' }, { maxInvalidAttempts: '0' }, { maxInvalidAttempts: '11' }],
	])('%j is rejected', async (query) => {
		expect((await sandbox.requestCode(query)).data).toEqual(missing);
		expect(sandbox.codes()).toEqual([]);
		expect(sandbox.requests()[0]!.reason).toMatch(/^(To|Brand|From|Ttl|Pin|Max|Template)/);
	});

	test('an address of 254 characters is accepted', async () => {
		expect((await sandbox.requestCode({ to: longest })).status).toBe(201);
	});

	test('the right code verifies once, and that of another request does not', async () => {
		const { requestId, code } = await issue();
		const { code: other } = await issue();
		expect(await verify(requestId, other === code ? 'x' : other)).toEqual(invalid);
		const verified = { request_id: requestId, to: '959779123456' };
		expect(await verify(requestId, code)).toMatchObject(verified);
		expect(await verify(requestId, code)).toEqual(invalid);
		expect(sandbox.codes()[0]!.state).toBe('verified');
	});

	test('an expired code does not verify', async () => {
		const { requestId, code } = await issue({ ttl: '60' });
		sandbox.advance(60_000);
		expect(await verify(requestId, code)).toEqual(invalid);
		expect(sandbox.codes()[0]!.state).toBe('expired');
	});

	test.each([
		[1, 1, 'verified'],
		[1, 2, 'blocked'],
		[3, 3, 'verified'],
		[3, 4, 'blocked'],
	])(
		'with at most %i invalid attempts, the right code after %i wrong ones is %s',
		async (maxInvalidAttempts, wrongOnes, state) => {
			const otp = await issue({ maxInvalidAttempts: String(maxInvalidAttempts) });
			for (let i = 0; i < wrongOnes; i++) await verify(otp.requestId, 'wrong');
			const { status = 201 } = (await verify(otp.requestId, otp.code)) as { status?: number };
			expect([status, sandbox.codes()[0]!.state]).toEqual([
				state === 'verified' ? 201 : 400,
				state,
			]);
		},
	);

	test.each<Query>([{}, { code: '' }])(
		'a verification with the code %j uses up no attempt',
		async (given) => {
			const { requestId } = await issue({ maxInvalidAttempts: '1' });
			for (let i = 0; i < 3; i++) {
				const query = { requestId: String(requestId), ...given };
				expect((await sandbox.verifyCode(query)).data).toEqual(missing);
			}
			expect(sandbox.codes()[0]).toMatchObject({ invalidAttempts: 0, state: 'valid' });
			expect(sandbox.requests().at(-1)!.reason).toBe('Code cannot be blank.');
		},
	);

	test.each<[Query, object]>([
		[{}, missing],
		[{ requestId: '' }, missing],
		...['0', '123', '999999999', '999999999999', 'NaN', '1e9', '__proto__'].map(
			(requestId): [Query, object] => [{ requestId }, invalid],
		),
	])('a verification of %j names no request', async (given, error) => {
		expect((await sandbox.verifyCode({ ...given, code: '123456' })).data).toEqual(error);
	});

	test('request IDs can be above 2^53, as digits in JSON', async () => {
		sandbox.configure({ largeRequestIds: true });
		const post = (path: string, query: Query) =>
			httpClient.post<string>(`${sandbox.baseUrl}${path}`, undefined, {
				transformResponse: (text: string) => text,
				params: { accessToken: sandbox.token, ...query },
			});
		const { data } = await post('/otp/request', { to: '09779123456', brand: 'B', from: 'B' });
		const [, requestId = ''] = /"requestId":([1-9]\d{17}),/.exec(data)!;
		expect(String(Number(requestId))).not.toBe(requestId);
		const { code, requestId: kept } = sandbox.codes()[0]!;
		expect(kept).toBe(requestId);
		const verified = await post('/otp/verify', { requestId, code });
		expect(verified.data).toContain(`{"request_id":${requestId},`);
	});

	test('a code by email is among the mails, too', async () => {
		const to = 'Thida@example.com';
		const waiting = sandbox.latestMail({ to, since: sandbox.mark(), waitMs: 5_000 });
		const { code, requestId } = await issue({ to, template: '<b>{code}</b> for {brand}' });
		const mail = {
			...{ from: 'Shop', to, subject: 'Shop', requestId },
			...{ text: `${code} for Shop`, html: `<b>${code}</b> for Shop` },
		};
		expect(await waiting).toMatchObject(mail);
		await issue();
		expect(sandbox.mails()).toEqual([expect.objectContaining(mail)]);
	});

	test('a code by SMS is charged, one by email is not', async () => {
		sandbox.configure({ balance: 100 });
		await issue();
		await issue({ to: 'thida@example.com' });
		expect(sandbox.balance().balance).toBe(80);
	});

	test.each<[string, object, Query]>([
		['without balance', { balance: 0 }, {}],
		['with an unknown sender ID', { knownSenders: ['Bank'] }, {}],
		['to a number that is refused', {}, { to: '09000000011' }],
		['to an address that is refused', {}, { to: 'refused@example.com' }],
	])('%s no code is sent', async (_case, settings, query) => {
		sandbox.configure(settings);
		const { status, data } = await sandbox.requestCode(query);
		expect(status).toBe(400);
		expect(data.message).toMatch(/^We were unable to send your OTP\. /);
		expect(sandbox.codes()).toEqual([]);
	});
});
