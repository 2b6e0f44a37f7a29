import { createServer, type Socket } from 'node:net';
import type { Settings } from '../../../sandbox';
import { listen } from '../../support/listen';
import { numbers, sleep, useReceiver, useSandbox } from '../../support/sandbox/harness';
import { startUntrusted } from '../../support/unit/startUntrusted';

const dateTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

describe('delivery receipts', () => {
	const receiver = useReceiver();
	const sandbox = useSandbox({ receiptRetryMs: 5 });

	beforeEach(() => sandbox.configure({ defaultReceiptUrl: `${receiver.url}/default` }));

	const deliver = async (fields: Record<string, unknown> = {}) => {
		const { data } = await sandbox.send({ clientReference: 'order 7&8', ...fields });
		await sandbox.pass();
		return data.messages[0] as { messageId: string };
	};
	const readStatuses = () => receiver.calls.map(({ query }) => query.status);
	const readAnswered = () => sandbox.receipts().map(({ answered }) => answered);

	test('report Sent and Delivered, as POST with the values in the query and an empty body', async () => {
		const { messageId } = await deliver();
		expect(readStatuses()).toEqual(['Sent', 'Delivered']);
		const [sent, delivered] = receiver.calls;
		expect(sent).toMatchObject({ method: 'POST', body: '' });
		expect(sent!.query).toEqual({
			...{ messageId, to: '959779123456', clientReference: 'order 7&8', status: 'Sent' },
			...{ updatedAt: expect.stringMatching(dateTime), finishedAt: '' },
		});
		expect(delivered!.query.finishedAt).toBe(delivered!.query.updatedAt);
		const utc = Date.parse(`${sent!.query.updatedAt!.replace(' ', 'T')}+06:30`);
		expect(Math.abs(utc - Date.now())).toBeLessThan(10_000);
	});

	test('are listed page by page, more than one page of them too', async () => {
		await sandbox.sendBulk([{ to: numbers(300), message: 'x', from: 'Shop' }]);
		await sandbox.pass();
		expect(sandbox.receipts()).toHaveLength(600);
		expect((await sandbox.control('GET', '/receipts?newest=520')).data).toHaveLength(520);
	});

	test.each<[Settings['receiptMethod'], string, string]>([
		['form', 'POST', 'application/x-www-form-urlencoded'],
		['json', 'POST', 'application/json'],
		['get', 'GET', ''],
	])('can come as %s', async (receiptMethod, method, type) => {
		sandbox.configure({ receiptMethod });
		const { messageId } = await deliver();
		const { contentType, body, url, ...call } = receiver.calls[0]!;
		expect([call.method, contentType.split(';')[0]]).toEqual([method, type]);
		const values =
			receiptMethod === 'json'
				? (JSON.parse(body) as object)
				: Object.fromEntries(new URLSearchParams(body || url.split('?')[1]));
		expect(values).toMatchObject({ messageId, status: 'Sent', clientReference: 'order 7&8' });
	});

	test('go to the URL of the message, whose own query is kept byte by byte', async () => {
		await deliver({ deliveryReceiptUrl: `${receiver.url}/own?signature=a%2Fb+c&x` });
		expect(receiver.calls[0]!.url).toMatch(/^\/own\?signature=a%2Fb\+c&x&messageId=/);
	});

	test('are not sent without any URL', async () => {
		sandbox.configure({ defaultReceiptUrl: '' });
		await deliver();
		expect([receiver.calls, sandbox.receipts()]).toEqual([[], []]);
	});

	test('are retried until they get 200, after pauses that grow', async () => {
		sandbox.configure({ receiptRetryMs: 40 });
		receiver.statuses.push(500, 204, 200);
		await deliver();
		expect(readStatuses()).toEqual(['Sent', 'Sent', 'Sent', 'Delivered']);
		const [, second, third] = sandbox.receipts().map(({ at }) => at);
		expect(third! - second!).toBeGreaterThanOrEqual(79);
		const attempts = sandbox.receipts().map(({ attempt }) => attempt);
		expect([readAnswered(), attempts]).toEqual([
			[500, 204, 200, 200],
			[1, 2, 3, 1],
		]);
	});

	test('are given up after the last attempt', async () => {
		receiver.statuses.push(500, 500, 500);
		await deliver();
		expect(readStatuses()).toEqual(['Sent', 'Sent', 'Sent', 'Delivered']);
		expect(sandbox.messages()[0]!.reported).toEqual([
			{ status: 'Sent', answered: 500 },
			{ status: 'Delivered', answered: 200 },
		]);
	});

	test('follow no redirect', async () => {
		sandbox.configure({ receiptAttempts: 1 });
		receiver.statuses.push(302, 302);
		await deliver();
		expect(receiver.calls).toHaveLength(2);
	});

	test.each([
		['a closed port', 'http://127.0.0.1:9', /^Nothing listens on 127\.0\.0\.1:9\. Start/],
		['an unknown host', 'http://nobody.invalid', /^The host of nobody\.invalid is unknown\./],
		['plain HTTP', 'https://RECEIVER', /^RECEIVER does not respond with TLS\. Begin its URL/],
	])('to %s say why, and what to do', async (_case, url, problem) => {
		sandbox.configure({ receiptAttempts: 1 });
		const { host } = new URL(receiver.url);
		const deliveryReceiptUrl = `${url.replace('RECEIVER', host)}/hook?secret=s`;
		const { messageId } = await deliver({ deliveryReceiptUrl });
		const { problem: said = '' } = sandbox.receipts().at(-1)!;
		expect(readAnswered()).toEqual([null, null]);
		expect(said.replaceAll(host, 'RECEIVER')).toMatch(problem);
		expect(await sandbox.readPage('?view=receipts')).toContain(said);
		expect(await sandbox.readPage(`/messages/${messageId}`)).toContain(said);
	});

	test('to a receiver whose certificate is not trusted say how to trust it', async () => {
		sandbox.configure({ receiptAttempts: 1 });
		const { url, close } = await startUntrusted();
		await deliver({ deliveryReceiptUrl: url });
		close();
		expect(sandbox.receipts()[0]!.problem).toMatch(
			/^The certificate of 127\S+ is not valid: .+ Start the sandbox with NODE_EXTRA_CA_CERTS=FILE/,
		);
	});

	/** What the sandbox says of a receipt to a receiver that does this with its connection. */
	const meet = async (respond: (socket: Socket) => void) => {
		const server = createServer((socket) => {
			socket.on('error', () => undefined).once('data', () => respond(socket));
		});
		const { url } = await listen(server);
		sandbox.configure({ receiptAttempts: 1 });
		const { data } = await sandbox.send({ deliveryReceiptUrl: url });
		await sandbox.setStatus(data.messages[0].messageId, 'Delivered');
		server.close();
		const { answered, problem } = sandbox.receipts().at(-1)!;
		return answered ?? problem;
	};

	test('read no more than 64 kB of an endless body: its status counts', async () => {
		let written = 0;
		const seen = await meet((socket) => {
			socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n');
			const go = (): void => {
				if (socket.destroyed) return;
				written += 65_536;
				socket.write('x'.repeat(65_536), go);
			};
			go();
		});
		expect(seen).toBe(200);
		expect(written).toBeLessThan(20_000_000);
	});

	test.each<[string, (socket: Socket) => unknown, RegExp]>([
		[
			'breaks off the body: its status counts',
			(socket) => socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nx'),
			/^503$/,
		],
		[
			'closes the connection',
			(socket) => socket.destroy(),
			/closed the connection without a response\. Look into/,
		],
		[
			'is not HTTP',
			(socket) => socket.end('SSH-2.0-OpenSSH\r\n'),
			/does not respond with HTTP\. Correct the port/,
		],
		[
			'does not respond in time',
			() => undefined,
			/did not respond within 10 seconds\. Let the receiver/,
		],
	])('to a receiver that %s', async (_case, respond, seen) => {
		expect(String(await meet(respond))).toMatch(seen);
	});

	test.each([
		['09000000001', 'Delivered', ['Sent', 'Delivered'], true],
		['09000000002', 'Undelivered', ['Sent', 'Undelivered'], true],
		['09000000003', 'Failed', ['Sent', 'Failed'], true],
		['09000000004', 'Rejected', ['Rejected'], true],
		['09000000005', 'Error', ['Sent', 'Error'], true],
		['09000000006', 'Expired', ['Sent', 'Pending', 'Expired'], true],
		['09000000007', 'Pending', ['Sent', 'Pending'], false],
		['09000000008', 'Accepted', [], false],
		['09000000009', '?', ['Sent', '?'], false],
		['09000000010', 'Success', ['Sent', 'Success'], true],
		['09000000012', 'Delivered', ['Sent', 'Sent', 'Delivered', 'Delivered'], true],
		['09000000013', 'Delivered', ['Delivered', 'Sent'], true],
		['09000000016', 'Buffered', ['Sent', 'Buffered'], false],
		['09000000017', 'Delivered', [], true],
		['09000000099', 'Delivered', ['Sent', 'Delivered'], true],
	])('the number %s ends as %s and reports %j', async (to, status, reported, isFinished) => {
		await deliver({ to });
		const [message] = (await sandbox.list()).data.messages;
		expect([message.status, message.finishedAt !== null]).toEqual([status, isFinished]);
		expect(readStatuses()).toEqual(reported);
	});

	test('the out-of-order number reports the earlier status with its earlier time', async () => {
		await deliver({ to: '09000000013' });
		const [delivered, sent] = receiver.calls.map(({ query }) => query);
		expect(delivered!.updatedAt! > sent!.updatedAt!).toBe(true);
		expect(sent!.finishedAt).toBe('');
	});

	test('the number 14 takes ten times as long', async () => {
		await sandbox.send({ to: '09000000014' });
		sandbox.advance(20_000);
		expect(sandbox.messages()[0]!.status).toBe('Sent');
		sandbox.advance(11_000);
		expect(sandbox.messages()[0]!.status).toBe('Delivered');
	});

	test('the number 15 responds after three seconds', async () => {
		const begun = performance.now();
		await sandbox.send({ to: '09000000015' });
		expect(performance.now() - begun).toBeGreaterThan(2900);
	});

	test('the number 19 reports before its send gets a response', async () => {
		await sandbox.send({ to: '09000000019' });
		expect(readStatuses()).toEqual(['Sent', 'Delivered']);
	});

	test('a message can be moved by hand, and then stays', async () => {
		const { data } = await sandbox.send();
		await sandbox.setStatus(data.messages[0].messageId, 'Failed');
		expect(readStatuses()).toEqual(['Failed']);
		sandbox.advance(60_000);
		expect(sandbox.messages()[0]!.status).toBe('Failed');
	});

	test('messages move by themselves at the set pace', async () => {
		sandbox.configure({ pace: 300 });
		await sandbox.send();
		expect(sandbox.messages()[0]!.status).toBe('Accepted');
		while (receiver.calls.length < 2) await sleep(10);
		expect(readStatuses()).toEqual(['Sent', 'Delivered']);
	});
});
