import { type Call, callRaw, useSandbox } from '../../support/sandbox/harness';

/** Its token holds +, / and =. */
const hardKey = { apiKey: '~~?>>kéy', apiSecret: 'se:cret>>>???ü' };

const surfaces: Call[] = [
	{ method: 'GET', path: '/rest/account/get-balance' },
	{ method: 'POST', path: '/otp/request', query: { to: 'a@example.com', brand: 'B', from: 'B' } },
	{ method: 'POST', path: '/http/send', query: { to: '09779123456', message: 'x', from: 'B' } },
];

describe('authentication', () => {
	const sandbox = useSandbox(hardKey);

	const readStatus = async (call: Call) => (await sandbox.call(call)).status;
	const callBare = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
		(await callRaw(`${sandbox.baseUrl}${path}`, { method, headers })).status;

	// RFC 9110, 11.1: the name of a scheme is case-insensitive.
	test.each(['Bearer', 'Basic', 'bearer', 'BASIC', 'Bearer '])(
		'REST accepts the header form %s',
		async (scheme) => {
			const headers = { Authorization: `${scheme} ${sandbox.token}` };
			expect(await callBare('/rest/account/get-balance', headers)).toBe(201);
		},
	);

	test.each<[string, Record<string, string>]>([
		['no header', {}],
		['another scheme', { Authorization: 'Digest dG9rZW4=' }],
		['a token of another key', { Authorization: `Bearer ${btoa('demo-key:demo-secret')}` }],
		['key and secret in clear', { Authorization: 'Bearer demo-key:demo-secret' }],
	])('REST rejects %s', async (_case, headers) => {
		expect(await callBare('/rest/account/get-balance', headers)).toBe(401);
	});

	test('the token of the query is not a credential for REST, nor the header for the others', async () => {
		const token = encodeURIComponent(sandbox.token);
		const headers = { Authorization: `Bearer ${sandbox.token}` };
		expect(await callBare(`/rest/account/get-balance?accessToken=${token}`)).toBe(401);
		expect(await callBare('/otp/verify?requestId=1&code=2', headers, 'POST')).toBe(401);
	});

	test('a + that is not percent-encoded is a space, and a 401', async () => {
		const path = '/http/send?to=09779123456&message=x&from=B&accessToken=';
		const halfEncoded = sandbox.token.replaceAll('/', '%2F').replaceAll('=', '%3D');
		expect(await callBare(`${path}${halfEncoded}`, {}, 'POST')).toBe(401);
		expect(await callBare(`${path}${encodeURIComponent(sandbox.token)}`, {}, 'POST')).toBe(201);
	});

	test.each(surfaces.slice(1))(
		'$path is 401 for an address that is not whitelisted',
		async (call) => {
			sandbox.configure({ whitelist: ['192.0.2.1'] });
			expect(await readStatus(call)).toBe(401);
			sandbox.configure({ whitelist: ['192.0.2.1', '127.0.0.1'] });
			expect(await readStatus(call)).toBe(201);
		},
	);

	test.each(['/rest/account/get-balance', '/rest/messages', '/otp/verify'])(
		'an allowlist limits sending only: %s gets a response',
		async (path) => {
			sandbox.configure({ whitelist: ['192.0.2.1'] });
			expect(await readStatus({ method: 'POST', path })).not.toBe(401);
		},
	);

	test.each(surfaces)('a key without the product of $path is 401', async (call) => {
		const surface = call.path.split('/')[1] as 'rest' | 'otp' | 'http';
		const products = (['rest', 'otp', 'http'] as const).filter((product) => product !== surface);
		sandbox.configure({ credentials: [{ ...hardKey, products }] });
		expect(await readStatus(call)).toBe(401);
		sandbox.configure({ credentials: [{ ...hardKey, products: [surface] }] });
		expect(await readStatus(call)).toBe(201);
	});

	test('several keys can be used, each with its own whitelist', async () => {
		const other = { apiKey: 'other', apiSecret: 'secret', whitelist: ['192.0.2.1'] };
		const call = { ...surfaces[2]!, token: btoa('other:secret') };
		sandbox.configure({ credentials: [hardKey, other] });
		expect((await sandbox.list()).status).toBe(201);
		expect((await sandbox.sendByQuery()).status).toBe(201);
		expect(await readStatus(call)).toBe(401);
		sandbox.configure({ credentials: [hardKey, { ...other, whitelist: [] }] });
		expect(await readStatus(call)).toBe(201);
	});

	test.each([
		['GET', '/rest/send', 'POST'],
		['DELETE', '/rest/send', 'POST'],
		['PUT', '/rest/send/bulk', 'POST, GET'],
		['DELETE', '/rest/messages', 'GET, POST'],
		['PUT', '/otp/verify', 'POST, GET'],
	])('%s %s is a 405 that allows %s', async (method, path, allowed) => {
		const { data, headers } = await sandbox.call({ method, path });
		expect(data).toMatchObject({ name: 'Method Not Allowed', code: 0, status: 405 });
		expect(headers.allow).toBe(allowed);
	});

	test.each(['', '/rest', '/rest/send/', '/rest/other', '/send'])('%p is a 404', async (path) => {
		const { data } = await sandbox.call({ method: 'POST', path });
		expect(data).toEqual({ name: 'Not Found', message: 'Page not found.', code: 0, status: 404 });
	});
});
