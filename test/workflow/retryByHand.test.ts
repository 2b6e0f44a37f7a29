import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, INode, IRun } from 'n8n-workflow';

import { inAnotherProcess } from '../support/workflow/anotherProcess';
import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	accountFor,
	allOnce,
	mapped,
	retryOnFail,
	sendNodes,
	useScaledTimes,
	wantedMessages,
} from '../support/workflow/sending';
import {
	runWorkflow,
	toResult,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

type SendNode = (typeof sendNodes)[number];

const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
/** What a clock may be off before a record counts as one of another time. */
const longerThanClocksDiffer = 5_000;
/** Two days ahead. */
const closedWindow = () => {
	const day = new Date(Date.now() + 2 * 86_400_000);
	const name = day.toLocaleDateString('en', { weekday: 'long', timeZone: 'Asia/Yangon' });
	return { window: { days: [name.toLowerCase()], from: '09:00', until: '18:00' } };
};
const isUnknown = /unknown|in doubt|may have been/i;
const wordsOf = (run: IRun) => JSON.stringify(toResult(run).error ?? {});

function nodeOf({ type, options }: Pick<SendNode, 'type' | 'options'>, more: IDataObject = {}) {
	const parameters = { ...mapped, options: { ...options, parallelRequests: 1, ...more } };
	return { name: 'Node', type, parameters };
}

function inLine(node: SendNode, more: IDataObject = {}): WorkflowUnderTest {
	return { nodes: [nodeOf(node, more)], connections: { Source: to('Node') } };
}

describe.each(sendNodes)('retries by hand of a failed execution of $type', (node) => {
	const sandbox = useSandbox();
	useScaledTimes();
	const { type, path } = node;

	const runAll = async (
		underTest: WorkflowUnderTest,
		options: Partial<RunOptions>,
		engine: { runWorkflow: typeof runWorkflow } = { runWorkflow },
	) => await engine.runWorkflow(underTest, { credentials: credentialsOf(sandbox), ...options });
	const elsewhere = async (underTest: WorkflowUnderTest, options: Partial<RunOptions>) =>
		await inAnotherProcess(async (engine) => await runAll(underTest, options, engine));
	const refuse = (skip = 0) =>
		sandbox.addFault({ match: { path }, effect: { status: 401 }, skip, count: 1 });
	/** Fails before anything of it is sent. */
	const failAtStart = async (
		underTest: WorkflowUnderTest,
		items: IDataObject[],
		more: Partial<RunOptions> = {},
	) => {
		refuse();
		const failed = await runAll(underTest, { items, ...more });
		expect(failed.data.resultData.error).toBeDefined();
		sandbox.clearFaults();
		return failed;
	};
	const byReference = type === 'SmsSend' ? { clientReference: '={{ $json.to }}' } : {};

	test('keep the time at which n8n started it', async () => {
		const failed = await failAtStart(inLine(node), wantedMessages(1));
		await sleep(5);
		const retried = await runAll(inLine(node), { retryOf: failed });
		const { establishedAt } = failed.data.executionData?.runtimeData ?? {};
		expect(establishedAt).toBeGreaterThan(0);
		expect(retried.data.executionData?.runtimeData?.establishedAt).toBe(establishedAt);
	});

	test('send each message once, with any number of other retries between them', async () => {
		const items = wantedMessages(6);
		const underTest = inLine(node, byReference);
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

	describe('that failed before the node', () => {
		const step = { isBroken: true, items: [] as IDataObject[] };
		const around: WorkflowUnderTest = {
			...inLine(node),
			connections: { Source: to('Before'), Before: to('Node'), Node: to('After') },
			steps: {
				Before: () => {
					if (step.isBroken) throw new Error('not yet');
					return step.items;
				},
				After: () => {
					throw new Error('broken');
				},
			},
		};
		/** The second retry, of what failed before anything was sent, after the first one has sent all. */
		const retryTwice = async (
			runLast: typeof runAll,
			first: IDataObject[],
			second: IDataObject[],
		) => {
			const workflowId = 'around';
			Object.assign(step, { isBroken: true, items: first });
			const retryOf = await runAll(around, { workflowId });
			step.isBroken = false;
			await runAll(around, { retryOf, workflowId });
			expect(sandbox.messages().length).toBe(first.length);
			if (runLast === elsewhere) await sleep(longerThanClocksDiffer);
			step.items = second;
			return toResult(await runLast(around, { retryOf, workflowId })).json;
		};

		test.each([
			['this process', runAll],
			['another process', elsewhere],
		])(
			'send each message once, the second retry in %s',
			async (_, runLast) => {
				const items = wantedMessages(9);
				const json = await retryTwice(runLast, items, items);
				expect(accountFor(sandbox, items, json)).toEqual(allOnce(9));
			},
			15_000,
		);

		test('send each recipient one message if the step before returns another text', async () => {
			const json = await retryTwice(runAll, wantedMessages(9), wantedMessages(9, 'Later'));
			expect(json).toHaveLength(9);
			expect(sandbox.messages().length).toBe(9);
		});

		test('send to other recipients if the step before returns others', async () => {
			const [first, second] = [wantedMessages(2), wantedMessages(4).slice(2)];
			const json = await retryTwice(runAll, first, second);
			expect(json.map((record) => record.to)).toEqual(second.map((one) => one.to));
			expect(sandbox.messages().length).toBe(4);
		});
	});

	describe('after the same campaign of the same workflow', () => {
		const alike = { ...(type === 'SmsSend' && { clientReference: 'promo' }) };
		const underTest = () => {
			const { nodes: own, ...rest } = inLine(node, alike);
			const parameters = { ...own[0].parameters, message: 'Sale today' };
			return { ...rest, nodes: [{ ...own[0], parameters }] };
		};
		const runBoth = async () => {
			const items = wantedMessages(6);
			const failed = await failAtStart(underTest(), items, { workflowId: 'sale' });
			await runAll(underTest(), { items, workflowId: 'sale' });
			expect(sandbox.messages().length).toBe(6);
			return failed;
		};

		test('send their own messages in the same process', async () => {
			const retryOf = await runBoth();
			const { json } = toResult(await runAll(underTest(), { retryOf, workflowId: 'sale' }));
			expect(json).toHaveLength(6);
			expect(sandbox.messages().length).toBe(12);
		});

		test('in another process, send their own or report how many were found in history, and their time', async () => {
			const retryOf = await runBoth();
			const { hints } = toResult(await elsewhere(underTest(), { retryOf, workflowId: 'sale' }));
			const isTold = hints.some((hint) => /\b6\b/.test(hint) && /\d{1,2}:\d{2}/.test(hint));
			expect({ messages: sandbox.messages().length, isTold }).toEqual({
				messages: isTold ? 6 : 12,
				isTold,
			});
		});
	});

	test('without access to history, send nothing at first; the retry of that retry sends each message once', async () => {
		const items = wantedMessages(3);
		const failed = await failAtStart(inLine(node), items, { workflowId: 'told' });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const told = await runAll(inLine(node), { retryOf: failed, workflowId: 'told' });
		expect(told.data.resultData.error?.message).toMatch(/^Nothing was sent.*history/);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		const again = await runAll(inLine(node), { retryOf: told, workflowId: 'told' });
		expect(accountFor(sandbox, items, toResult(again).json)).toEqual(allOnce(3));
	});

	test('without access to history, send nothing in any attempt of Retry On Fail', async () => {
		const items = wantedMessages(2);
		const { nodes, connections } = inLine(node);
		const trying = { nodes: [{ ...nodes[0], settings: retryOnFail }], connections };
		const failed = await failAtStart(inLine(node), items, { workflowId: 'blind' });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const told = await runAll(trying, { retryOf: failed, workflowId: 'blind' });
		expect(told.data.resultData.error?.message).toMatch(/^Nothing was sent.*history/);
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
		const again = await runAll(trying, { retryOf: told, workflowId: 'blind' });
		expect(accountFor(sandbox, items, toResult(again).json)).toEqual(allOnce(2));
	});

	const stops: Array<[string, IDataObject]> = [
		['Max Messages', { maxMessages: 1 }],
		...(type === 'SmsBulkSend'
			? [['Send Window', { sendWindow: closedWindow() }] as [string, IDataObject]]
			: []),
	];
	test.each(stops)(
		'look up what is in doubt, although %s stops the rest',
		async (_, safeguards) => {
			const items = wantedMessages(3);
			const isBulk = type === 'SmsBulkSend';
			const single = inLine(node, isBulk ? { recipientsPerRequest: 1 } : {});
			sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 1 });
			sandbox.addFault({ match: { path }, effect: { status: 401 } });
			sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 500 } });
			const failed = await runAll(single, { items });
			expect(sandbox.messages()).toHaveLength(1);
			sandbox.clearFaults();
			const [only] = single.nodes;
			const stopped = {
				...single,
				nodes: [
					{
						...only,
						parameters: { ...only.parameters, safeguards },
						settings: { onError: 'continueRegularOutput' as const },
					},
				],
			};
			const { json } = toResult(await runAll(stopped, { items, retryOf: failed }));
			expect(json[0]).toMatchObject({ messageId: sandbox.messages()[0].messageId });
			expect(json.slice(1)).toEqual(
				[2, 3].map(() =>
					expect.objectContaining({ error: expect.stringMatching(/Max Messages|Send Window/) }),
				),
			);
			expect(sandbox.messages()).toHaveLength(1);
		},
	);

	test('never send a message in doubt from another account', async () => {
		const items = wantedMessages(1);
		sandbox.configure({
			credentials: ['one', 'two'].map((apiKey) => ({ apiKey, apiSecret: 'secret' })),
			// What another account cannot see.
			historyLagMs: 1_000_000,
		});
		const as = (apiKey: string) => ({
			credentials: credentialsOf(sandbox, { apiKey, apiSecret: 'secret' }),
		});
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
		const failed = await runAll(inLine(node), { items, ...as('one') });
		expect(wordsOf(failed)).toMatch(isUnknown);
		sandbox.clearFaults();
		const retried = await runAll(inLine(node), { retryOf: failed, ...as('two') });
		expect(sandbox.messages().length).toBe(1);
		expect(wordsOf(retried)).toMatch(isUnknown);
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
		const underTest = inLine(send, { scheduledAt: '={{ $json.at }}' });
		const failed = await runAll(underTest, { items });
		expect(sandbox.messages().length).toBe(1);
		sandbox.clearFaults();
		await sleep(dueAt + 1_100 - Date.now());
		const settings: Partial<INode> = { onError: 'continueRegularOutput' };
		const going: WorkflowUnderTest = {
			...underTest,
			nodes: [{ ...underTest.nodes[0], settings }],
		};
		const { json } = toResult(await runAll(going, { items, retryOf: failed }));
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
		const underTest = inLine(send, { scheduledAt: '={{ $json.at }}' });
		const failed = await runAll(underTest, { items });
		expect(wordsOf(failed)).toMatch(isUnknown);
		sandbox.clearFaults();
		await sleep(dueAt + 1_100 - Date.now());
		const { json } = toResult(await runAll(underTest, { items, retryOf: failed }));
		expect(json).toMatchObject([{ messageId: sandbox.messages()[0].messageId }]);
		expect(sandbox.messages().length).toBe(1);
	}, 15_000);
});
