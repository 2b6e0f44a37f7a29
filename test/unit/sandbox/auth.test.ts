import { httpClient } from '../../../scripts/http';
import { type Call, callSandbox, list } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

const UNAUTHORIZED = {
	name: 'Unauthorized',
	message: 'Your request was made with invalid credentials.',
	code: 0,
	status: 401,
};
/** Its token holds +, / and =. */
const HARD_KEY = { apiKey: '~~?>>kéy', apiSecret: 'se:cret>>>???ü' };

const SURFACES: Call[] = [
	{ method: 'GET', path: '/rest/account/get-balance' },
	{ method: 'POST', path: '/otp/request', query: { to: 'a@example.com', brand: 'B', from: 'B' } },
	{ method: 'POST', path: '/http/send', query: { to: '09779123456', message: 'x', from: 'B' } },
];

const SENDING = SURFACES.slice(1);

describe('authentication', () => {
	const sandbox = useSandbox({ methods: 'any', ...HARD_KEY });

	const callRaw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
		httpClient.request({
			method,
			url: `${sandbox.baseUrl}${path}`,
			headers,
			validateStatus: () => true,
		});

	test('the token is Base64 of key, colon and secret in UTF-8', () => {
		expect(Buffer.from(sandbox.token, 'base64').toString('utf8')).toBe('~~?>>kéy:se:cret>>>???ü');
		expect(sandbox.token).toMatch(/\+/);
		expect(sandbox.token).toMatch(/\//);
	});

	// RFC 9110, 11.1: the name of a scheme is case-insensitive.
	test.each(['Bearer', 'Basic', 'bearer', 'BASIC', 'Bearer '])(
		'REST accepts the header form %s',
		async (scheme) => {
			const headers = { Authorization: `${scheme} ${sandbox.token}` };
			expect((await callRaw('/rest/account/get-balance', headers)).status).toBe(201);
		},
	);

	test.each([
		['no header', {}],
		['another scheme', { Authorization: 'Digest dG9rZW4=' }],
		['a token of another key', { Authorization: `Bearer ${btoa('demo-key:demo-secret')}` }],
		['key and secret in clear', { Authorization: 'Bearer demo-key:demo-secret' }],
	])('REST rejects %s', async (_case, headers: Record<string, string>) => {
		const { status, data } = await callRaw('/rest/account/get-balance', headers);
		expect([status, data]).toEqual([401, UNAUTHORIZED]);
	});

	test('the token of the query is not a credential for REST, nor the header for the others', async () => {
		const token = encodeURIComponent(sandbox.token);
		const headers = { Authorization: `Bearer ${sandbox.token}` };
		const byQuery = await callRaw(`/rest/account/get-balance?accessToken=${token}`);
		const byHeader = await callRaw('/otp/verify?requestId=1&code=2', headers, 'POST');
		expect([byQuery.status, byHeader.status]).toEqual([401, 401]);
	});

	test('a + that is not percent-encoded is a space, and a 401', async () => {
		const query = 'to=09779123456&message=x&from=B&accessToken=';
		const halfEncoded = sandbox.token.replaceAll('/', '%2F').replaceAll('=', '%3D');
		const wrong = await callRaw(`/http/send?${query}${halfEncoded}`, {}, 'POST');
		const right = await callRaw(
			`/http/send?${query}${encodeURIComponent(sandbox.token)}`,
			{},
			'POST',
		);
		expect([wrong.status, wrong.data, right.status]).toEqual([401, UNAUTHORIZED, 201]);
	});

	test.each(SENDING)('$path is 401 for an address that is not whitelisted', async (call) => {
		sandbox.configure({ whitelist: ['192.0.2.1'] });
		const { status, data } = await callSandbox(sandbox, call);
		expect([status, data]).toEqual([401, UNAUTHORIZED]);
		sandbox.configure({ whitelist: ['192.0.2.1', '127.0.0.1'] });
		expect((await callSandbox(sandbox, call)).status).toBe(201);
	});

	test.each(['/rest/account/get-balance', '/rest/messages', '/otp/verify'])(
		'an allowlist limits sending only: %s gets a response',
		async (path) => {
			sandbox.configure({ whitelist: ['192.0.2.1'] });
			const { status } = await callSandbox(sandbox, { method: 'POST', path });
			expect(status).not.toBe(401);
		},
	);

	test.each(SURFACES)('a key without the product of $path is 401', async (call) => {
		const surface = call.path.split('/')[1] as 'rest' | 'otp' | 'http';
		const products = (['rest', 'otp', 'http'] as const).filter((product) => product !== surface);
		sandbox.configure({ credentials: [{ ...HARD_KEY, products }] });
		expect((await callSandbox(sandbox, call)).status).toBe(401);
		sandbox.configure({ credentials: [{ ...HARD_KEY, products: [surface] }] });
		expect((await callSandbox(sandbox, call)).status).toBe(201);
	});

	test('several keys can be used, each with its own whitelist', async () => {
		const other = { apiKey: 'other', apiSecret: 'secret', whitelist: ['192.0.2.1'] };
		sandbox.configure({ credentials: [HARD_KEY, other] });
		const token = btoa('other:secret');
		expect((await list(sandbox)).status).toBe(201);
		const query = { to: '09779123456', message: 'x', from: 'B' };
		const call = { method: 'POST', path: '/http/send', query, token };
		expect((await callSandbox(sandbox, call)).status).toBe(401);
		sandbox.configure({ credentials: [HARD_KEY, { ...other, whitelist: [] }] });
		expect((await callSandbox(sandbox, call)).status).toBe(201);
	});
});

describe('methods and paths', () => {
	const sandbox = useSandbox({ methods: 'any' });

	test.each([
		['GET', '/rest/send', 'POST'],
		['DELETE', '/rest/send', 'POST'],
		['PUT', '/rest/send/bulk', 'POST, GET'],
		['DELETE', '/rest/messages', 'GET, POST'],
		['PUT', '/otp/verify', 'POST, GET'],
	])('%s %s is a 405 that allows %s', async (method, path, allowed) => {
		const { status, data, headers } = await callSandbox(sandbox, { method, path });
		expect(status).toBe(405);
		expect(headers.allow).toBe(allowed);
		expect(data).toMatchObject({ name: 'Method Not Allowed', code: 0, status: 405 });
	});

	test.each(['', '/rest', '/rest/send/', '/rest/other', '/send'])('%p is a 404', async (path) => {
		const { status, data } = await callSandbox(sandbox, { method: 'POST', path });
		expect(status).toBe(404);
		expect(data).toEqual({ name: 'Not Found', message: 'Page not found.', code: 0, status: 404 });
	});

	test('localhost reaches it too', async () => {
		const url = sandbox.url.replace('127.0.0.1', 'localhost');
		expect((await httpClient.get(`${url}/_sandbox/livez`)).data).toEqual({
			status: 'ok',
		});
	});
});
