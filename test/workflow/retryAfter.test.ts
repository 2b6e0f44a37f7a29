import type { IDataObject } from 'n8n-workflow';

import { retryTiming } from '../../nodes/shared/client/retry';
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
import { answerJson, useStandIn } from '../support/workflow/useStandIn';

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

describe.each(nodes)(
	'$type and a service that has had enough',
	({ type, path, options, perRequest }) => {
		const sandbox = useSandbox();
		const run = runAgainst(sandbox, type);
		shortenDelivery();

		const times = () =>
			sandbox
				.requests()
				.filter((request) => request.path.endsWith(path))
				.map(({ at }) => at);

		test.each([
			['a 429', 429],
			['a 503', 503],
		])('sends nothing for as long as Retry-After of %s says', async (_, status) => {
			const wanted = wantedMessages(8);
			const effect = { status, headers: { 'Retry-After': '0.4' } };
			sandbox.addFault({ match: { path }, effect, skip: 1, count: 1 });
			const parameters = { ...mapped, options: { ...options, parallelRequests: 1 } };
			const { json } = await run(parameters, { items: wanted });
			const [, refused, next] = times();
			expect(next - refused).toBeGreaterThanOrEqual(380);
			expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(8));
		});

		test('reads Retry-After as a date', async () => {
			const wanted = wantedMessages(2);
			const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toUTCString();
			const effect = { status: 429, headers: { 'Retry-After': date } };
			sandbox.addFault({ match: { path }, effect, count: 1 });
			const { json } = await run({ ...mapped, options }, { items: wanted });
			expect(times()[perRequest === 1 ? 2 : 1]).toBeGreaterThanOrEqual(Date.parse(date) - 50);
			expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(2));
		});

		test('gives up on a service that refuses with 429 again and again, and says that nothing was sent', async () => {
			sandbox.addFault({ match: { path }, effect: { status: 429 } });
			const { json } = await run(
				{ ...mapped, options },
				{ items: wantedMessages(1), settings: goOn },
			);
			expect(json[0].error).toContain('Too many requests');
			expect(times()).toHaveLength(retryTiming.attemptsOfUnsent);
			expect(sandbox.messages()).toEqual([]);
		});

		test('stops within a second when the execution is stopped', async () => {
			sandbox.configure({ latencyMs: 50 });
			const stop = new AbortController();
			setTimeout(() => stop.abort(), 300);
			const parameters = { ...mapped, options: { ...options, parallelRequests: 1 } };
			const execution = runNode(
				{ type, parameters },
				{ credentials: credentialsOf(sandbox), items: wantedMessages(200), signal: stop.signal },
			);
			await execution;
			await new Promise((resolve) => setTimeout(resolve, 700));
			const sent = sandbox.requests().length;
			await new Promise((resolve) => setTimeout(resolve, 300));
			expect(sandbox.requests()).toHaveLength(sent);
			expect(sent).toBeLessThan(12);
			expect(sent).toBeGreaterThan(2);
		});

		test('holds back what waits for Retry-After when an item is refused meanwhile', async () => {
			const wanted = wantedMessages(4);
			wanted[1].to = '959000000011';
			const match = (item: number) => ({ path, contains: wanted[item].message });
			const effect = { status: 429, headers: { 'Retry-After': '0.6' } };
			sandbox.addFault({ match: match(0), effect, count: 1 });
			sandbox.addFault({ match: match(1), effect: { slowMs: 250 } });
			const parameters = { ...mapped, options: { recipientsPerRequest: 1, parallelRequests: 3 } };
			const { error } = await run(parameters, { items: wanted });
			expect(error?.message).toContain('Invalid Sender ID');
			const sent = sandbox.requests().map(({ body, at }) => ({ body: JSON.stringify(body), at }));
			const refusal = sent.find(({ body }) => body.includes(wanted[1].message));
			const later = sent.filter(({ at }) => at > Number(refusal?.at) + 250);
			// The one that was refused by 429 was under way.
			expect(later.filter(({ body }) => !body.includes(wanted[0].message))).toEqual([]);
		});

		test('reads no further item when the execution is stopped', async () => {
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

		test('stops within a second while it waits for Retry-After', async () => {
			sandbox.addFault({ effect: { status: 429, headers: { 'Retry-After': '30' } } });
			const stop = new AbortController();
			setTimeout(() => stop.abort(), 100);
			const startedAt = Date.now();
			await runNode(
				{ type, parameters: { ...mapped, options: { ...options, parallelRequests: 1 } } },
				{ credentials: credentialsOf(sandbox), items: wantedMessages(4), signal: stop.signal },
			);
			await new Promise((resolve) => setTimeout(resolve, 600));
			expect(Date.now() - startedAt).toBeLessThan(3_000);
			expect(sandbox.requests()).toHaveLength(1);
		});

		test('holds messages back in an outage, says they were not sent, and sends them in the next try', async () => {
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
			expect(sandbox.messages()).toEqual([]);

			sandbox.clearFaults();
			sandbox.addFault({ match: { path }, effect: { status: 500 }, count: 12 });
			const second = await run(parameters, { items: wanted, settings: retryOnFail });
			deliveryTiming.outageAfter = outageAfter;
			expect(accountFor(sandbox, wanted, second.json)).toEqual(allOnce(30));
		});

		test('goes on when the service takes all messages and loses all answers', async () => {
			const { outageAfter } = deliveryTiming;
			deliveryTiming.outageAfter = 3;
			const wanted = wantedMessages(20);
			sandbox.addFault({ match: { path }, when: 'after', effect: { status: 502 } });
			const { json } = await run({ ...mapped, options }, { items: wanted });
			deliveryTiming.outageAfter = outageAfter;
			expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(20));
		});

		test('sends again after a refused connection', async () => {
			const nobody = { baseUrl: 'http://127.0.0.1:9/api' };
			const { json } = await run(
				{ ...mapped, options },
				{ items: wantedMessages(1), credentials: nobody, settings: goOn },
			);
			expect(json[0].error).toContain('could not be reached (ECONNREFUSED)');
		});

		test('begins hardly another message after a 401, and repeats none', async () => {
			const wanted = wantedMessages(40);
			const parameters = { ...mapped, options: { ...options, parallelRequests: 1 } };
			await run(parameters, { items: wanted, credentials: { apiSecret: 'wrong' } });
			expect(times().length).toBeLessThanOrEqual(3);
		});
	},
);

