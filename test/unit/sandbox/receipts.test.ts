import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Sandbox, type Settings, startSandbox } from '../../../sandbox';
import { control, list, send, sendBulk } from '../../support/sandbox/callSandbox';
import { type Receiver, startReceiver } from '../../support/sandbox/startReceiver';

const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

describe('delivery receipts', () => {
	let sandbox: Sandbox;
	let receiver: Receiver;

	beforeAll(async () => {
		receiver = await startReceiver();
		sandbox = await startSandbox({
			pace: 0,
			defaultReceiptUrl: `${receiver.url}/default`,
			receiptRetryMs: 5,
		});
	});
	beforeEach(() => {
		sandbox.reset();
		receiver.calls.length = 0;
		receiver.statuses.length = 0;
	});
	afterAll(async () => {
		await sandbox.close();
		await receiver.close();
	});

	const deliver = async (fields: Record<string, unknown> = {}) => {
		const { data } = await send(sandbox, { clientReference: 'order 7&8', ...fields });
		sandbox.advance(60_000);
		await sandbox.settle();
		return data.messages[0] as { messageId: string };
	};
	const readStatuses = () => receiver.calls.map(({ query }) => query.status);

	test('report Sent and Delivered, as POST with the values in the query and an empty body', async () => {
		const { messageId } = await deliver();
		expect(readStatuses()).toEqual(['Sent', 'Delivered']);
		const [sent, delivered] = receiver.calls;
		expect(sent).toMatchObject({ method: 'POST', body: '' });
		expect(sent!.query).toEqual({
			messageId,
			to: '959779123456',
			clientReference: 'order 7&8',
			status: 'Sent',
			updatedAt: expect.stringMatching(DATE_TIME),
			finishedAt: '',
		});
		expect(delivered!.query.finishedAt).toBe(delivered!.query.updatedAt);
	});

	test('are listed page by page, more than one page of them too', async () => {
		const to = Array.from({ length: 300 }, (_, index) => `0977${1_000_000 + index}`);
		await sendBulk(sandbox, [{ to, message: 'x', from: 'Shop' }]);
		sandbox.advance(60_000);
		await sandbox.settle();
		expect(sandbox.receipts()).toHaveLength(600);
		expect((await control(sandbox, 'GET', '/receipts?newest=520')).data).toHaveLength(520);
	});

	test('carry times in GMT+6:30', async () => {
		await deliver();
		const { updatedAt } = receiver.calls[0]!.query;
		const utc = Date.parse(`${updatedAt!.replace(' ', 'T')}+06:30`);
		expect(Math.abs(utc - Date.now())).toBeLessThan(10_000);
	});

	test.each<[Settings['receiptMethod'], string, string]>([
		['form', 'POST', 'application/x-www-form-urlencoded'],
		['json', 'POST', 'application/json'],
		['get', 'GET', ''],
	])('can come as %s', async (receiptMethod, method, contentType) => {
		sandbox.configure({ receiptMethod });
		const { messageId } = await deliver();
		const [call] = receiver.calls;
		expect(call!.method).toBe(method);
		expect(call!.contentType.split(';')[0]).toBe(contentType);
		const values =
			receiptMethod === 'json'
				? (JSON.parse(call!.body) as Record<string, unknown>)
				: Object.fromEntries(new URLSearchParams(call!.body || call!.url.split('?')[1]));
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

	test('are retried until they get 200', async () => {
		receiver.statuses.push(500, 204, 200);
		await deliver();
		expect(readStatuses()).toEqual(['Sent', 'Sent', 'Sent', 'Delivered']);
		expect(sandbox.receipts().map(({ answered, attempt }) => [answered, attempt])).toEqual([
			[500, 1],
			[204, 2],
			[200, 3],
			[200, 1],
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

	test('to nobody are recorded without a response, and no redirect is followed', async () => {
		sandbox.configure({ receiptAttempts: 1 });
		await deliver({ deliveryReceiptUrl: 'http://127.0.0.1:9/closed' });
		expect(sandbox.receipts().map(({ answered }) => answered)).toEqual([null, null]);
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
		const { data } = await control(sandbox, 'GET', '/receipts?newest=1');
		const words = (data[0].problem as string).replaceAll(host, 'RECEIVER');
		expect([data[0].answered, words]).toEqual([null, expect.stringMatching(problem)]);
		for (const path of ['?view=receipts', `/messages/${messageId}`]) {
			const page = await (await fetch(`${sandbox.url}/_sandbox${path}`)).text();
			expect(page).toContain(data[0].problem);
		}
	});

	test('to a receiver whose certificate is not trusted say how to trust it', async () => {
		sandbox.configure({ receiptAttempts: 1 });
		const secured = await startSandbox({ tls: true });
		await deliver({ deliveryReceiptUrl: secured.url });
		await secured.close();
		expect(sandbox.receipts()[0]!.problem).toMatch(
			/^The certificate of 127\S+ is not valid: .+ Start the sandbox with NODE_EXTRA_CA_CERTS=FILE/,
		);
	}, 30_000);

	describe('to a receiver of their own', () => {
		const answer = async (respond: (socket: Socket) => void, attempts = 1) => {
			const server = createServer((socket) => {
				socket.on('error', () => undefined).once('data', () => respond(socket));
			});
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			sandbox.configure({ receiptAttempts: attempts });
			const { data } = await send(sandbox, { deliveryReceiptUrl: `http://127.0.0.1:${port}/` });
			await sandbox.setStatus(data.messages[0].messageId, 'Delivered');
			server.close();
			return sandbox.receipts().map(({ answered, problem }) => ({ answered, problem }));
		};

		test('count its status, and read no more than 64 kB of an endless body', async () => {
			let written = 0;
			const receipts = await answer((socket) => {
				socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n');
				const go = (): void => {
					if (socket.destroyed) return;
					written += 65_536;
					socket.write('x'.repeat(65_536), go);
				};
				go();
			});
			expect(receipts).toEqual([{ answered: 200, problem: undefined }]);
			expect(written).toBeLessThan(20_000_000);
		}, 20_000);

		test('count its status, when it breaks off the body', async () => {
			const receipts = await answer((socket) =>
				socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nx'),
			);
			expect(receipts).toEqual([{ answered: 503, problem: undefined }]);
		});

		test('say that it closed the connection, or is not HTTP', async () => {
			const [closed] = await answer((socket) => socket.destroy());
			expect(closed!.problem).toMatch(/closed the connection without a response\. Look into/);
			const [, other] = await answer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
			expect(other!.problem).toMatch(/does not respond with HTTP\. Correct the port/);
		});

		test('say that it did not respond in time', async () => {
			const [receipt] = await answer(() => undefined);
			expect(receipt!.problem).toMatch(/did not respond within 10 seconds\. Let the receiver/);
		}, 20_000);
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
		const [message] = (await list(sandbox)).data.messages;
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
		await send(sandbox, { to: '09000000014' });
		sandbox.advance(20_000);
		expect(sandbox.messages()[0]!.status).toBe('Sent');
		sandbox.advance(11_000);
		expect(sandbox.messages()[0]!.status).toBe('Delivered');
	});

	test('the number 15 responds after three seconds', async () => {
		const start = performance.now();
		await send(sandbox, { to: '09000000015' });
		expect(performance.now() - start).toBeGreaterThan(2900);
	});

	test('the number 18 is rejected by status', async () => {
		const { status, data } = await send(sandbox, { to: '09000000018' });
		expect([status, data.message]).toEqual([400, 'We were unable to send your message.']);
	});

	test('the number 19 reports before its send gets a response', async () => {
		await send(sandbox, { to: '09000000019' });
		expect(readStatuses()).toEqual(['Sent', 'Delivered']);
	});

	test('a message can be moved by hand, and then stays', async () => {
		const { data } = await send(sandbox);
		const { messageId } = data.messages[0];
		await sandbox.setStatus(messageId, 'Failed');
		expect(readStatuses()).toEqual(['Failed']);
		sandbox.advance(60_000);
		expect(sandbox.messages()[0]!.status).toBe('Failed');
		await expect(sandbox.setStatus('unknown', 'Failed')).rejects.toThrow(/no message/);
	});

	test('a message can be moved by hand over HTTP', async () => {
		const { data } = await send(sandbox);
		const path = `/messages/${data.messages[0].messageId}/status`;
		expect((await control(sandbox, 'POST', path, { status: 'Pending' })).status).toBe(200);
		expect(readStatuses()).toEqual(['Pending']);
		const unknown = await control(sandbox, 'POST', '/messages/unknown/status', { status: 'Sent' });
		expect(unknown.status).toBe(404);
	});

	test('messages move by themselves at the set pace', async () => {
		sandbox.configure({ pace: 30 });
		await send(sandbox);
		expect(sandbox.messages()[0]!.status).toBe('Accepted');
		while (receiver.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
		expect(readStatuses()).toEqual(['Sent', 'Delivered']);
	});
});
