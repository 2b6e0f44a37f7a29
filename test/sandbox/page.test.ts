import axios from 'axios';
import { type Sandbox, startSandbox } from '../../sandbox';
import { callSandbox, send } from './callSandbox';

describe('the page of the sandbox', () => {
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 0, apiKey: 'visible-key', apiSecret: 'hidden-secret' });
	});
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());

	const open = (path = '/_sandbox') => axios.get<string>(`${sandbox.url}${path}`, { proxy: false });

	test('opens at the root too, and says when there is nothing', async () => {
		const { data, request } = await open('/');
		expect(request.path).toBe('/_sandbox');
		expect(data).toContain('No messages yet.');
		expect(data).toContain('No codes yet.');
	});

	test('shows messages and codes, newest first, with what matters about them', async () => {
		await send(sandbox, { message: 'first', clientReference: 'ref-1' });
		await send(sandbox, { message: 'second', to: '+6591234567' });
		const query = { to: 'thida@example.com', brand: 'B', from: 'B' };
		await callSandbox(sandbox, { method: 'POST', path: '/otp/request', query });
		const { data } = await open();
		expect(data.indexOf('second')).toBeLessThan(data.indexOf('first'));
		const { code, requestId } = sandbox.codes()[0]!;
		const texts = ['ref-1', '6591234567', 'Accepted', '999,830 MMK', code, String(requestId)];
		for (const text of texts) expect(data).toContain(text);
	});

	test('searches', async () => {
		await send(sandbox, { message: 'apples' });
		await send(sandbox, { message: 'pears' });
		const { data } = await open('/_sandbox?q=APPLE');
		expect(data).toContain('apples');
		expect(data).not.toContain('pears');
		expect((await open('/_sandbox?q=plums')).data).toContain('No message matches.');
	});

	test('escapes everything that comes from outside', async () => {
		const evil = `</script><script>alert(1)</script><img src=x onerror="alert('2')">`;
		await send(sandbox, { message: evil, from: evil, clientReference: '"><b>' });
		await sandbox.setStatus(sandbox.messages()[0]!.messageId, '<i>');
		const query = { to: `"<x>"@example.com`, brand: evil, from: evil };
		await callSandbox(sandbox, { method: 'POST', path: '/otp/request', query });
		const { data } = await open(`/_sandbox?q=${encodeURIComponent(evil)}`);
		expect(data).toContain('&lt;script&gt;alert(1)');
		expect(data).not.toMatch(/<script>alert|<img|<b>|<i>|<x>/);
	});

	test('allows no foreign resource, and only its own script', async () => {
		const { data, headers } = await open();
		const policy = String(headers['content-security-policy']);
		expect(policy).toContain("default-src 'none'");
		const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy)!;
		expect(data).toContain(`<script nonce="${nonce}">`);
		expect(data).not.toMatch(/https?:\/\//);
		expect((await open()).headers['content-security-policy']).not.toBe(policy);
	});

	test('shows neither the secret nor a token nor a receipt URL', async () => {
		const deliveryReceiptUrl = 'http://127.0.0.1:9/hook?secret=s3cret';
		await send(sandbox, { deliveryReceiptUrl, encrypt: 1, encryptKey: 'enc-key' });
		const { data } = await open();
		for (const secret of ['hidden-secret', sandbox.token, 's3cret', 'enc-key']) {
			expect(data).not.toContain(secret);
		}
	});

	test('refreshes by a part of the page that is the same as in the page', async () => {
		await send(sandbox, { message: 'apples' });
		const { data: inbox } = await open('/_sandbox/inbox?q=apples');
		expect(inbox).toContain('apples');
		expect(inbox).not.toContain('<html');
		expect((await open('/_sandbox?q=apples')).data).toContain(inbox);
	});

	test('refreshes without a script too', async () => {
		expect((await open()).data).toMatch(/<noscript><meta http-equiv="refresh"/);
	});

	test('is of a bearable size however many messages there are', async () => {
		sandbox.seedMessages(10_000);
		const { data } = await open();
		expect(data).toContain('the newest 200 of 10000');
		expect(data.length).toBeLessThan(300_000);
	});

	test('says that it is alive', async () => {
		expect((await open('/_sandbox/livez')).data).toEqual({ status: 'ok' });
	});

	test.each(['cross-site', 'same-site'])('cannot be steered from a %s page', async (site) => {
		const answer = await axios.post(`${sandbox.url}/_sandbox/api/reset`, undefined, {
			headers: { 'Sec-Fetch-Site': site },
			validateStatus: () => true,
			proxy: false,
		});
		expect(answer.status).toBe(403);
	});
});
