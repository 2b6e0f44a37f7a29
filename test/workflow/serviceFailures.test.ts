import { deliveryTiming } from '../../nodes/shared/delivery/timing';
import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	accountFor,
	allOnce,
	mapped,
	retryOnFail,
	shortenDelivery,
	wantedMessages,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import { runNode } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const nodes = [
	{ type: 'SmsSend', path: '/rest/send', perRequest: 1, options: {} },
	{
		type: 'SmsBulkSend',
		path: '/rest/send/bulk',
		perRequest: 2,
		options: { recipientsPerRequest: 2 },
	},
] as const;

const goOn = { onError: 'continueRegularOutput' } as const;

describe.each(nodes)('$type, when the service', ({ type, path, options, perRequest }) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	shortenDelivery();

	const times = () =>
		sandbox
			.requests()
			.filter((request) => request.path.endsWith(path))
			.map(({ at }) => at);

	test('responds 429 with a date in Retry-After: waits until then', async () => {
		const wanted = wantedMessages(2);
		const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toUTCString();
		const effect = { status: 429, headers: { 'Retry-After': date } };
		sandbox.addFault({ match: { path }, effect, count: 1 });
		const { json } = await run({ ...mapped, options }, { items: wanted });
		expect(times()[perRequest === 1 ? 2 : 1]).toBeGreaterThanOrEqual(Date.parse(date) - 50);
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(2));
	});

	test('is slow and the execution is stopped: evaluates no further item', async () => {
		sandbox.configure({ latencyMs: 20 });
		let reads = 0;
		const items = wantedMessages(1_000).map(({ to, message }) => ({
			message,
			get to() {
				reads += 1;
				return to;
			},
		}));
		const stop = new AbortController();
		setTimeout(() => {
			reads = 0;
			stop.abort();
		}, 300);
		await runNode(
			{
				type,
				parameters: { ...mapped, options: { ...options, parallelRequests: 1 } },
				settings: goOn,
			},
			{ credentials: credentialsOf(sandbox), items, signal: stop.signal },
		);
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		expect(reads).toBeLessThan(5);
	});

	test('fails for everything: reports the rest as not sent, and sends it in the next attempt', async () => {
		const { outageAfter } = deliveryTiming;
		deliveryTiming.outageAfter = 3;
		const wanted = wantedMessages(30);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, count: 40 });
		const parameters = { ...mapped, options: { ...options, parallelRequests: 1 } };
		const first = await run(parameters, { items: wanted, settings: goOn });
		const errors = first.json.map(({ error }) => String(error));
		const heldBack = errors.filter((error) =>
			error.startsWith('Not sent: the service accepted none'),
		);
		expect(heldBack.length).toBeGreaterThan(10);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);

		sandbox.clearFaults();
		sandbox.addFault({ match: { path }, effect: { status: 500 }, count: 12 });
		const second = await run(parameters, { items: wanted, settings: retryOnFail });
		deliveryTiming.outageAfter = outageAfter;
		expect(accountFor(sandbox, wanted, second.json)).toEqual(allOnce(30));
	});

	test('responds 401: ends after at most three requests', async () => {
		const wanted = wantedMessages(40);
		const parameters = { ...mapped, options: { ...options, parallelRequests: 1 } };
		await run(parameters, { items: wanted, credentials: { apiSecret: 'wrong' } });
		expect(times().length).toBeLessThanOrEqual(3);
	});
});
