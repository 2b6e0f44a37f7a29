import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { httpClient } from '../../scripts/http';
import type { IDataObject, INode, IRun } from 'n8n-workflow';

import { SmsSendAndWait } from '../../nodes/SmsSendAndWait/SmsSendAndWait.node';
import { shared, watchTiming } from '../../nodes/SmsSendAndWait/watchHistory';
import { until } from '../../scripts/n8n/until';
import { collectGarbage } from '../support/unit/collectGarbage';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { shortenDelivery } from '../support/workflow/sending';
import { openContext } from '../support/workflow/openContext';
import {
	inLine,
	inLoop,
	runWorkflow,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';
import { useWaitingN8n } from '../support/workflow/WaitingN8n';
import { soon, useWatchTiming } from '../support/workflow/watchHistory';

const limitMs = 3_000;

/** A name that n8n's expressions could stumble over. */
const name = `Wait "here" {{ 'now' }}`;

function waiting(parameters: IDataObject = {}, settings: Partial<INode> = {}): WorkflowUnderTest {
	const message = { to: '09791234567', message: 'Your table is free', from: 'Bistro' };
	const wait = { waitFor: 'anyFinal', timeLimit: limitMs / 60_000 };
	const all = { ...message, ...wait, simplify: false, ...parameters };
	return inLine({ name, type: 'SmsSendAndWait', parameters: all, settings });
}

const comes = async (what: string, isThere: () => boolean) =>
	await until(async () => isThere() || undefined, { what, timeoutMs: 60_000, everyMs: 5 });

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));
async function pageServer(): Promise<string> {
	const server = createServer((_, response) => response.end('<html>Router</html>'));
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
async function closedPort(): Promise<string> {
	const origin = await pageServer();
	await new Promise((resolve) => servers.pop()?.close(resolve));
	return origin;
}

describe('SMS Send and Wait', () => {
	const sandbox = useSandbox();
	const n8n = useWaitingN8n();
	shortenDelivery();
	useWatchTiming(limitMs);

	const fallAsleep = async (underTest = waiting(), options: Partial<RunOptions> = {}) => {
		const credentials = credentialsOf(sandbox);
		const { executionId, run } = await n8n.run(underTest, { credentials, ...options });
		expect(run.data.resultData.error).toBeUndefined();
		expect(n8n.statusOf(executionId)).toBe('waiting');
		return executionId;
	};
	const output = async (executionId: string) => (await n8n.awake(executionId, name)).json[0];
	const sends = () => sandbox.requests().filter(({ path }) => path === '/api/rest/send');
	const receiptUrl = (send = 0) => String((sends()[send].body as IDataObject).deliveryReceiptUrl);
	const proofOf = (url: string) => String(new URL(url).searchParams.get('proof'));
	const messageId = (message = 0) => sandbox.messages()[message].messageId;
	/** A call with a list of receipts as JSON. */
	const report = async (statuses: string[], url = receiptUrl(), id = messageId(), to?: string) => {
		const receipts = statuses.map((status) => ({ messageId: id, status, to }));
		const { status } = await httpClient.post(url, receipts, { validateStatus: () => true });
		return status;
	};

	/** History knows, and the receipt gets lost. */
	const loseReceipt = async (status: 'Delivered' | 'Failed') => {
		sandbox.configure({ receiptAttempts: 1 });
		n8n.outages.unshift(500);
		await sandbox.setStatus(messageId(), status);
		n8n.calls.splice(0);
	};

	describe('a list of receipts in one call', () => {
		test.each([
			[['Sent', 'Delivered'], 'anyFinal', 'delivered'],
			[['Delivered', 'Sent'], 'anyFinal', 'delivered'],
			[['Sent', 'Failed'], 'anyFinal', 'notDelivered'],
			[['Sent', 'Failed', 'Delivered'], 'anyFinal', 'delivered'],
			[['Failed', 'Delivered'], 'delivered', 'delivered'],
		])('of %j wakes who waits for %s as %s', async (statuses, waitFor, outcome) => {
			const executionId = await fallAsleep(waiting({ waitFor }));
			expect(await report(statuses)).toBe(200);
			expect(await output(executionId)).toMatchObject({ outcome, receipt: { final: true } });
		});

		test('of another message, or without a final one, wakes nobody', async () => {
			const executionId = await fallAsleep();
			expect(await report(['Sent', 'Delivered'], receiptUrl(), 'another')).toBe(200);
			expect(await report(['Accepted', 'Sent', '?'])).toBe(200);
			expect(n8n.statusOf(executionId)).toBe('waiting');
		});

		test('of another recipient of the same ID wakes nobody, and of this one in any notation does', async () => {
			const executionId = await fallAsleep();
			const { to } = sandbox.messages()[0];
			const reportFor = async (number: string) =>
				await report(['Delivered'], receiptUrl(), messageId(), number);
			expect(await reportFor('959790000000')).toBe(200);
			expect(n8n.statusOf(executionId)).toBe('waiting');
			expect(await reportFor(to.replace(/^95/, '+95 '))).toBe(200);
			expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
		});
	});

	test('is not woken by a receipt after its limit, until n8n ends the wait', async () => {
		const executionId = await fallAsleep(waiting({ timeLimit: 0.005 }));
		await sleep(400);
		expect(await report(['Delivered'])).toBe(200);
		expect(n8n.statusOf(executionId)).toBe('waiting');
		n8n.endWait(executionId);
		expect(await output(executionId)).toMatchObject({ outcome: 'timedOut' });
	});

	test('reads Wait For and Simplify before it waits, since the item is the message by then', async () => {
		const underTest = waiting({ waitFor: '={{ $json.goal }}', simplify: '={{ $json.short }}' });
		const items = [{ goal: 'delivered', short: false }];
		const executionId = await fallAsleep(underTest, { items });
		expect(await report(['Failed'])).toBe(200);
		expect(n8n.statusOf(executionId)).toBe('waiting');
		expect(await report(['Delivered'])).toBe(200);
		expect(await output(executionId)).toMatchObject({ outcome: 'delivered', receipt: {} });
	});

	describe('Execute Once, with several items', () => {
		const items = [{ id: 1 }, { id: 2, outcome: 'delivered' }, { id: 3 }];
		const sleepOnce = async () => await fallAsleep(waiting({}, { executeOnce: true }), { items });
		const outputs = async (executionId: string) => (await n8n.awake(executionId, name)).json;

		test('is woken by the receipt of the one message', async () => {
			const executionId = await sleepOnce();
			expect(await report(['Delivered'])).toBe(200);
			expect(await outputs(executionId)).toMatchObject([
				{ messageId: messageId(), outcome: 'delivered', receipt: { status: 'Delivered' } },
			]);
		});

		test('returns nothing but the message at the time limit', async () => {
			const executionId = await sleepOnce();
			n8n.endWait(executionId);
			const json = await outputs(executionId);
			expect(json).toMatchObject([{ messageId: messageId(), outcome: 'timedOut' }]);
			expect(json[0]).not.toHaveProperty('id');
		});
	});

	test('accepts receipts and reads history after the credential was changed', async () => {
		watchTiming.besideReceipts = { firstMs: 100, factor: 50 };
		const credentials = credentialsOf(sandbox);
		const { executionId } = await n8n.run(waiting(), { credentials });
		credentials.apiSecret = 'another-secret';
		await comes('a lookup', () => n8n.calls.length > 0);
		expect(n8n.calls).toMatchObject([{ status: 200 }]);
		expect(await report(['Delivered'])).toBe(200);
		expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
	});

	describe('the proof in an address', () => {
		const calledBy = (executionId: string) =>
			n8n.calls.filter((call) => call.executionId === executionId).map(({ query }) => query.proof);

		test('is new for every execution, and good for its own only', async () => {
			const [first, second] = [await fallAsleep(), await fallAsleep()];
			const other = new URL(receiptUrl(1));
			expect(proofOf(receiptUrl(0))).not.toBe(proofOf(receiptUrl(1)));
			other.searchParams.set('proof', proofOf(receiptUrl(0)));
			expect(await report(['Delivered'], other.href, messageId(1))).toBe(401);
			expect([first, second].map((id) => n8n.statusOf(id))).toEqual(['waiting', 'waiting']);
		});

		test('is new for every message of a loop, and the one before is good no more', async () => {
			const executionId = await fallAsleep(inLoop(waiting(), 2));
			await report(['Delivered']);
			await comes('the second message', () => {
				return n8n.statusOf(executionId) === 'waiting' && sends().length === 2;
			});
			expect(await report(['Delivered'], receiptUrl(0), messageId(1))).toBe(401);
			expect(n8n.statusOf(executionId)).toBe('waiting');
			expect(await report(['Delivered'], receiptUrl(1), messageId(1))).toBe(200);
			expect(await output(executionId)).toMatchObject({ messageId: messageId(1) });
		});

		test('stays the same over the tries of Retry On Fail, so that receipts of the first are accepted', async () => {
			sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });
			sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 }, count: 1 });
			const retry = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
			const executionId = await fallAsleep(waiting({}, retry));
			expect(sends()).toHaveLength(1);
			await sandbox.setStatus(messageId(), 'Delivered');
			expect((await output(executionId)).receipt).toMatchObject({ status: 'Delivered' });
		});

		test('of receipts does not serve to call as the watch, nor to claim what history says', async () => {
			watchTiming.besideReceipts = { firstMs: 100, factor: 50 };
			const executionId = await fallAsleep();
			await comes('a lookup', () => n8n.calls.length > 0);
			expect(calledBy(executionId)).not.toContain(proofOf(receiptUrl()));
			// As the watch of earlier versions called.
			expect(await report(['Delivered'], `${receiptUrl()}&source=history`)).toBe(200);
			expect((await output(executionId)).receipt).toMatchObject({ status: 'Delivered' });
		});
	});

	describe('the watch', () => {
		const looks = () => n8n.calls.map(({ status }) => status);

		test('wakes the execution when history knows what no receipt told', async () => {
			watchTiming.besideReceipts = soon;
			const executionId = await fallAsleep();
			await loseReceipt('Failed');
			expect(await output(executionId)).toMatchObject({
				outcome: 'notDelivered',
				status: 'Failed',
				receipt: null,
			});
		});

		test('finds a message abroad though history shows another sender ID', async () => {
			watchTiming.besideReceipts = soon;
			sandbox.configure({ historySender: 'Operator' });
			const executionId = await fallAsleep(waiting({ to: '+6591234567' }));
			await loseReceipt('Delivered');
			expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
		});

		test('sends nothing but the address, and believes history only', async () => {
			watchTiming.besideReceipts = soon;
			const executionId = await fallAsleep();
			await loseReceipt('Delivered');
			await n8n.awake(executionId, name);
			const [{ query, body }] = n8n.calls;
			expect(Object.keys(query).sort()).toEqual(['proof', 'signature']);
			expect(body).toBe('');
		});

		test('retries while the execution is not waiting yet, and while n8n restarts', async () => {
			watchTiming.besideReceipts = { firstMs: 100, factor: 1_000 };
			const executionId = await fallAsleep();
			await loseReceipt('Delivered');
			n8n.outages.push(409, 503, 500);
			expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
			expect(looks()).toEqual([409, 503, 500, 200]);
		});

		test.each([
			['no response', async () => await closedPort(), 'no response, ECONNREFUSED'],
			['a page of a router', async () => await pageServer(), 'HTTP 200'],
		])(
			'warns once, with no secret, where the address of n8n has %s',
			async (_, serve, found) => {
				// Watches of other tests would warn as well.
				await comes('the end of other watches', () => shared.users === 0);
				watchTiming.besideReceipts = { firstMs: 50, factor: 2 };
				shared.hasWarned = false;
				const warn = jest.spyOn(openContext(sandbox).logger, 'warn').mockImplementation(() => {});
				const origin = await serve();
				const options = { credentials: credentialsOf(sandbox), waitingUrl: `${origin}/waiting` };
				await Promise.all([1, 2].map(async () => await runWorkflow(waiting(), options)));
				await comes('the warning', () => warn.mock.calls.length > 0);
				await sleep(300);
				const texts = warn.mock.calls.map(([text]) => text);
				warn.mockRestore();
				expect(texts).toEqual([
					expect.stringMatching(
						new RegExp(`your n8n instance at ${origin} \\(${found}\\).* N8N_WEBHOOK_URL`),
					),
				]);
			},
			15_000,
		);

		test('ends a lookup after four attempts, and starts the next on time', async () => {
			watchTiming.besideReceipts = { firstMs: 100, factor: 10 };
			const executionId = await fallAsleep();
			await loseReceipt('Delivered');
			n8n.outages.push(503, 503, 503, 503);
			expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
			expect(looks()).toEqual([503, 503, 503, 503, 200]);
		});

		test('ends when nobody waits any more', async () => {
			watchTiming.besideReceipts = { firstMs: 200, factor: 1.1 };
			const executionId = await fallAsleep();
			await report(['Delivered']);
			await n8n.awake(executionId, name);
			await sleep(1_000);
			expect(looks()).toEqual([200, 409, 409, 409, 409]);
		});

		test('ends after fifteen minutes, here half a second: then only a receipt ends the wait', async () => {
			expect(watchTiming.longestMs).toBe(15 * 60_000);
			Object.assign(watchTiming, {
				besideReceipts: { firstMs: 100, factor: 1.5 },
				longestMs: 500,
			});
			const executionId = await fallAsleep();
			await sleep(1_500);
			expect(looks()).toEqual([200, 200, 200, 200, 200]);
			await report(['Delivered']);
			expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
		});

		test('ends at the time limit with a failure that history shows, though it waits for delivery', async () => {
			watchTiming.besideReceipts = soon;
			watchTiming.beforeEndMs = 2_500;
			const underTest = waiting({ waitFor: 'delivered' });
			const executionId = await fallAsleep(underTest);
			await loseReceipt('Failed');
			const { outcome } = await output(executionId);
			expect(outcome).toBe('notDelivered');
			// The lookups before the last one found the same, and did not end the wait.
			expect(looks().length).toBeGreaterThan(1);
		});
	});

	test('says of wrong input first that nothing was sent', async () => {
		const options = { credentials: credentialsOf(sandbox) };
		const { run } = await n8n.run(waiting({ to: '0979' }), options);
		const { error } = run.data.resultData;
		expect(error).toMatchObject({ description: expect.stringMatching(/^Nothing was sent\. /) });
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('says in the editor what it sleeps for', () => {
		const { waitingNodeTooltip } = new SmsSendAndWait().description;
		expect(waitingNodeTooltip).toMatch(/delivery status of the message, or for the time limit/);
	});

	test('hears of the message after the retry of a failed execution, whose address the receipts go to', async () => {
		// The answer gets lost and history cannot be asked: the execution fails, and the message is there.
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const credentials = credentialsOf(sandbox);
		const underTest = waiting({ timeLimit: 1 });
		const failed = await n8n.run(underTest, { credentials });
		expect(failed.run.data.resultData.error?.message).toContain('Outcome unknown');
		sandbox.clearFaults();

		watchTiming.insteadOfReceipts = soon;
		sandbox.configure({ receiptAttempts: 1 });
		const executionId = await fallAsleep(underTest, { retryOf: failed.run });
		await sandbox.setStatus(messageId(), 'Delivered');
		expect(await output(executionId)).toMatchObject({ outcome: 'delivered', receipt: null });
		expect(sends()).toHaveLength(1);
		expect(n8n.calls).toContainEqual(
			expect.objectContaining({ executionId: failed.executionId, status: 409 }),
		);
	});

	test('keeps no more than one of many sleeping executions in memory', async () => {
		const count = 20;
		const refs: Array<WeakRef<IRun['data']>> = [];
		for (let sleeper = 0; sleeper < count; sleeper += 1) {
			const items = [{ payload: 'x'.repeat(100_000) }];
			const { run } = await n8n.run(waiting(), { credentials: credentialsOf(sandbox), items });
			refs.push(new WeakRef(run.data));
		}
		const countKept = () => {
			collectGarbage();
			return refs.filter((ref) => ref.deref()).length;
		};
		// What has just responded may still be at work.
		for (let tries = 0; tries < 100 && countKept() > 1; tries += 1) await sleep(50);
		expect(countKept()).toBeLessThanOrEqual(1);
	});
});

