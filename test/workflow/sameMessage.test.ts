import type { INode } from 'n8n-workflow';

import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	accountFor,
	allOnce,
	mapped,
	retryOnFail,
	sendNodes,
	shortenDelivery,
	wantedMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { runAgainst } from '../support/workflow/runAgainst';
import {
	runWorkflow,
	toResult,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

describe.each(sendNodes)('the same message, sent by $type', ({ type, path, options }) => {
	const sandbox = useSandbox();
	shortenDelivery();

	const node = (name: string, settings: Partial<INode> = {}): WorkflowUnderTest['nodes'][0] => ({
		name,
		type,
		parameters: { ...mapped, options: { ...options, parallelRequests: 1 } },
		settings,
	});
	const runAll = async (underTest: WorkflowUnderTest, more: Partial<RunOptions> = {}) =>
		await runWorkflow(underTest, { credentials: credentialsOf(sandbox), ...more });
	const inLine = (settings: Partial<INode> = {}): WorkflowUnderTest => ({
		nodes: [node('Node', settings)],
		connections: { Source: to('Node') },
	});
	const loseResponses = (count: number, skip = 0) =>
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', skip, count });

	test('is sent in each round of a loop, despite faults and late history', async () => {
		const items = wantedMessages(4);
		sandbox.configure({ historyLagMs: 20 });
		loseResponses(2, 3);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, skip: 4, count: 1 });
		const loop: WorkflowUnderTest = {
			nodes: [node('Node', retryOnFail)],
			connections: {
				Source: to('Loop'),
				Loop: { main: [[], [{ node: 'Node', type: 'main', index: 0 }]] },
				Node: to('Loop'),
			},
			loops: 3,
		};
		const run = await runAll(loop, { items });
		const records = run.data.resultData.runData.Node.flatMap(({ data }) =>
			(data?.main[0] ?? []).map(({ json }) => json),
		);
		const wanted = [...items, ...items, ...items];
		expect(accountFor(sandbox, wanted, records)).toEqual(allOnce(12));
	});

	test('is sent as often as there are items', async () => {
		const wanted = Array(4).fill(wantedMessages(1)[0]) as WantedMessage[];
		loseResponses(1);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, count: 1 });
		const { json } = toResult(await runAll(inLine(), { items: wanted }));
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(4));
	});

	test('is sent by each of two nodes with the same settings', async () => {
		const items = wantedMessages(3);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, skip: 3, count: 1 });
		loseResponses(1, 3);
		const two: WorkflowUnderTest = {
			nodes: [node('First'), node('Second')],
			connections: {
				Source: {
					main: [['First', 'Second'].map((name) => ({ node: name, type: 'main', index: 0 }))],
				},
			},
		};
		const run = await runAll(two, { items });
		const records = ['First', 'Second'].flatMap((name) => toResult(run, name).json);
		expect(accountFor(sandbox, [...items, ...items], records)).toEqual(allOnce(6));
	});

	test('is not mistaken for one that was sent before', async () => {
		const items = wantedMessages(3);
		const [{ to: number, message }] = items;
		sandbox.seedMessages(50, (index) => ({
			to: number,
			message,
			from: 'MyShop',
			createdAtMs: Date.now() - (index + 1) * 3600_000,
		}));
		sandbox.addFault({ match: { path }, effect: { status: 500 }, count: 2 });
		const before = sandbox.messages().map(({ messageId }) => messageId);
		const { json } = toResult(await runAll(inLine(retryOnFail), { items }));
		const added = sandbox.messages().filter(({ messageId }) => !before.includes(messageId));
		expect(accountFor({ messages: () => added }, items, json)).toEqual(allOnce(3));
	});
});

describe('the same Client Reference', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();
	const options = { clientReference: 'order-1' };

	test('in several items: each is a message of its own, despite faults', async () => {
		const wanted = Array(4).fill(wantedMessages(1)[0]) as WantedMessage[];
		const path = '/rest/send';
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', skip: 1, count: 1 });
		sandbox.addFault({ match: { path }, effect: { status: 500 }, skip: 1, count: 1 });
		const { json } = await send({ ...mapped, options }, { items: wanted });
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(4));
		expect(sandbox.messages().map((stored) => stored.clientReference)).toEqual(
			Array(4).fill('order-1'),
		);
	});

	test.each([
		['before the service acts', 'before'],
		['after acceptance', 'after'],
	] as const)(
		'in an older message: a send that fails %s does not find that one',
		async (_, when) => {
			const [wanted] = wantedMessages(1);
			sandbox.seedMessages(3, (index) => ({
				...wanted,
				from: 'MyShop',
				clientReference: 'order-1',
				createdAtMs: Date.now() - (index + 1) * 86_400_000,
			}));
			const before = sandbox.messages().map(({ messageId }) => messageId);
			sandbox.addFault({ match: { path: '/rest/send' }, when, effect: { status: 500 }, count: 1 });
			const { json } = await send({ ...mapped, options }, { items: [wanted] });
			const added = sandbox.messages().filter(({ messageId }) => !before.includes(messageId));
			expect(accountFor({ messages: () => added }, [wanted], json)).toEqual(allOnce(1));
		},
	);
});

describe('an encrypted message whose response is lost', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();

	test('is found in history by its reference, since its text is not there', async () => {
		const match = { path: '/rest/send' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
		const options = { encrypt: true, encryptKey: 'a key of mine' };
		const { json } = await send({ options });
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		expect(json[0].messageId).toBe(sandbox.messages()[0].messageId);
	});
});
