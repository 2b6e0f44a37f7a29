import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, IRun } from 'n8n-workflow';

import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	accountFor,
	allOnce,
	mapped,
	onlyOne,
	sendNodes,
	useScaledTimes,
	wantedMessages,
} from '../support/workflow/sending';
import {
	inLine,
	runWorkflow,
	toResult,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

type SendNode = (typeof sendNodes)[number];
const isUnknown = /unknown|in doubt|may have been/i;
const wordsOf = (run: IRun) => JSON.stringify(toResult(run).error ?? {});

function of({ type, options }: SendNode, more: IDataObject = {}): WorkflowUnderTest {
	const parameters = { ...mapped, options: { ...options, parallelRequests: 1, ...more } };
	return inLine({ type, parameters });
}

/** The same with On Error set to continue. */
function continuing({ nodes: [node], ...rest }: WorkflowUnderTest, more: IDataObject = {}) {
	const settings = { onError: 'continueRegularOutput' } as const;
	const parameters = { ...node.parameters, ...more };
	return { ...rest, nodes: [{ ...node, parameters, settings }] };
}

describe.each(sendNodes)('retries by hand of a failed execution of $type', (node) => {
	const sandbox = useSandbox();
	useScaledTimes();
	const { type, path } = node;

	const runAll = async (underTest: WorkflowUnderTest, options: Partial<RunOptions>) =>
		await runWorkflow(underTest, { credentials: credentialsOf(sandbox), ...options });
	/** Fails before anything of it is sent. */
	const failAtStart = async (
		underTest: WorkflowUnderTest,
		items: IDataObject[],
		more: Partial<RunOptions> = {},
	) => {
		sandbox.addFault({ match: { path }, effect: { status: 401 }, count: 1 });
		const failed = await runAll(underTest, { items, ...more });
		expect(failed.data.resultData.error).toBeDefined();
		sandbox.clearFaults();
		return failed;
	};
	const byReference = type === 'SmsSend' ? { clientReference: '={{ $json.to }}' } : {};

	test('send each message once, with any number of other retries between them', async () => {
		const items = wantedMessages(6);
		const underTest = of(node, byReference);
		const failed = await failAtStart(underTest, items);
		await runAll(underTest, { retryOf: failed });
		for (const other of wantedMessages(22, 'Other')) {
			const its = await failAtStart(underTest, [{ ...other, to: `${other.to}9` }]);
			await runAll(underTest, { retryOf: its });
		}
		const { json } = toResult(await runAll(underTest, { retryOf: failed }));
		expect(json).toHaveLength(6);
		const toThese = sandbox.messages().filter(({ message }) => message.startsWith('Message'));
		expect(toThese.length).toBe(6);
	}, 30_000);

	test('without access to history, send nothing at first; the retry of that retry sends each message once', async () => {
		const items = wantedMessages(3);
		const failed = await failAtStart(of(node), items, { workflowId: 'told' });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const told = await runAll(of(node), { retryOf: failed, workflowId: 'told' });
		expect(told.data.resultData.error?.message).toMatch(/^Nothing was sent.*history/);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		const again = await runAll(of(node), { retryOf: told, workflowId: 'told' });
		expect(accountFor(sandbox, items, toResult(again).json)).toEqual(allOnce(3));
	});

	/** As n8n has it of an execution whose node did not end: n8n 1 forgets when it began, too. */
	const kill = ({ data, ...run }: IRun, source?: 'retry') => {
		const copy = structuredClone(data);
		const context = { version: 1, establishedAt: Date.now(), source } as const;
		Object.assign(copy.executionData!, { contextData: {} }, source && { runtimeData: context });
		return { ...run, data: copy };
	};

	test('of an execution that was killed, without access to history, say that messages may have been sent', async () => {
		const items = wantedMessages(2);
		const killed = kill(await failAtStart(of(node), items, { workflowId: 'killed' }));
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const told = await runAll(of(node), { retryOf: killed, workflowId: 'restarted' });
		expect(toResult(told).error?.message).toMatch(/^Outcome unknown: .* may have been sent/);
		expect(toResult(told).error?.description).toContain('If n8n was killed');
		expect(sandbox.messages()).toEqual([]);
		await runAll(of(node), { retryOf: told, workflowId: 'restarted' });
		expect(sandbox.messages()).toHaveLength(2);
	});

	const older = (run: IRun) => {
		const { contextData } = run.data.executionData!;
		contextData['node:Node'] = { ledger: { 0: { scope: 'of then', sent: [] } } };
		return run;
	};
	test.each([
		['crashed in n8n 1', 'crashed', (run: IRun) => kill(run, 'retry')],
		['failed under an earlier version', 'failed under an earlier version', older],
	])(
		'of an execution that %s send nothing without Skip If Already Sent',
		async (_, how, change) => {
			const items = wantedMessages(2, `${type} ${how}`);
			const own = type === 'SmsSend' ? { clientReference: '={{ $json.message }}' } : {};
			const skipping = of(node, { ...own, skipIfAlreadySent: true });
			const failed = await failAtStart(of(node, own), items);
			const { message, to } = items[0];
			sandbox.seedMessages(1, () => ({ to, message, from: 'MyShop', clientReference: message }));
			const told = await runAll(of(node, own), { retryOf: change(failed) });
			const again = await runAll(of(node, own), { retryOf: told });
			for (const run of [told, again].map((one) => toResult(one))) {
				expect(run.error?.message).toContain(`This execution ${how}`);
				expect(run.error?.description).toMatch(
					/^Nothing was sent in this attempt.*Skip If Already/,
				);
			}
			expect(sandbox.messages()).toHaveLength(1);
			const { json } = toResult(await runAll(skipping, { retryOf: again }));
			expect(json.map(({ alreadySent }) => alreadySent)).toEqual([true, undefined]);
			expect(sandbox.messages()).toHaveLength(2);
		},
	);

	test('send what the service rejected within an accepted request', async () => {
		const items = wantedMessages(2);
		const [accepted, rejected] = items.map((item) => ({
			...item,
			messageId: 'm-1',
			status: 'Sent',
		}));
		const refusal = { ...rejected, messageId: undefined, status: false, message: 'Blocked' };
		const isBulk = type === 'SmsBulkSend';
		const body = { messages: isBulk ? [accepted, refusal] : [refusal] };
		const skip = isBulk ? 0 : 1;
		sandbox.addFault({ match: { path }, effect: { status: 200, body }, skip, count: 1 });
		const failed = await runAll(of(node), { items });
		expect(toResult(failed).error?.message).toContain('Blocked');
		const { json } = toResult(await runAll(of(node), { items, retryOf: failed }));
		expect(json.map(({ status }) => status)).toEqual([isBulk ? 'Sent' : 'Accepted', 'Accepted']);
		expect(sandbox.messages().map(({ to }) => to)).toContain(rejected.to);
	});

	test('send at once with the key of another account', async () => {
		const items = wantedMessages(3);
		const failed = await failAtStart(of(node), items);
		const credentials = credentialsOf(sandbox, { apiKey: 'another' });
		sandbox.configure({ credentials: [{ apiKey: 'another', apiSecret: sandbox.apiSecret }] });
		const { json } = toResult(await runAll(of(node), { items, retryOf: failed, credentials }));
		expect(accountFor(sandbox, items, json)).toEqual(allOnce(3));
	});

	test('count messages that another execution sent, and say when', async () => {
		const items = wantedMessages(3);
		const underTest = of(node, byReference);
		const failed = await failAtStart(underTest, items);
		const sentAt = Date.now();
		sandbox.seedMessages(2, (index) => ({
			...{ ...items[index], from: 'MyShop', createdAtMs: sentAt - index * 1_000 },
			...(type === 'SmsSend' && { clientReference: items[index].to }),
		}));
		const { json, hints } = toResult(await runAll(underTest, { retryOf: failed }));
		expect(json).toHaveLength(3);
		expect(sandbox.messages()).toHaveLength(3);
		const [oldest, newest] = sandbox.messages().map(({ createdAt }) => createdAt);
		const words = `2 messages were not sent by this retry: message history already shows the same number, text and sender ID (${oldest} to ${newest}, in`;
		expect(hints).toContainEqual(expect.stringContaining(words));
	});

	test('send what is missing to people who got another text minutes before', async () => {
		const items = wantedMessages(5);
		const underTest = of(node, byReference);
		const failed = await failAtStart(underTest, items);
		const seed = (count: number, more: object) =>
			sandbox.seedMessages(count, (index) => ({
				...{ ...items[index], from: 'MyShop' },
				...(type === 'SmsSend' && { clientReference: items[index].to }),
				...more,
			}));
		const another = { message: 'Another text', clientReference: undefined };
		seed(5, { ...another, createdAtMs: Date.now() - 5 * 60_000 });
		seed(2, {});
		const { json } = toResult(await runAll(underTest, { retryOf: failed }));
		expect(json.map(({ message }) => message)).toEqual(items.map(({ message }) => message));
		expect(sandbox.messages()).toHaveLength(10);
	});

	const stops: Array<[string, IDataObject]> = [
		['Max Messages', { options: { maxMessages: 1 } }],
		['a wrong expression', { simplify: '={{ $("Nowhere").item.json.x }}' }],
	];
	test.each(stops)('look up what is in doubt, although %s stops the rest', async (_, more) => {
		const items = wantedMessages(3);
		const single = of(node, onlyOne(type));
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match: { path }, effect: { status: 401 } });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 500 } });
		const failed = await runAll(single, { items });
		expect(sandbox.messages()).toHaveLength(1);
		sandbox.clearFaults();
		const stopped = continuing(single, more);
		const { json } = toResult(await runAll(stopped, { items, retryOf: failed }));
		expect(json[0]).toMatchObject({ messageId: sandbox.messages()[0].messageId });
		expect(json.slice(1)).toEqual(
			[2, 3].map(() =>
				expect.objectContaining({
					error: expect.stringMatching(/Max Messages|Simplify/),
				}),
			),
		);
		expect(sandbox.messages()).toHaveLength(1);
	});
});

