import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import { retryTiming } from '../../nodes/shared/client/retry';
import { shortenDelivery } from './deliveryTools';
import { runAgainst } from './runAgainst';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server without manners, for what no framework would let it do. */
function useRawServer() {
	const raw = {
		baseUrl: '',
		apiKey: 'key',
		apiSecret: 'secret',
		requests: [] as string[],
		/** When the last connection was closed, in milliseconds since 1970. */
		closedAt: 0,
		answer: (() => undefined) as Answer,
	};
	let server: Server;
	beforeAll(async () => {
		server = createServer((request, response) => {
			raw.requests.push(String(request.url));
			request.socket.once('close', () => (raw.closedAt = Date.now()));
			raw.answer(request, response);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		raw.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
	});
	beforeEach(() => void Object.assign(raw, { requests: [], closedAt: 0 }));
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});
	return raw;
}

const json = { 'Content-Type': 'application/json' };
const record = { messageId: 'late-1', to: '959779123456', status: 'Accepted', message: 'Hello' };
const noHistory = JSON.stringify({ messages: [], limit: 1000, records: 0 });

describe('an answer that does not end', () => {
	const server = useRawServer();
	const readBalance = runAgainst(server, 'SmsBalance');
	const send = runAgainst(server, 'SmsSend');
	shortenDelivery();

	const trickle = async (response: ServerResponse) => {
		response.writeHead(200, json);
		while (!response.destroyed) {
			response.write(' ');
			await pause(20);
		}
	};

	test('is cut off at the time-out when it trickles in', async () => {
		server.answer = (_, response) => void trickle(response);
		const startedAt = Date.now();
		const { error } = await readBalance({ options: { timeout: 300 } });
		await pause(50);
		expect(error?.message).toContain('gave no answer in time');
		expect(server.closedAt - startedAt).toBeGreaterThan(0);
		// Five tries of a read, each of them cut off.
		expect(server.requests).toHaveLength(5);
	}, 20_000);

	test('to a send is cut off as well, and leaves a doubt', async () => {
		server.answer = ({ url }, response) =>
			String(url).includes('/messages') ? response.end(noHistory) : void trickle(response);
		const { error } = await send({ options: { timeout: 200, whenUnclear: 'report' } });
		await pause(50);
		expect(error?.message).toContain('outcome unknown');
		expect(server.closedAt).toBeGreaterThan(0);
	}, 20_000);

	test('is refused beyond 20 MB, and its connection closed', async () => {
		let bytes = 0;
		const chunk = Buffer.alloc(1_000_000, 32);
		server.answer = (_, response) => {
			response.writeHead(200, json);
			const more = () => {
				while (!response.destroyed && response.write(chunk)) bytes += chunk.length;
				bytes += chunk.length;
			};
			response.on('drain', more);
			more();
		};
		const { error } = await readBalance({ options: { timeout: 20_000 } });
		await pause(50);
		expect(error?.message).toContain('could not be read');
		expect(server.requests.length).toBeGreaterThan(0);
		expect(bytes / server.requests.length).toBeLessThan(40_000_000);
	}, 60_000);
});

describe('an answer that comes after the time-out', () => {
	const server = useRawServer();
	const send = runAgainst(server, 'SmsSend');
	const sendBulk = runAgainst(server, 'SmsBulkSend');
	shortenDelivery();

	/** No doubt ends before the late answer, however busy the machine is. */
	const { doubtAfterTimeOutLastsMs, looks } = deliveryTiming;
	const { patienceWithSendsMs } = retryTiming;
	beforeAll(() => void (retryTiming.patienceWithSendsMs = 3_000));
	afterAll(() => void (retryTiming.patienceWithSendsMs = patienceWithSendsMs));
	beforeAll(
		() =>
			void Object.assign(deliveryTiming, { doubtAfterTimeOutLastsMs: 3_000, looks: [100, 3_000] }),
	);
	afterAll(() => void Object.assign(deliveryTiming, { doubtAfterTimeOutLastsMs, looks }));

	const answerLate = (status: number, body: unknown) => {
		server.answer = async ({ url }, response) => {
			if (String(url).includes('/messages')) return response.end(noHistory);
			await pause(340);
			return response.writeHead(status, json).end(JSON.stringify(body));
		};
	};

	test.each([
		['SMS Send', send],
		['SMS Bulk Send', sendBulk],
	])('is taken by %s, which sends no second time', async (_, run) => {
		answerLate(201, { messages: [record] });
		const result = await run({ options: { timeout: 300 } });
		expect(result.error).toBeUndefined();
		expect(result.json[0].messageId).toBe('late-1');
		expect(server.requests.filter((url) => url.includes('/send'))).toHaveLength(1);
	});

	test('tells a refusal for what it is', async () => {
		answerLate(402, { message: 'Insufficient balance.' });
		const { error } = await send({ options: { timeout: 300 } });
		expect(error?.message).toContain('Insufficient balance.');
	});
});

describe('a request that never left', () => {
	const server = useRawServer();
	const send = runAgainst(server, 'SmsSend');
	shortenDelivery();

	test.each([
		['nobody listens', () => 'http://127.0.0.1:9/api'],
		['the name is unknown', () => 'https://nobody.invalid/api'],
		['the other side speaks no TLS', () => server.baseUrl.replace('http:', 'https:')],
	])('is no doubt when %s', async (_, baseUrl) => {
		const { error } = await send({}, { credentials: { baseUrl: baseUrl() } });
		expect(error?.message).toContain('could not be reached');
		expect(server.requests).toEqual([]);
	});
});

describe('what a failure says of its request', () => {
	const server = useRawServer();
	shortenDelivery();

	test('is method and path, never the query, and never its cause', async () => {
		server.answer = (_, response) => response.writeHead(400, json).end('{"message":"No"}');
		const settings = { onError: 'continueRegularOutput' } as const;
		const options = { surface: 'http' };
		const { json: items } = await runAgainst(server, 'SmsSend')({ options }, { settings });
		expect(items[0].details).toMatchObject({ request: 'POST /http/send', statusCode: 400 });
		expect(JSON.stringify(items)).not.toContain('accessToken');
	});
});
