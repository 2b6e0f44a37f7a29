import { type Sandbox, startSandbox, type StartOptions } from '../../../sandbox';
import { callSandbox, send } from '../../support/sandbox/callSandbox';
import { run, waitForOutput } from '../../support/sandbox/runSandbox';
import { type Receiver, startReceiver } from '../../support/sandbox/startReceiver';

/** It listens beyond loopback: strangers can reach it. */
describe('a sandbox that others can reach', () => {
	let receiver: Receiver;
	const open: Sandbox[] = [];

	beforeAll(async () => {
		receiver = await startReceiver();
	});
	beforeEach(() => (receiver.calls.length = 0));
	afterEach(() => Promise.all(open.splice(0).map((sandbox) => sandbox.close())));
	afterAll(() => receiver.close());

	const start = async (options: StartOptions = {}) => {
		const sandbox = await startSandbox({ ...{ host: '0.0.0.0', pace: 0 }, ...options });
		open.push(sandbox);
		const { port } = new URL(sandbox.url);
		const url = `http://127.0.0.1:${port}`;
		return { ...sandbox, url, baseUrl: `${url}/api` };
	};
	const port = () => new URL(receiver.url).port;
	const post = async (sandbox: Sandbox, host: string) => {
		sandbox.configure({ receiptAttempts: 1 });
		const fields = {
			deliveryReceiptUrl: `${host.includes('//') ? host : `http://${host}`}:${port()}/`,
		};
		const { data } = await send(sandbox, fields);
		await sandbox.setStatus(data.messages[0].messageId, 'Delivered');
		return sandbox.receipts().at(-1)!;
	};

	test('posts nothing to loopback and link-local addresses, however they are written', async () => {
		const sandbox = await start();
		const hosts = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0.0.0.0', '127.8.8.8'];
		const further = ['[::1]', '[::]', '[::ffff:127.0.0.1]', '169.254.169.254', '[fe80::1]'];
		for (const host of [...hosts, ...further, 'https://127.0.0.1', 'https://[::ffff:7f00:1]']) {
			const { answered, problem = '' } = await post(sandbox, host);
			const words = /has a loopback or link-local address, .+ --allow-receiver \S+ to allow it\.$/;
			expect([host, answered, problem]).toEqual([host, null, expect.stringMatching(words)]);
		}
		expect(receiver.calls).toEqual([]);
	}, 30_000);

	test('posts to them when the start names them', async () => {
		const named = [`LOCALHOST:${port()}`, '127.0.0.1'];
		const sandbox = await start({ allowedReceivers: named });
		expect((await post(sandbox, '127.0.0.1')).answered).toBe(200);
		expect((await post(sandbox, 'localhost')).answered).toBe(200);
		expect((await post(sandbox, '127.8.8.8')).answered).toBe(null);
		expect(receiver.calls).toHaveLength(2);
	});

	test('shows and does nothing without the control token', async () => {
		const sandbox = await start();
		const { url, controlToken } = sandbox;
		expect(controlToken).toMatch(/^[\w-]{20,}$/);
		const paths = ['', '/api/requests', '/api/codes', '/changes', '/numbers', '/api/openapi.json'];
		const get = async (path: string, headers: Record<string, string> = {}) => {
			const answer = await fetch(`${url}/_sandbox${path}`, { headers, redirect: 'manual' });
			void answer.body?.cancel();
			return answer;
		};
		for (const path of paths) {
			expect([path, (await get(path)).status]).toEqual([path, 401]);
			const wrong = { Authorization: `Bearer ${controlToken}x`, Cookie: 'controlToken=x' };
			expect([path, (await get(path, wrong)).status]).toEqual([path, 401]);
			const headers = { Authorization: `Bearer ${controlToken}` };
			expect([path, (await get(path, headers)).status]).toEqual([path, 200]);
		}
		const reset = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
		expect((await fetch(`${url}/_sandbox/api/reset`, reset)).status).toBe(401);
		expect((await get('/livez')).status).toBe(200);
		expect((await send(sandbox)).status).toBe(201);
	});

	test('lets a browser in by the address that is printed', async () => {
		const { url, controlToken } = await start({ controlToken: 'known-token' });
		expect(controlToken).toBe('known-token');
		const opened = await fetch(`${url}/_sandbox?token=known-token`, { redirect: 'manual' });
		expect([opened.status, opened.headers.get('location')]).toEqual([302, '/_sandbox']);
		const cookie = opened.headers.get('set-cookie')!;
		expect(cookie).toMatch(/^controlToken=known-token; .*HttpOnly; .*SameSite=Lax/);
		const headers = { Cookie: `a=b; ${cookie.split(';')[0]}` };
		expect((await fetch(`${url}/_sandbox/api/mark`, { headers })).status).toBe(200);
	});

	test('hides the tokens of the service in the log of requests', async () => {
		const sandbox = await start();
		sandbox.addFault({ match: { path: '/otp/*' }, effect: 'echo' });
		await send(sandbox);
		const query = { to: '09779123456', message: 'Hello', from: 'Shop' };
		await callSandbox(sandbox, { method: 'POST', path: '/http/send', query });
		await callSandbox(sandbox, { method: 'POST', path: '/otp/verify', query });
		const logged = JSON.stringify(sandbox.requests());
		const { token } = sandbox;
		for (const one of [token, encodeURIComponent(token)]) expect(logged).not.toContain(one);
		expect(sandbox.requests()[1]).toMatchObject({
			query: { ...query, accessToken: '***' },
			rawQuery: expect.stringContaining('accessToken=***&to='),
		});
	});

	test('prints the token, and a link with it', async () => {
		const options = ['--port', '0', '--host', '0.0.0.0', '--allow-receiver', 'localhost'];
		const started = run(...options);
		const [, page, token] = await waitForOutput(started, /(http:\S+)\?token=(\S+)/);
		expect((await fetch(page!, { headers: { Cookie: `controlToken=${token}` } })).status).toBe(200);
		expect(started.output()).toContain(`Control token        ${token}\n`);
		started.process.kill();
		await started.ended;
		const asJson = run(...options, '--json', '--control-token', 'known-token');
		const [line] = await waitForOutput(asJson, /^\{.*\}\n/m);
		expect(JSON.parse(line)).toMatchObject({ controlToken: 'known-token' });
		asJson.process.kill();
		await asJson.ended;
	}, 60_000);
});
