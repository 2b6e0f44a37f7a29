import type { RequestOptions } from 'node:http';
import { connect } from 'node:net';
import {
	callRaw,
	type TestedSandbox,
	useReceiver,
	useSandbox,
	useStarts,
} from '../../support/sandbox/harness';
import { run, waitForJson, waitForOutput } from '../../support/sandbox/runSandbox';

type Headers = Record<string, string>;
type RawCall = RequestOptions & { path: string; body?: string };

const json = { 'Content-Type': 'application/json' };
const reset = { method: 'POST', path: '/_sandbox/api/reset' };
const start = useStarts();
const receiver = useReceiver();

describe('the door of the sandbox', () => {
	const sandbox = useSandbox({ receiptRetryMs: 5 });

	const call = async (options: RawCall, to = sandbox) =>
		(await callRaw(to.url, { method: 'GET', ...options })).status;
	const token = () => encodeURIComponent(sandbox.token);
	const sendPath = () => `/api/http/send?accessToken=${token()}&to=09779123456&message=x&from=Shop`;

	describe('reads a path as its routes do', () => {
		const elsewhere = { 'Sec-Fetch-Site': 'cross-site' };

		test.each([
			...['/_sandbox/api/codes', '/%5fsandbox/api/codes', '/_sandbox/%61pi/codes', '/%61pi/x'],
		])('%s is not for a page of another site', async (path) =>
			expect(await call({ path, headers: elsewhere })).toBe(403),
		);

		test.each(['/_sandbox/api/reset', '/%5fsandbox/api/reset', '/_sandbox/%61pi/reset'])(
			'%s accepts JSON only, with a body or without',
			async (path) => {
				await sandbox.send();
				const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];
				for (const type of types) {
					const headers = { 'Content-Type': type };
					expect(await call({ method: 'POST', path, headers, body: '{}' })).toBe(415);
					expect(await call({ method: 'POST', path, headers })).toBe(415);
				}
				expect(await call({ method: 'POST', path, body: '{}' })).toBe(415);
				expect(sandbox.messages()).toHaveLength(1);
			},
		);

		test.each([
			...['/_sandbox/x/../api/codes', '/_sandbox/./api/codes', '/_sandbox//api/codes'],
			...['/_sandbox/x/%2e%2e/api/codes', '/_sandbox/x%2f..%2fapi/codes'],
			...['/_sandbox/%2561pi/codes', '/x/../_sandbox/api/codes'],
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

	describe('against DNS rebinding', () => {
		const paths = ['/_sandbox', '/_sandbox/api/codes', '/api/rest/account/get-balance', '/'];
		const strangers = ['evil.example', 'evil.example:4010', 'localhost.evil.example', '10.0.0.1'];

		test.each([...strangers, '0.0.0.0', 'host.docker.internal:4010'])(
			'the Host %s is rejected on every path',
			async (Host) => {
				const answers = await Promise.all(paths.map((path) => call({ path, headers: { Host } })));
				expect(answers).toEqual([403, 403, 403, 403]);
			},
		);

		test.each([
			...['localhost', 'LOCALHOST:1', '127.0.0.1:99', '127.0.0.9', '[::1]:4010', 'a.localhost'],
		])('the Host %s is one of our own', async (Host) =>
			expect(await call({ path: '/_sandbox', headers: { Host } })).toBe(200),
		);

		test('names can be allowed, and addresses where it listens beyond loopback', async () => {
			const open = await start({ host: '0.0.0.0', allowedHosts: ['SandBox'] });
			const hosts = ['sandbox:4010', '10.0.0.1', '0.0.0.0', 'evil.example'];
			const answers = hosts.map((Host) =>
				call({ path: '/_sandbox/livez', headers: { Host } }, open),
			);
			expect(await Promise.all(answers)).toEqual([200, 200, 200, 403]);
		});
	});

	describe('against other web pages', () => {
		test.each<[Headers]>([
			[{ Origin: 'https://evil.example' }],
			[{ Origin: 'null' }],
			[{ Origin: 'http://127.0.0.1:1' }],
			[{ 'Sec-Fetch-Site': 'cross-site' }],
			[{ 'Sec-Fetch-Site': 'same-site' }],
		])('nothing can be changed with %j', async (headers) => {
			await sandbox.send();
			expect(await call({ ...reset, headers: { ...headers, ...json } })).toBe(403);
			expect(await call({ method: 'POST', path: sendPath(), headers })).toBe(403);
			// An image in a page is a GET, and GETs send too where the method is not shown.
			expect(await call({ path: sendPath(), headers })).toBe(403);
			expect(sandbox.messages()).toHaveLength(1);
		});

		test('its own page may change something, and a link may lead to it', async () => {
			const headers = { Origin: sandbox.url, 'Sec-Fetch-Site': 'same-origin', ...json };
			expect(await call({ ...reset, headers })).toBe(200);
			const link = { path: '/_sandbox', headers: { 'Sec-Fetch-Site': 'cross-site' } };
			expect(await call(link)).toBe(200);
		});
	});

	// Windows connects to no 0.0.0.0.
	const unspecified = process.platform === 'win32' ? [] : ['0.0.0.0'];
	test.each(['127.0.0.1', 'localhost', '127.1', '2130706433', ...unspecified])(
		'against being made to call itself: a receipt to %s changes nothing',
		async (host) => {
			const url = sandbox.url.replace('127.0.0.1', host);
			await sandbox.send({ deliveryReceiptUrl: `${url}/_sandbox/api/reset` });
			await sandbox.send({ deliveryReceiptUrl: `${url}${sendPath()}` });
			await sandbox.pass();
			expect(sandbox.messages()).toHaveLength(2);
			expect(new Set(sandbox.receipts().map(({ answered }) => answered))).toEqual(new Set([403]));
		},
	);

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

	test.each([
		['GET', '/_sandbox/api/reset', 'POST'],
		['GET', '/_sandbox/api/messages/x/status', 'POST'],
		['DELETE', '/_sandbox/api/settings', 'GET, PUT'],
		['POST', '/_sandbox/api/requests', 'GET'],
	])('%s %s is a 405 that names what is allowed', async (method, path, allowed) => {
		const answer = await fetch(`${sandbox.url}${path}`, { method, headers: json });
		expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
	});

	test('400,000 brackets are a 400 for the service and for the control', async () => {
		const body = '['.repeat(400_000) + ']'.repeat(400_000);
		const headers = { ...json, Authorization: `Bearer ${sandbox.token}` };
		for (const path of ['/api/rest/send', '/_sandbox/api/faults']) {
			expect(await call({ method: 'POST', path, headers, body })).toBe(400);
		}
		expect(sandbox.requests()[0]!.body).toBe(body);
	});

	describe('against bodies without end', () => {
		/** What a client gets that reads nothing before it has written all. */
		const writeAll = (head: string, chunk: Buffer | string, times: number) =>
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
			'over 1 MB, to %s gets its 413: before it is read, after 20 MB, with its length and without',
			async (path) => {
				const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
				const length = `${head}Content-Length: `;
				const without = `${head}Transfer-Encoding: chunked\r\n\r\n`;
				expect(await writeAll(`${length}1000001\r\n\r\n`, '{', 1)).toMatch(/^HTTP\/1\.1 413 /);
				expect(await writeAll(`${length}20000000\r\n\r\n`, zeros, 20)).toMatch(/^HTTP\/1\.1 413 /);
				expect(await writeAll(without, chunked, 20)).toMatch(/^HTTP\/1\.1 413 /);
				const init = { method: 'POST', headers: json, body: 'x'.repeat(20_000_000) };
				expect((await fetch(`${sandbox.url}${path}`, init)).status).toBe(413);
				expect(sandbox.mails()).toEqual([]);
			},
		);
	});
});

/** It listens beyond loopback: strangers can reach it. */
describe('a sandbox that others can reach', () => {
	const open = async (options = {}) => {
		const sandbox = await start({ host: '0.0.0.0', receiptAttempts: 1, ...options });
		const url = `http://127.0.0.1:${new URL(sandbox.url).port}`;
		return Object.assign(sandbox, { url, baseUrl: `${url}/api` });
	};
	const port = () => new URL(receiver.url).port;
	const postTo = async (sandbox: TestedSandbox, host: string) => {
		const url = `${host.includes('//') ? '' : 'http://'}${host}:${port()}/`;
		const { data } = await sandbox.send({ deliveryReceiptUrl: url });
		await sandbox.setStatus(data.messages[0].messageId, 'Delivered');
		return sandbox.receipts().at(-1)!;
	};

	test('posts nothing to loopback and link-local addresses, however they are written', async () => {
		const sandbox = await open();
		for (const host of [
			...['127.0.0.1', 'localhost', '127.1', '2130706433', '0.0.0.0', '127.8.8.8', '[::1]'],
			...['[::]', '[::ffff:127.0.0.1]', '169.254.169.254', '[fe80::1]'],
			...['https://127.0.0.1', 'https://[::ffff:7f00:1]'],
		]) {
			const { answered, problem = '' } = await postTo(sandbox, host);
			const words = /has a loopback or link-local address, .+ --allow-receiver \S+ to allow it\.$/;
			expect([host, answered, problem]).toEqual([host, null, expect.stringMatching(words)]);
		}
		expect(receiver.calls).toEqual([]);
	});

	test('posts to them when the start names them', async () => {
		const sandbox = await open({ allowedReceivers: [`LOCALHOST:${port()}`, '127.0.0.1'] });
		expect((await postTo(sandbox, '127.0.0.1')).answered).toBe(200);
		expect((await postTo(sandbox, 'localhost')).answered).toBe(200);
		expect((await postTo(sandbox, '127.8.8.8')).answered).toBe(null);
		expect(receiver.calls).toHaveLength(2);
	});

	test('shows and does nothing without the control token', async () => {
		const sandbox = await open();
		const { url, controlToken } = sandbox;
		expect(controlToken).toMatch(/^[\w-]{20,}$/);
		const get = async (path: string, headers: Headers = {}) =>
			(await callRaw(`${url}/_sandbox${path}`, { headers })).status;
		const wrong = { Authorization: `Bearer ${controlToken}x`, Cookie: 'controlToken=x' };
		const right = { Authorization: `Bearer ${controlToken}` };
		const paths = ['', '/api/requests', '/api/codes', '/changes', '/numbers', '/api/openapi.json'];
		for (const path of paths) {
			const seen = [await get(path), await get(path, wrong), await get(path, right)];
			expect([path, seen]).toEqual([path, [401, 401, 200]]);
		}
		expect((await callRaw(url, { ...reset, headers: json })).status).toBe(401);
		expect(await get('/livez')).toBe(200);
		expect((await sandbox.send()).status).toBe(201);
	});

	test('lets a browser in by the address that is printed', async () => {
		const { url, controlToken } = await open({ controlToken: 'known-token' });
		expect(controlToken).toBe('known-token');
		const opened = await fetch(`${url}/_sandbox?token=known-token`, { redirect: 'manual' });
		expect([opened.status, opened.headers.get('location')]).toEqual([302, '/_sandbox']);
		const cookie = opened.headers.get('set-cookie')!;
		expect(cookie).toMatch(/^controlToken=known-token; .*HttpOnly; .*SameSite=Lax/);
		const headers = { Cookie: `a=b; ${cookie.split(';')[0]}` };
		expect((await fetch(`${url}/_sandbox/api/mark`, { headers })).status).toBe(200);
	});

	test('hides the tokens of the service in the log of requests', async () => {
		const sandbox = await open();
		sandbox.addFault({ match: { path: '/otp/*' }, effect: 'echo' });
		await sandbox.send();
		await sandbox.sendByQuery();
		await sandbox.verifyCode({});
		const logged = JSON.stringify(sandbox.requests());
		const { token } = sandbox;
		for (const one of [token, encodeURIComponent(token)]) expect(logged).not.toContain(one);
		expect(sandbox.requests()[1]).toMatchObject({
			query: { message: 'Hello', accessToken: '***' },
			rawQuery: expect.stringContaining('accessToken=***&to='),
		});
	});

	test('prints the token, and a link with it', async () => {
		const options = ['--port', '0', '--host', '0.0.0.0', '--allow-receiver', 'localhost'];
		const started = run(...options);
		const [, page, token] = await waitForOutput(started, /(http:\S+)\?token=(\S+)/);
		expect((await fetch(page!, { headers: { Cookie: `controlToken=${token}` } })).status).toBe(200);
		expect(started.output()).toContain(`Control token        ${token}\n`);
		const asJson = await waitForJson(run(...options, '--json', '--control-token', 'known-token'));
		expect(asJson.controlToken).toBe('known-token');
	});
});
