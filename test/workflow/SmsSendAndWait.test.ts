import { setTimeout as sleep } from 'node:timers/promises';

import { httpClient } from '../../scripts/http';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { lookTiming } from '../../nodes/SmsSendAndWait/outcome';
import { until } from '../../scripts/n8n/until';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { shortenDelivery, useShortLooks } from '../support/workflow/sending';
import {
	inLine,
	inLoop,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';
import { answerJson, useStandIn } from '../support/workflow/useStandIn';
import { useWaitingN8n } from '../support/workflow/WaitingN8n';

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

describe('SMS Send and Wait', () => {
	const sandbox = useSandbox();
	const n8n = useWaitingN8n();
	shortenDelivery();
	useShortLooks();

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
	const proofOf = (url: string) => String(new URL(url).searchParams.get('q'));
	const messageId = (message = 0) => sandbox.messages()[message].messageId;
	/** A call with a list of receipts as JSON. */
	const report = async (statuses: string[], url = receiptUrl(), id = messageId(), to?: string) => {
		const receipts = statuses.map((status) => ({ messageId: id, status, to }));
		const { status } = await httpClient.post(url, receipts, { validateStatus: () => true });
		return status;
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

		test.each([
			['a second ?', '?'],
			['an escaped &', '&amp;'],
		])('joined to the URL by %s wakes the execution', async (_, joint) => {
			const executionId = await fallAsleep();
			const join = (proof: (url: string) => string) =>
				`${proof(receiptUrl())}${joint}messageId=${messageId()}&amp;status=Delivered`;
			const call = async (url: string) =>
				(await httpClient.post(url, undefined, { validateStatus: () => true })).status;
			expect(await call(join((url) => `${url}x`))).toBe(401);
			expect(n8n.statusOf(executionId)).toBe('waiting');
			expect(await call(join((url) => url))).toBe(200);
			expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
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

	test('sends once, although the text differs in the next attempt', async () => {
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 }, count: 1 });
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		await fallAsleep(waiting({ message: '=At {{ $now.toMillis() }}' }, settings));
		expect(sandbox.messages()).toHaveLength(1);
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

	test('accepts receipts after the credential was changed', async () => {
		const credentials = credentialsOf(sandbox);
		const { executionId } = await n8n.run(waiting(), { credentials });
		credentials.apiSecret = 'another-secret';
		expect(await report(['Delivered'])).toBe(200);
		expect(await output(executionId)).toMatchObject({ outcome: 'delivered' });
	});

	describe('message history', () => {
		test.each([
			['Delivered', 'delivered'],
			['Failed', 'notDelivered'],
		] as const)(
			'that shows %s in the first 30 seconds ends without a wait',
			async (status, outcome) => {
				expect(lookTiming.everyMs).toBe(20);
				lookTiming.beforeWaitMs = 5_000;
				const running = n8n.run(waiting({ timeLimit: 1 }), { credentials: credentialsOf(sandbox) });
				await comes('the message', () => sandbox.messages().length === 1);
				await sandbox.setStatus(messageId(), status);
				const { executionId, run } = await running;
				lookTiming.beforeWaitMs = 100;
				expect(n8n.statusOf(executionId)).toBe('finished');
				const [[item]] = run.data.resultData.runData[name][0].data?.main as INodeExecutionData[][];
				expect(item.json).toMatchObject({ outcome, status, receipt: null });
			},
		);
	});

	describe('the number and the ID of its own message', () => {
		const own = () => ({ to: '959791234567', messageId: messageId() });

		test.each(['delivered', 'notDelivered', 'timedOut'])(
			'are in the output: %s',
			async (outcome) => {
				sandbox.configure({ deviate: ['number-form:masked', 'history-number:masked'] });
				const executionId = await fallAsleep();
				if (outcome === 'timedOut') n8n.endWait(executionId);
				else expect(await report([outcome === 'delivered' ? 'Delivered' : 'Failed'])).toBe(200);
				expect(await output(executionId)).toMatchObject({ ...own(), outcome });
			},
		);
	});

	describe('the proof in an address', () => {
		test('is new for every execution, and good for its own only', async () => {
			const [first, second] = [await fallAsleep(), await fallAsleep()];
			const other = new URL(receiptUrl(1));
			expect(proofOf(receiptUrl(0))).not.toBe(proofOf(receiptUrl(1)));
			other.searchParams.set('q', proofOf(receiptUrl(0)));
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
	});

	test.each<[IDataObject, string]>([
		[{ to: '0979' }, 'too short'],
		[{ to: '09791234567, 09791234568' }, 'several numbers'],
		[{ to: '+6591234567', options: { allowedCountryCodes: '95' } }, 'country are not allowed'],
		...[0, -1, 'soon', ' ', null, 525_601].map((timeLimit): [IDataObject, string] => [
			{ timeLimit },
			'Time Limit must be a number of minutes greater than 0',
		]),
	])('says of %j first that nothing was sent', async (parameters, sentence) => {
		const options = { credentials: credentialsOf(sandbox) };
		const { run } = await n8n.run(waiting(parameters), options);
		const { error } = run.data.resultData;
		expect(error?.message).toContain(sentence);
		expect(error).toMatchObject({ description: expect.stringMatching(/^Nothing was sent\. /) });
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});

	test('sends nothing again in the retry of a failed execution, whose address the receipts go to', async () => {
		// The answer gets lost and history cannot be asked: the execution fails, and the message is there.
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const credentials = credentialsOf(sandbox);
		const underTest = waiting({ timeLimit: 1 });
		const failed = await n8n.run(underTest, { credentials });
		expect(failed.run.data.resultData.error?.message).toContain('Outcome unknown');
		sandbox.clearFaults();

		const executionId = await fallAsleep(underTest, { retryOf: failed.run });
		expect(sends()).toHaveLength(1);
		expect(await report(['Delivered'])).toBe(409);
		expect(n8n.statusOf(executionId)).toBe('waiting');
		n8n.endWait(executionId);
		expect(await output(executionId)).toMatchObject({ outcome: 'timedOut' });
	});
});

describe('SMS Send and Wait and a service of another kind', () => {
	const service = useStandIn();
	const n8n = useWaitingN8n();
	shortenDelivery();
	useShortLooks();

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
		expect(json).toMatchObject([{ messageId: '4711', outcome: 'delivered' }]);
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
