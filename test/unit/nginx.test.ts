import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';

import { longestResponse } from '../../nodes/SmsSendAndWaitForResponse/page';
import { httpClient, type AxiosRequestConfig } from '../../scripts/http';
import { until } from '../../scripts/n8n/until';
import { listen } from '../support/listen';
import { callRaw } from '../support/sandbox/callRaw';
import { hasNginx, startProxy, startStockProxy, type Proxy } from '../support/unit/nginx';

/** The published configuration in front of a program that responds to everything. */
(hasNginx ? describe : describe.skip)('nginx.conf', () => {
	let upstream: Awaited<ReturnType<typeof listen>>;
	let proxy: Proxy;
	let seen: IncomingHttpHeaders[] = [];
	/** Calls that wait for the program, which is busy. */
	let held: Array<() => void> | undefined;
	beforeAll(async () => {
		const server = createServer((request, response) => {
			seen.push(request.headers);
			const answer = () => response.end('answered');
			request.resume().on('end', () => (held ? held.push(answer) : answer()));
		});
		upstream = await listen(server);
		proxy = await startProxy(upstream.url);
	});
	beforeEach(() => (seen = []));
	afterAll(async () => {
		await proxy?.close();
		await upstream?.close();
	});

	const receipts = '/webhook/0a4fc756-3216-4bef-857f-d8f20534003a/webhook';
	const call = async (path: string, from: string, request: AxiosRequestConfig = {}) => {
		const { status } = await httpClient.request({
			...{ url: `${proxy.url}${path}`, method: 'POST', maxBodyLength: Infinity },
			...{ validateStatus: () => true, ...request },
			headers: { 'X-Forwarded-For': from, ...request.headers },
		});
		return status;
	};
	/** An address may have 30 calls at once. */
	const inTens = async <T, R>(all: T[], work: (one: T) => Promise<R>): Promise<R[]> => {
		const results: R[] = [];
		for (let n = 0; n < all.length; n += 10)
			results.push(...(await Promise.all(all.slice(n, n + 10).map(work))));
		return results;
	};
	const countPassed = async (path: string, from: string[], method = 'POST') => {
		const statuses = await inTens(from, async (one) => await call(path, one, { method }));
		expect(statuses.filter((status) => ![200, 429].includes(status))).toEqual([]);
		return statuses.filter((status) => status === 200).length;
	};
	const many = (address: (n: number) => string) =>
		Array.from({ length: 160 }, (_, n) => address(n));

	test.each([
		['calls of a webhook from one address', '/webhook/page', () => '203.0.113.1', 60],
		['in upper case', '/WEBHOOK/page', () => '203.0.113.2', 60],
		['with an encoded letter', '/web%68ook/page', () => '203.0.113.3', 60],
		['from one /64 of IPv6', '/webhook/page', (n: number) => `2001:db8::${n + 1}`, 60],
		['from 160 /48s of IPv6', '/webhook/page', (n: number) => `2001:db8:${n + 16}::1`, 160],
		['from private addresses', '/webhook/page', (n: number) => ['10.0.0.7', 'fd00::7'][n % 2], 21],
		['of codes', '/webhook/sign-in-code', () => '203.0.113.8', 60],
		['of the sign-in page', '/webhook/sign-in-page', () => '203.0.113.15', 30],
		['of it from one /48', '/webhook/sign-in-page', (n: number) => `2001:db8:2:${n}::1`, 120],
		['of logins from one /48', '/rest/login', (n: number) => `2001:db8:3:${n}::1`, 81],
		['of questions', '/webhook-waiting/1', () => '203.0.113.9', 101],
		['of receipts', receipts, () => '203.0.113.4', 160],
		['of forms', '/form/page', () => '203.0.113.5', 21],
		['of logins', '/rest/login', () => '203.0.113.11', 21],
		['of forms from one /64', '/form-waiting/1', (n: number) => `2001:db8:1::${n + 1}`, 21],
	])('lets through of 160 %s: %s', async (_, path, address, passed) => {
		const count = await countPassed(path, many(address));
		expect(count).toBeGreaterThanOrEqual(passed);
		// On a busy machine, 160 calls take a few seconds.
		expect(count).toBeLessThanOrEqual(passed < 160 ? passed + 30 : 160);
	});

	test('lets a visitor open a page, submit it and enter a code after others did', async () => {
		const here = many(() => '203.0.113.6');
		expect(await countPassed('/webhook/page', here, 'GET')).toBeLessThan(120);
		expect(await countPassed('/webhook/page', here.slice(0, 60))).toBe(60);
		expect(await countPassed('/webhook/sign-in-page', here.slice(0, 30))).toBe(30);
		expect(await countPassed('/webhook/sign-in-code', here.slice(0, 60))).toBe(60);
	});

	test('shows the first page of the sign-in to everybody from one call in seconds, also while n8n is busy', async () => {
		const here = many(() => '203.0.113.16');
		expect(await countPassed('/webhook/sign-in-page', here, 'GET')).toBe(160);
		expect(seen.map((headers) => headers['accept-encoding'])).toEqual([undefined]);
		await new Promise((resolve) => setTimeout(resolve, 6_000));
		const busy: Array<() => void> = [];
		held = busy;
		expect(await countPassed('/WEBHOOK/sign-in-page', here.slice(0, 10), 'GET')).toBe(10);
		const [answer] = await until(async () => (busy.length > 0 ? busy : undefined), {
			what: 'a call',
		});
		held = undefined;
		answer();
		expect(busy).toHaveLength(1);
	});

	test.each([
		['with a query', '?a=1', {}],
		['with a cookie', '', { headers: { Cookie: 'a=1' } }],
		['with a body', '', { data: 'step=number' }],
	])('asks n8n for a page %s, and counts the call', async (about, query, request) => {
		const path = `/webhook/sign-in-page${query}`;
		const all = many(() => `203.0.113.1${about.length}`);
		const statuses = await inTens(all, async (from) =>
			call(path, from, { method: 'GET', ...request }),
		);
		const passed = statuses.filter((status) => status === 200).length;
		expect(passed).toBeLessThan(60);
		expect(seen).toHaveLength(passed);
	});

	test('leads a visitor who opens the path of codes to the first page, without n8n', async () => {
		const { status, headers } = await httpClient.get(`${proxy.url}/webhook/sign-in-code`, {
			...{ maxRedirects: 0, validateStatus: () => true },
		});
		expect([status, headers.location]).toEqual([303, '/webhook/sign-in-page']);
		expect(seen).toEqual([]);
	});

	test('lets the editor ask who is logged in, however many people share an address', async () => {
		const here = many(() => '203.0.113.14');
		expect(await countPassed('/rest/login', here, 'GET')).toBe(160);
	});

	test('counts other methods of a visitor together, and rejects words that are not methods', async () => {
		const other = ['PUT', 'PATCH', 'DELETE', 'OPTIONS'];
		const sent = many(() => '203.0.113.12').map((from, n) => ({ from, method: other[n % 4] }));
		const statuses = await inTens(
			sent,
			async ({ from, method }) => await call('/webhook/page', from, { method }),
		);
		expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(90);
		const method = 'X'.repeat(3000);
		for (const path of ['/webhook/page', '/webhook/sign-in-code', '/form/page'])
			expect(await call(path, '203.0.113.13', { method })).toBe(405);
	});

	test('says above a limit when to try again, on a page', async () => {
		const paths = many(() => '203.0.113.10').map((one) => ({ 'X-Forwarded-For': one }));
		const all = await inTens(paths, async (headers) =>
			httpClient.post<string>(`${proxy.url}/form/page`, '', {
				headers,
				validateStatus: () => true,
			}),
		);
		const { headers, data } = all.find(({ status }) => status === 429)!;
		expect(headers).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'retry-after': '60',
		});
		expect(data).toContain('try again in a minute');
	});

	test.each([
		['/rest/push?pushRef=1', 'websocket', 'upgrade'],
		['/webhook/page', undefined, undefined],
		['/webhook-waiting/1', undefined, undefined],
	])('passes on an upgrade of the editor only: %s', async (path, upgrade, connection) => {
		const headers = { Upgrade: 'websocket', Connection: 'Upgrade' };
		await call(path, '198.51.100.96', { headers });
		expect(seen).toHaveLength(1);
		expect([seen[0].upgrade, seen[0].connection]).toEqual([upgrade, connection]);
	});

	/** As written: axios would clean it. */
	const callAsWritten = async (path: string) => {
		const headers = { 'X-Forwarded-For': '198.51.100.97' };
		return (await callRaw(proxy.url, { path, headers, method: 'POST' })).status;
	};

	const oddPaths = String.raw`
		/webhook\page# //webhook-waiting%2f@b/webhook/page?# /webhook\page //webhook/page
		/webhook/page# /form-waiting/..\webhook/page ///webhook/page /x/../webhook/page
		/webhook/a/%2e%2e/webhook /webhook/a/.%2E/webhook /webhook/./page /webhook/page/..
		/webhook/a%2f..%2fwebhook/..%2fwebhook /%2e/webhook/page /webhook/page?a=\b#c
		/webhook/page%2f..%2fsign-in-code /webhook%2F.%2Fpage /webhook/page%2f..`;
	const usualPaths = `
		/ /rest/login /webhook-test/a /webhook-waiting/1?signature=a%2Fb..%23 /a..b/c
		/icons/@scope/n8n-nodes-x/dist/icon.svg /.well-known/x /workflow/1?x=../y`;
	const listPaths = (text: string) => text.trim().split(/\s+/);

	test.each(listPaths(oddPaths))(
		'rejects a path that n8n could read differently: %s',
		async (path) => {
			expect(await callAsWritten(path)).toBe(400);
			expect(seen).toEqual([]);
		},
	);

	test.each(listPaths(usualPaths))('passes on a usual path: %s', async (path) => {
		expect(await callAsWritten(path)).toBe(200);
	});

	test('lets one visitor hold 30 forms at once, while others get through', async () => {
		const { hostname, port } = new URL(proxy.url);
		const slow = Array.from({ length: 45 }, () => {
			const socket = connect(Number(port), hostname);
			socket.on('error', () => undefined);
			const head = ['POST /form/slow HTTP/1.1', 'Host: n8n', 'X-Forwarded-For: 203.0.113.50'];
			socket.write([...head, 'Content-Length: 100', '', 'x'].join('\r\n'));
			return socket;
		});
		const answers = await Promise.all(
			slow.map(async (socket) =>
				Promise.race([
					once(socket, 'data').then(([data]) => String(data).slice(9, 12)),
					new Promise<string>((resolve) => setTimeout(() => resolve('held'), 3000)),
				]),
			),
		);
		expect(answers.filter((answer) => answer === 'held').length).toBeLessThanOrEqual(30);
		expect(answers.filter((answer) => answer === '429').length).toBeGreaterThanOrEqual(10);
		expect(await call('/form/slow', '203.0.113.51')).toBe(200);
		for (const socket of slow) socket.destroy();
	});

	test("works outside Docker as the page says, in Debian's own configuration", async () => {
		const stock = await startStockProxy(upstream.url);
		const { data } = await httpClient.get<string>(`${stock.url}/webhook/page`);
		expect(data).toBe('answered');
		await stock.close();
	});

	test('tells n8n the visitor, whatever the visitor writes', async () => {
		const headers = { 'X-Real-IP': '192.0.2.1', 'X-Forwarded-For': '192.0.2.2, 203.0.113.7' };
		await call('/webhook/page', '', { headers });
		expect(seen).toMatchObject([{ 'x-real-ip': '203.0.113.7', 'x-forwarded-for': '203.0.113.7' }]);
	});

	const bomb = gzipSync(JSON.stringify(Array.from({ length: 5_000_000 }, () => ({}))));
	test.each(['/webhook/page', receipts, '/webhook-waiting/1', '/form/page', '/rest/login'])(
		'rejects what is compressed before n8n unpacks it: %s',
		async (path) => {
			expect(bomb.length).toBeLessThan(20_000);
			const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
			expect(await call(path, '198.51.100.99', { data: bomb, headers })).toBe(415);
			expect(seen).toEqual([]);
		},
	);

	test.each([
		['/webhook/page', 9_000, 200],
		['/webhook/page', 11_000, 413],
		['/webhook-waiting/1', 19_000, 200],
		['/webhook-waiting/1', 21_000, 413],
		['/WEBHOOK-WAITING/1', 21_000, 413],
		['/Webhook/page', 11_000, 413],
		[receipts, 900_000, 200],
		[receipts, 1_100_000, 413],
		['/form/page', 2_000_000, 200],
	])('responds to %s with a body of %i bytes with %i', async (path, bytes, status) => {
		expect(await call(path, '198.51.100.98', { data: 'x'.repeat(bytes) })).toBe(status);
	});

	test('passes on the longest response that the page of a question allows, in Burmese', async () => {
		const data = new URLSearchParams({ text: 'က'.repeat(longestResponse) }).toString();
		expect(data.length).toBeGreaterThan(18_000);
		expect(await call('/webhook-waiting/1', '198.51.100.98', { data })).toBe(200);
		expect(seen).toMatchObject([{ 'content-length': `${data.length}` }]);
	});
});