describe('SMS Send and Wait and a service of another kind', () => {
	const service = useStandIn();
	const n8n = useWaitingN8n();
	shortenDelivery();
	useWatchTiming(0);

	const record = { messageId: 4711, to: '959791234567', status: 'Accepted' };
	const receiptUrl = () =>
		(JSON.parse(service.requests[0].body) as { deliveryReceiptUrl: string }).deliveryReceiptUrl;
	const history = (status: string) => {
		const messages = [{ ...record, status }];
		return answerJson(200, { messages, limit: 1000, records: 1 });
	};
	const run = async (options: Partial<RunOptions> = {}) =>
		await n8n.run(waiting({ timeLimit: 1 }), { credentials: credentialsOf(service), ...options });

	test('is woken by a receipt of a message whose messageId is a number in records', async () => {
		service.answer = ({ path }) =>
			path === '/rest/send' ? answerJson(200, { messages: [record] }) : history('Sent');
		const { executionId } = await run();
		await httpClient.post(receiptUrl(), { messageId: '4711', status: 'Delivered' });
		const { json } = await n8n.awake(executionId, name);
		expect(json).toMatchObject([{ messageId: 4711, outcome: 'delivered' }]);
	});

	test('finds in history as text what the response called a number', async () => {
		service.answer = ({ path }) =>
			path === '/rest/send'
				? answerJson(200, { messages: [{ ...record, messageId: '4711' }] })
				: history('Delivered');
		const { executionId } = await run();
		expect((await n8n.awake(executionId, name)).json).toMatchObject([{ outcome: 'delivered' }]);
	});

	test('shows nobody the address that wakes it, though the service repeats it in a rejection', async () => {
		service.answer = ({ body }) => {
			const { deliveryReceiptUrl } = JSON.parse(body) as { deliveryReceiptUrl: string };
			return answerJson(400, { message: `Bad deliveryReceiptUrl ${deliveryReceiptUrl}` });
		};
		const { run: failed } = await run();
		const { error } = failed.data.resultData;
		expect(error?.message).toContain('The service rejected the request (HTTP 400)');
		const { searchParams } = new URL(receiptUrl());
		for (const secret of [...searchParams.values()]) {
			expect(secret.length).toBeGreaterThan(15);
			expect(JSON.stringify(error)).not.toContain(secret);
		}
	});

	test('does not fall asleep in an execution that was stopped while it looked into history', async () => {
		const stop = new AbortController();
		service.answer = async ({ path }) => {
			if (path === '/rest/send') return answerJson(200, { messages: [record] });
			stop.abort();
			await sleep(50);
			return history('Sent');
		};
		const { run: stopped } = await run({ signal: stop.signal });
		expect(service.requests.map(({ path }) => path)).toContain('/rest/messages');
		await sleep(600);
		expect(stopped.data.waitTill).toBeUndefined();
	});
});
