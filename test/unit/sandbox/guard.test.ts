import { request } from 'node:http';
import { connect } from 'node:net';
import { startSandbox } from '../../../sandbox';
import { send } from '../../support/sandbox/callSandbox';
import { useSandbox } from '../../support/workflow/useSandbox';

interface RawCall {
	method?: string;
	path: string;
	headers?: Record<string, string>;
	body?: string;
}

describe('the door of the sandbox', () => {
	const sandbox = useSandbox({ methods: 'any', receiptRetryMs: 5 });

	/** With any header, the Host included, which no client library lets one set. */
	const call = ({ method = 'GET', path, headers = {}, body }: RawCall, to = sandbox) =>
		new Promise<number | undefined>((resolve, reject) => {
			request(`${to.url}${path}`, { method, headers }, (answer) => {
				answer.resume().once('end', () => resolve(answer.statusCode));
			})
				.once('error', reject)
				.end(body);
		});
	const token = () => encodeURIComponent(sandbox.token);
	const sendPath = () => `/api/http/send?accessToken=${token()}&to=09779123456&message=x&from=Shop`;
	const reset = { method: 'POST', path: '/_sandbox/api/reset' };
	const json = { 'Content-Type': 'application/json' };

	describe('reads a path as its routes do', () => {
		const elsewhere = { 'Sec-Fetch-Site': 'cross-site' };

		test.each([
			'/_sandbox/api/codes',
			'/%5fsandbox/api/codes',
			'/_sandbox/%61pi/codes',
			'/%61pi/x',
		])('%s is not for a page of another site', async (path) =>
			expect(await call({ path, headers: elsewhere })).toBe(403),
		);

		test.each(['/_sandbox/api/reset', '/%5fsandbox/api/reset', '/_sandbox/%61pi/reset'])(
			'%s accepts JSON only',
			async (path) => {
				const headers = { 'Content-Type': 'text/plain' };
				expect(await call({ method: 'POST', path, headers, body: '{}' })).toBe(415);
			},
		);

		test.each([
			'/_sandbox/x/../api/codes',
			'/_sandbox/./api/codes',
			'/_sandbox//api/codes',
			'/_sandbox/x/%2e%2e/api/codes',
			'/_sandbox/x%2f..%2fapi/codes',
			'/_sandbox/%2561pi/codes',
			'/x/../_sandbox/api/codes',
		])('%s is read as one path by the guard and the routes', async (path) => {
			expect([403, 404]).toContain(await call({ path, headers: elsewhere }));
			expect([200, 404]).toContain(await call({ path }));
		});

		test('what cannot be read is a 400', async () =>
			expect(await call({ path: '/_sandbox/%ff' })).toBe(400));
	});

	test('a request that changes something needs no body', async () => {
		expect(await call({ method: 'DELETE', path: '/_sandbox/api/faults' })).toBe(200);
		expect(await call(reset)).toBe(200);
	});

	test('a long body without a length is a 413 for the control too', async () => {
		const headers = { ...json, 'Transfer-Encoding': 'chunked' };
		const path = '/_sandbox/api/mails';
		const text = 'x'.repeat(1_100_000);
		const body = JSON.stringify({ from: '', to: 'b@example.com', subject: '', text });
		expect(await call({ method: 'POST', path, headers, body })).toBe(413);
		expect(sandbox.mails()).toEqual([]);
	});

	describe('against DNS rebinding', () => {
		const paths = ['/_sandbox', '/_sandbox/api/codes', '/api/rest/account/get-balance', '/'];

		test.each([
			'evil.example',
			'evil.example:4010',
			'localhost.evil.example',
			'10.0.0.1',
			'0.0.0.0',
		])('the Host %s is rejected on every path', async (Host) => {
			const answers = await Promise.all(paths.map((path) => call({ path, headers: { Host } })));
			expect(answers).toEqual([403, 403, 403, 403]);
		});

		test.each([
			'localhost',
			'LOCALHOST:1',
			'127.0.0.1:99',
			'127.0.0.9',
			'[::1]:4010',
			'a.localhost',
		])('the Host %s is one of our own', async (Host) =>
			expect(await call({ path: '/_sandbox', headers: { Host } })).toBe(200),
		);

		test('names can be allowed, and addresses where it listens beyond loopback', async () => {
			const open = await startSandbox({ host: '0.0.0.0', allowedHosts: ['SandBox'] });
			const answers = ['sandbox:4010', '10.0.0.1', '0.0.0.0', 'evil.example'].map((Host) =>
				call({ path: '/_sandbox/livez', headers: { Host } }, open),
			);
			expect(await Promise.all(answers)).toEqual([200, 200, 200, 403]);
			await open.close();
		});
	});

	describe('against other web pages', () => {
		test.each<[Record<string, string>]>([
			[{ Origin: 'https://evil.example' }],
			[{ Origin: 'null' }],
			[{ Origin: 'http://127.0.0.1:1' }],
			[{ 'Sec-Fetch-Site': 'cross-site' }],
			[{ 'Sec-Fetch-Site': 'same-site' }],
		])('nothing can be changed with %j', async (headers) => {
			await send(sandbox);
			expect(await call({ ...reset, headers: { ...headers, ...json } })).toBe(403);
			expect(await call({ method: 'POST', path: sendPath(), headers })).toBe(403);
			// An image in a page is a GET, and GETs send too where the method is not shown.
			expect(await call({ path: sendPath(), headers })).toBe(403);
			expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		});

		test('the codes cannot be read', async () => {
			const headers = { 'Sec-Fetch-Site': 'cross-site' };
			expect(await call({ path: '/_sandbox/api/codes', headers })).toBe(403);
		});

		test('its own page may change something, and a link may lead to it', async () => {
			const headers = { Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin', ...json };
			expect(await call({ ...reset, headers })).toBe(200);
			const link = { path: '/_sandbox', headers: { 'Sec-Fetch-Site': 'cross-site' } };
			expect(await call(link)).toBe(200);
		});

		test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
			'what is posted as %s does not steer it, with a body or without',
			async (type) => {
				await send(sandbox);
				const headers = { 'Content-Type': type };
				expect(await call({ ...reset, headers })).toBe(415);
				expect(await call({ ...reset, headers, body: '{}' })).toBe(415);
				expect(await call({ ...reset, body: '{}' })).toBe(415);
				expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
			},
		);
	});

	describe('against being made to call itself', () => {
		// Windows connects to no 0.0.0.0.
		const unspecified = process.platform === 'win32' ? [] : ['0.0.0.0'];
		test.each(['127.0.0.1', 'localhost', '127.1', '2130706433', ...unspecified])(
			'a receipt to %s changes nothing',
			async (host) => {
				const url = sandbox.url.replace('127.0.0.1', host);
				await send(sandbox, { deliveryReceiptUrl: `${url}/_sandbox/api/reset` });
				await send(sandbox, { deliveryReceiptUrl: `${url}${sendPath()}` });
				sandbox.advance(60_000);
				await sandbox.settle();
				expect(sandbox.messages().map(({ to }) => to)).toHaveLength(2);
				expect(new Set(sandbox.receipts().map(({ answered }) => answered))).toEqual(new Set([403]));
			},
		);
	});

	test.each(['/rest/send', '/otp/request', '/_sandbox/api/nothing', '/nothing'])(
		'%s, which does not exist, is a 404 in JSON that names the Base URL and the inbox',
		async (path) => {
			const answer = await fetch(`${sandbox.url}${path}`, { method: 'POST', headers: json });
			const { status, message } = (await answer.json()) as { status: number; message: string };
			expect([answer.status, status]).toEqual([404, 404]);
			expect(message).toContain(`no path ${path}.`);
			expect(message).toMatch(/Base URL .* \/api; .*\/_sandbox\./);
		},
	);

	test('host.docker.internal is trusted with an option only', async () => {
		const Host = 'host.docker.internal:4010';
		expect(await call({ path: '/_sandbox', headers: { Host } })).toBe(403);
		const open = await startSandbox({ allowedHosts: ['host.docker.internal'] });
		expect(await call({ path: '/_sandbox', headers: { Host } }, open)).toBe(200);
		await open.close();
	});

	test('400,000 brackets are a 400 for the service and for the control', async () => {
		const body = '['.repeat(400_000) + ']'.repeat(400_000);
		const headers = { ...json, Authorization: `Bearer ${sandbox.token}` };
		expect(await call({ method: 'POST', path: '/api/rest/send', headers, body })).toBe(400);
		const path = '/_sandbox/api/faults';
		expect(await call({ method: 'POST', path, headers: json, body })).toBe(400);
		expect(sandbox.requests()[0]!.body).toBe(body);
	});

	test.each([
		['GET', '/_sandbox/api/reset', 'POST'],
		['GET', '/_sandbox/api/messages/x/status', 'POST'],
		['DELETE', '/_sandbox/api/settings', 'GET, PUT'],
		['POST', '/_sandbox/api/requests', 'GET'],
	])('%s %s is a 405 that names what is allowed', async (method, path, allowed) => {
		const answer = await fetch(`${sandbox.url}${path}`, { method, headers: json });
		expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
	});

	describe('against bodies without end', () => {
		/** What a client gets that reads nothing before it has written all. */
		const writeAll = (head: string, chunk: Buffer, times: number) =>
			new Promise<string>((resolve, reject) => {
				const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1', async () => {
					socket.write(head);
					for (let sent = 0; sent < times; sent += 1) {
						if (!socket.write(chunk)) await new Promise((drained) => socket.once('drain', drained));
					}
					socket.once('data', (data) => {
						resolve(data.toString());
						socket.destroy();
					});
					socket.resume();
				});
				socket.pause();
				socket.once('error', reject);
			});
		const zeros = Buffer.alloc(1_000_000, '0');
		const chunked = Buffer.concat([Buffer.from('f4240\r\n'), zeros, Buffer.from('\r\n')]);

		test.each(['/api/rest/send', '/_sandbox/api/mails'])(
			'one of 20 MB to %s gets its 413, with its length and without',
			async (path) => {
				const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
				const withLength = `${head}Content-Length: 20000000\r\n\r\n`;
				expect(await writeAll(withLength, zeros, 20)).toMatch(/^HTTP\/1\.1 413 /);
				const without = `${head}Transfer-Encoding: chunked\r\n\r\n`;
				expect(await writeAll(without, chunked, 20)).toMatch(/^HTTP\/1\.1 413 /);
				const init = { method: 'POST', headers: json, body: 'x'.repeat(20_000_000) };
				expect((await fetch(`${sandbox.url}${path}`, init)).status).toBe(413);
			},
			30_000,
		);

		test('over 1 MB they get 413 before they are read', async () => {
			const answer = await new Promise<string>((resolve) => {
				const { port } = new URL(sandbox.url);
				const socket = connect(Number(port), '127.0.0.1', () => {
					socket.write(
						'POST /api/rest/send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000001\r\n\r\n{',
					);
				});
				socket.once('data', (data) => {
					resolve(data.toString());
					socket.destroy();
				});
			});
			expect(answer).toMatch(/^HTTP\/1\.1 413 /);
		});

		test.each(['/api/rest/send', '/_sandbox/api/settings'])(
			'they are cut off at %s when they do not say their length',
			async (path) => {
				const headers = { ...json, 'Transfer-Encoding': 'chunked' };
				const method = path.endsWith('send') ? 'POST' : 'PUT';
				const body = JSON.stringify({ message: 'x'.repeat(1_100_000) });
				expect(await call({ method, path, headers, body })).toBe(413);
			},
		);
	});
});