describe('a scheduled message of SMS Send', () => {
	const sandbox = useSandbox({ unlistedScheduled: true });
	useScaledTimes();
	const [send] = sendNodes;
	const runAll = async (underTest: WorkflowUnderTest, options: Partial<RunOptions> = {}) =>
		await runWorkflow(underTest, { credentials: credentialsOf(sandbox), ...options });

	test('is returned by a retry after its time has passed, not sent again', async () => {
		const dueAt = Date.now() + 2_000;
		const items = wantedMessages(2).map((one) => ({ ...one, at: new Date(dueAt).toISOString() }));
		sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 401 }, skip: 1 });
		const underTest = of(send, { scheduledAt: '={{ $json.at }}' });
		const failed = await runAll(underTest, { items });
		expect(sandbox.messages().length).toBe(1);
		sandbox.clearFaults();
		await sleep(dueAt + 1_100 - Date.now());
		const { json } = toResult(await runAll(continuing(underTest), { items, retryOf: failed }));
		expect(json).toEqual([
			expect.objectContaining({ messageId: sandbox.messages()[0].messageId }),
			expect.objectContaining({ error: expect.stringMatching(/past|future/i) }),
		]);
		expect(sandbox.messages().length).toBe(1);
	}, 15_000);

	test('in doubt is looked up by a retry after its time has passed', async () => {
		const dueAt = Date.now() + 2_000;
		const items = wantedMessages(1).map((one) => ({ ...one, at: new Date(dueAt).toISOString() }));
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const own = { clientReference: '=order-{{ $json.to }}' };
		const underTest = of(send, { scheduledAt: '={{ $json.at }}', ...own });
		const failed = await runAll(underTest, { items });
		expect(wordsOf(failed)).toMatch(isUnknown);
		sandbox.clearFaults();
		await sleep(dueAt + 1_100 - Date.now());
		const { json } = toResult(await runAll(underTest, { items, retryOf: failed }));
		expect(json).toMatchObject([{ messageId: sandbox.messages()[0].messageId }]);
		expect(sandbox.messages().length).toBe(1);
	}, 15_000);
});

