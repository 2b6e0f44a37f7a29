import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { inCollections } from '../../tools/harness/inCollections';
import { MessagingServiceClient } from '../../nodes/shared/client/MessagingServiceClient';
import { listen } from '../support/listen';
import { shortenDelivery } from '../support/workflow/sending';
import { openContext } from '../support/workflow/openContext';
import { runAgainst } from '../support/workflow/runAgainst';

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
	let close: () => Promise<void>;
	beforeAll(async () => {
		const server = createServer((request, response) => {
			raw.requests.push(String(request.url));
			request.socket.once('close', () => (raw.closedAt = Date.now()));
			raw.answer(request, response);
		});
		const listening = await listen(server);
		raw.baseUrl = `${listening.url}/api`;
		close = listening.close;
	});
	beforeEach(() => void Object.assign(raw, { requests: [], closedAt: 0 }));
	afterAll(() => close());
	return raw;
}

const json = { 'Content-Type': 'application/json' };
const noHistory = JSON.stringify({ messages: [], limit: 1000, records: 0 });

describe('a response that does not end', () => {
	const server = useRawServer();
	const readBalance = runAgainst(server, 'SmsBalance');
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
		const { error } = await readBalance({ options: { timeout: 1_000 } });
		await pause(50);
		expect(error?.message).toContain('did not respond in time');
		expect(server.closedAt - startedAt).toBeGreaterThan(0);
		// Five tries of a read, each of them cut off.
		expect(server.requests).toHaveLength(5);
	}, 20_000);

	test('is rejected beyond 20 MB, and its connection closed', async () => {
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

describe('a response that does not come in time', () => {
	const server = useRawServer();
	shortenDelivery();

	test.each(['SmsSend', 'SmsBulkSend'] as const)(
		'of %s is not waited for: its connection is closed, and history tells',
		async (type) => {
			const parameters = inCollections({ timeout: 300, whenOutcomeUnknown: 'report' });
			const done = new Promise<number>((resolve) => {
				server.answer = ({ url, socket }, response) => {
					if (String(url).includes('/messages')) return response.end(noHistory);
					const startedAt = Date.now();
					return socket.once('close', () => resolve(Date.now() - startedAt));
				};
			});
			const { error } = await runAgainst(server, type)(parameters);
			expect(error?.message).toContain('Outcome unknown');
			expect(error?.message).toContain('ECONNABORTED');
			expect(await done).toBeLessThan(10_000);
			expect(server.requests.filter((url) => url.includes('/send'))).toHaveLength(1);
		},
	);
});

describe('a request without a response', () => {
	const server = useRawServer();

	test('is given up within a moment when the execution is stopped', async () => {
		const stop = new AbortController();
		server.answer = () => stop.abort();
		const context = openContext(server, { signal: stop.signal });
		const client = await MessagingServiceClient.open(context, {
			parallelRequests: 1,
			timeout: 30_000,
		});
		const startedAt = Date.now();
		await expect(client.getBalance()).rejects.toMatchObject({ kind: 'cancelled' });
		expect(Date.now() - startedAt).toBeLessThan(10_000);
	});
});

describe('a request that never left', () => {
	const server = useRawServer();
	const send = runAgainst(server, 'SmsSend');
	shortenDelivery();

	test.each([
		['nobody listens', () => 'http://127.0.0.1:9/api', 'could not be reached'],
		['the name is unknown', () => 'https://nobody.invalid/api', 'is unknown'],
		[
			'the other side speaks no TLS',
			() => server.baseUrl.replace('http:', 'https:'),
			'could not be reached',
		],
	])('is not a doubt when %s', async (_, baseUrl, words) => {
		const { error } = await send({}, { credentials: { baseUrl: baseUrl() } });
		expect(error?.message).toContain(words);
		expect(server.requests).toEqual([]);
	});
});