interface Body {
	to: string;
	message: string;
	from: string;
	messages?: Array<{ to: string[]; message: string; from: string }>;
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Services that keep to the letter of the specification less than ours. */
describe('SMS Bulk Send never sends a second time', () => {
	const service = useStandIn();
	const run = runAgainst(service, 'SmsBulkSend');
	shortenDelivery();
	let stored: IDataObject[] = [];
	let sends = 0;
	beforeEach(() => {
		stored = [];
		sends = 0;
	});

	const serve = (change: (record: IDataObject) => IDataObject, loses = true) => {
		service.answer = ({ path, body }) => {
			if (path === '/rest/messages') {
				return answerJson(200, {
					messages: [...stored].reverse(),
					records: stored.length,
					limit: 1000,
				});
			}
			sends += 1;
			const { messages = [] } = JSON.parse(body) as Body;
			const records = messages.flatMap(({ to, ...text }) =>
				to.map((number, n) =>
					change({
						messageId: `id-${Date.now()}-${stored.length + n}`,
						to: number,
						...text,
						createdAt: day(Date.now()),
						status: 'Accepted',
					}),
				),
			);
			stored.push(...records);
			return loses ? answerJson(500, {}) : answerJson(200, { messages: records });
		};
	};

	test.each([
		['cuts texts', (record: IDataObject) => ({ ...record, message: 'Mess' })],
		['replaces the sender ID', (record: IDataObject) => ({ ...record, from: 'Operator' })],
	])('to a service that %s: the outcome is unknown', async (_, change) => {
		serve(change);
		const { json } = await run(mapped, { items: wantedMessages(3), settings: goOn });
		expect(json.map(({ error }) => error)).toEqual(
			Array(3).fill(expect.stringContaining('Outcome unknown')),
		);
		expect(sends).toBe(1);
	});

	test.each([
		[
			'writes numbers as 09…',
			(record: IDataObject) => ({ ...record, to: String(record.to).replace(/^959/, '09') }),
		],
		[
			'writes numbers with +',
			(record: IDataObject) => ({ ...record, to: `+${String(record.to)}` }),
		],
		[
			'trims texts',
			(record: IDataObject) => ({ ...record, message: String(record.message).trim() }),
		],
	])('to a service that %s', async (_, change) => {
		const inYangon = (record: IDataObject) =>
			change({ ...record, createdAt: day(Date.now() + 6.5 * 3_600_000) });
		serve(inYangon, false);
		const items = wantedMessages(3).map((item) => ({ ...item, message: ` ${item.message}\n` }));
		const { json } = await run(mapped, { items });
		expect(json).toHaveLength(3);
		serve(inYangon);
		const again = await run(mapped, { items, settings: goOn });
		expect(again.json.map(({ messageId }) => messageId)).toEqual(
			stored.slice(3).map(({ messageId }) => messageId),
		);
		expect(sends).toBe(2);
	});

	test('to a service whose times are of no known zone: the outcome is unknown', async () => {
		serve((record) => ({ ...record, createdAt: day(Date.now() + 25_240_000) }));
		const { json } = await run(mapped, { items: wantedMessages(3), settings: goOn });
		expect(json.map(({ error }) => error)).toEqual(
			Array(3).fill(expect.stringContaining('Outcome unknown')),
		);
		expect(sends).toBe(1);
	});

	test('to a service that writes UTC, where no other response of the run has told so: unknown', async () => {
		serve((record) => record);
		const lost = await run(mapped, { items: wantedMessages(3), settings: goOn });
		expect(lost.json.map(({ error }) => error)).toEqual(
			Array(3).fill(expect.stringContaining('Outcome unknown')),
		);
		expect(sends).toBe(1);
	});

	test('when an answer leaves out a recipient that the service has taken', async () => {
		service.answer = ({ path, body }) => {
			if (path === '/rest/messages') return answerJson(200, { messages: stored, limit: 1000 });
			sends += 1;
			const { messages = [] } = JSON.parse(body) as Body;
			stored = messages.map(({ to: [to], ...text }, n) => ({
				messageId: `left-${n}`,
				status: 'Accepted',
				to,
				...text,
				createdAt: day(Date.now()),
			}));
			return answerJson(201, { messages: stored.slice(1) });
		};
		const { json } = await run(mapped, { items: wantedMessages(3) });
		expect(json.map(({ messageId }) => messageId)).toEqual(['left-0', 'left-1', 'left-2']);
		expect(sends).toBe(1);
	});
});