describe('a retry of SMS Send in another process', () => {
	const sandbox = useSandbox();

	test('returns what a retry before it sent, as its own', async () => {
		const credentials = credentialsOf(sandbox);
		const items = wantedMessages(1);
		const underTest = inLine({ type: 'SmsSend', parameters: mapped });
		sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 401 }, count: 1 });
		const failed = await runWorkflow(underTest, { credentials, items });
		const { clientReference } = sandbox.requests()[0].body as { clientReference: string };
		sandbox.seedMessages(1, () => ({ ...items[0], from: 'MyShop', clientReference }));
		const { json, hints } = toResult(
			await runWorkflow(underTest, { credentials, retryOf: failed }),
		);
		expect([json.length, sandbox.messages().length]).toEqual([1, 1]);
		expect(hints.join()).not.toContain('not sent by this retry');
	});
});

describe('a retry of SMS Bulk Send where history masks numbers', () => {
	const sandbox = useSandbox({ deviate: ['history-number:masked'] });

	test('sends nothing that history may show', async () => {
		const credentials = credentialsOf(sandbox);
		const items = wantedMessages(1);
		const underTest = inLine({ type: 'SmsBulkSend', parameters: mapped });
		sandbox.addFault({ match: { path: '/rest/send/bulk' }, effect: { status: 401 }, count: 1 });
		const failed = await runWorkflow(underTest, { credentials, items });
		sandbox.seedMessages(1, () => ({ ...items[0], from: 'MyShop' }));
		const { error } = toResult(await runWorkflow(underTest, { credentials, retryOf: failed }));
		expect(error?.message).toContain('Outcome unknown');
		expect(error?.description).toContain('a message from the same time that may be this one');
		expect(sandbox.messages()).toHaveLength(1);
	});
});
