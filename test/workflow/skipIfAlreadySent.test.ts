import type { IDataObject, INode } from 'n8n-workflow';

import { inCollections } from '../../tools/harness/inCollections';
import type { Sandbox } from '../../sandbox';
import { credentialsOf } from '../support/workflow/credentialsOf';
import {
	accountFor,
	allOnce,
	mapped,
	retryOnFail,
	shortenDelivery,
	wantedMessages,
	wantedMessages as manyMessages,
	type WantedMessage,
} from '../support/workflow/sending';
import { runAgainst, workingParameters } from '../support/workflow/runAgainst';
import {
	runNode,
	runWorkflow,
	toResult,
	type RunOptions,
	type WorkflowUnderTest,
} from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

const nodes = [
	{ type: 'SmsSend', path: '/rest/send', options: {} },
	{ type: 'SmsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 2 } },
] as const;

const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

describe.each(nodes)('$type in a workflow that runs it again', ({ type, path, options }) => {
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
	const loseAnswers = (count: number, skip = 0) =>
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', skip, count });
	const failLooks = () =>
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 502 } });

	test('sends in the retry of a failed execution only what was not sent', async () => {
		const items = wantedMessages(6);
		loseAnswers(2, 1);
		failLooks();
		const failed = await runAll(inLine(), { items });
		expect(failed.data.resultData.error?.message).toContain('Outcome unknown');
		expect(sandbox.messages()).toHaveLength(6);

		sandbox.clearFaults();
		const { json, error } = toResult(await runAll(inLine(), { items, retryOf: failed }));
		expect(error).toBeUndefined();
		expect(accountFor(sandbox, items, json)).toEqual(allOnce(6));
	});

	test.each([
		['one after the other', false],
		['while a first retry runs', true],
	])(
		'sends nothing twice when the same failed execution is retried twice, %s',
		async (_, isAtOnce) => {
			const items = wantedMessages(6);
			sandbox.configure({ historyLagMs: 60_000, latencyMs: 5 });
			const refuse = (skip: number) =>
				sandbox.addFault({ match: { path }, effect: { status: 401 }, skip });
			refuse(type === 'SmsSend' ? 2 : 1);
			const failed = await runAll(inLine(), { items });
			expect(sandbox.messages()).toHaveLength(2);
			sandbox.clearFaults();
			refuse(1);
			const retry = async () => toResult(await runAll(inLine(), { items, retryOf: failed }));
			const first = retry();
			if (!isAtOnce) await first;
			const again = retry();
			await Promise.race([first, again]);
			sandbox.clearFaults();
			await Promise.all([first, again]);
			const { json } = await retry();
			expect(accountFor(sandbox, items, json)).toEqual(allOnce(6));
		},
	);

	test('finds in history what another process has sent in a retry of the same execution', async () => {
		const items = wantedMessages(6);
		sandbox.addFault({ match: { path }, effect: { status: 401 } });
		const failed = await runAll(inLine(), { items });
		expect(sandbox.messages()).toEqual([]);
		sandbox.clearFaults();
		await jest.isolateModulesAsync(async () => {
			const elsewhere = jest.requireActual<{ runWorkflow: typeof runWorkflow }>(
				'../support/workflow/runWorkflow',
			);
			sandbox.addFault({ match: { path }, effect: { status: 401 }, skip: 2 });
			await elsewhere.runWorkflow(inLine(), {
				credentials: credentialsOf(sandbox),
				items,
				retryOf: failed,
			});
		});
		expect(sandbox.messages().length).toBeGreaterThanOrEqual(2);
		sandbox.clearFaults();
		const { json } = toResult(await runAll(inLine(), { items, retryOf: failed }));
		expect(accountFor(sandbox, items, json)).toEqual(allOnce(6));
	});

	test('sends over a chain of retries each message once', async () => {
		const items = wantedMessages(6);
		sandbox.addFault({ match: { path }, effect: { status: 401 }, count: 1 });
		let run = await runAll(inLine(), { items });
		sandbox.addFault({ match: { path }, effect: { status: 403 }, count: 1 });
		run = await runAll(inLine(), { items, retryOf: run });
		loseAnswers(1);
		run = await runAll(inLine(), { items, retryOf: run });
		expect(accountFor(sandbox, items, toResult(run).json)).toEqual(allOnce(6));
	});

	test('sends again in each pass of a loop, despite faults and late history', async () => {
		const items = wantedMessages(4);
		sandbox.configure({ historyLagMs: 20 });
		loseAnswers(2, 3);
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

	test('keeps two nodes with the same settings in one workflow apart', async () => {
		const items = wantedMessages(3);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, skip: 3, count: 1 });
		loseAnswers(1, 3);
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

	test('keeps executions that send the same at the same time apart', async () => {
		const items = wantedMessages(2);
		sandbox.configure({ latencyMs: 5, latencyJitterMs: 10 });
		loseAnswers(3, 1);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, skip: 1, count: 3 });
		const runs = await Promise.all(
			Array.from({ length: 6 }, async () => await runAll(inLine(retryOnFail), { items })),
		);
		const records = runs.flatMap((run) => toResult(run).json);
		const wanted = runs.flatMap(() => items);
		expect(accountFor(sandbox, wanted, records)).toEqual(allOnce(12));
	});

	test('gives a message that one execution has found to no other one, also when its answer comes late', async () => {
		const [item] = wantedMessages(1);
		sandbox.addFault({ match: { path }, effect: { status: 500 }, count: 1 });
		sandbox.addFault({ match: { path }, effect: { slowMs: 250 }, count: 1 });
		const same = inLine();
		if (type === 'SmsSend') same.nodes[0].parameters.options = { clientReference: 'same' };
		const runs = await Promise.all(
			[1, 2].map(async () => toResult(await runAll(same, { items: [item] }))),
		);
		const records = runs.flatMap(({ json }) => json);
		expect(accountFor(sandbox, [item, item], records)).toEqual(allOnce(2));
	});

	test('tells a lost message from the same one that was sent before', async () => {
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

describe('a clientReference of the user’s', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();
	const options = { clientReference: 'order-1' };

	test('may repeat: each item is a message of its own, through faults', async () => {
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
	] as const)('is told from an older message with it when a send fails %s', async (_, when) => {
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
	});

	test('goes on with Retry On Fail when its lookup failed', async () => {
		const wanted = wantedMessages(3);
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 500 }, count: 5 });
		const { json } = await send({ ...mapped, options }, { items: wanted, settings: retryOnFail });
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(3));
	});
});

describe('Skip If Already Sent', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();
	const options = { clientReference: '={{ $json.message }}', skipIfAlreadySent: true };
	/** Other references in each test: what was sent a moment ago is remembered. */
	let texts = 0;
	beforeEach(() => void (texts += 1));
	const wantedMessages = (count: number) => manyMessages(count, `Reference ${texts}`);
	const sendOnce = async (items: IDataObject[], settings: Partial<INode> = {}) =>
		await send({ ...mapped, ...inCollections(options) }, { items, settings });
	const marks = (json: IDataObject[]) => json.map(({ alreadySent }) => alreadySent);

	test('makes a workflow safe to run again', async () => {
		const wanted = wantedMessages(4);
		expect(marks((await sendOnce(wanted.slice(0, 2))).json)).toEqual([undefined, undefined]);
		const { json } = await sendOnce(wanted);
		expect(marks(json)).toEqual([true, true, undefined, undefined]);
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(4));
	});

	test('finds international messages, which history does not filter by number', async () => {
		const wanted = [{ to: '+6591234567', message: 'abroad-1' }];
		await sendOnce(wanted);
		const { json } = await sendOnce(wanted);
		expect(marks(json)).toEqual([true]);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test.each([['in history'], ['in a history that shows another sender ID', 'Operator']])(
		'finds what an earlier process sent abroad %s',
		async (_, historySender = '') => {
			const to = '6591234567';
			const [{ message }] = wantedMessages(1);
			sandbox.seedMessages(1, () => ({ to, message, from: 'MyShop', clientReference: message }));
			sandbox.configure({ historySender });
			const { json } = await sendOnce([{ to: `+${to}`, message }]);
			expect(marks(json)).toEqual([true]);
			expect(sandbox.messages()).toHaveLength(1);
		},
	);

	test('sends once when the same reference comes twice in the items, also before history knows', async () => {
		sandbox.configure({ historyLagMs: 60_000 });
		const [wanted] = wantedMessages(1);
		const { json } = await sendOnce([wanted, wanted]);
		expect(marks(json)).toEqual([undefined, true]);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('sends once when five executions come with the same reference at the same moment', async () => {
		sandbox.configure({ historyLagMs: 60_000, latencyMs: 10 });
		const [wanted] = wantedMessages(1);
		const runs = await Promise.all(Array.from({ length: 5 }, async () => await sendOnce([wanted])));
		expect(sandbox.messages()).toHaveLength(1);
		const records = runs.flatMap(({ json }) => json);
		expect(marks(records).filter((mark) => mark === undefined)).toHaveLength(1);
		const [{ messageId }] = sandbox.messages();
		expect(records.map((record) => record.messageId)).toEqual(Array(5).fill(messageId));
	});

	test('sends again what another execution was refused', async () => {
		const [wanted] = wantedMessages(1);
		sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 402 }, count: 1 });
		const runs = await Promise.all([sendOnce([wanted]), sendOnce([wanted])]);
		expect(runs.map(({ error }) => error?.message.includes('Rejected') ?? false)).toEqual([
			true,
			false,
		]);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('sends nothing while it is unknown whether another execution did', async () => {
		const [wanted] = wantedMessages(1);
		sandbox.configure({ historyLagMs: 60_000 });
		sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });
		const report = inCollections({ ...options, whenOutcomeUnknown: 'report' });
		const [first, second] = await Promise.all(
			[1, 2].map(async () => await send({ ...mapped, ...report }, { items: [wanted] })),
		);
		expect(first.error?.message).toContain('Outcome unknown');
		expect(second.error?.message).toContain('Outcome unknown');
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('sends to another number with the same reference', async () => {
		const [first, second] = wantedMessages(2);
		await sendOnce([first]);
		const { json } = await sendOnce([{ ...second, message: first.message }]);
		expect(marks(json)).toEqual([undefined]);
	});

	test('sends nothing when history cannot be asked', async () => {
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 503 } });
		const { error } = await sendOnce(wantedMessages(1));
		expect(error?.message).toContain('is unavailable');
		expect(error?.description).toMatch(/^Nothing was sent in this attempt\. /);
		expect(sandbox.messages()).toEqual([]);
	});

	test('sends once through lost answers and Retry On Fail', async () => {
		const wanted = wantedMessages(4);
		const path = '/rest/send';
		sandbox.addFault({ match: { path }, when: 'after', effect: 'cut', count: 2 });
		sandbox.addFault({ match: { path }, effect: { status: 400 }, count: 1 });
		const { json } = await sendOnce(wanted, retryOnFail);
		expect(accountFor(sandbox, wanted, json)).toEqual(allOnce(4));
	});
});

describe('Skip If Already Sent of SMS Bulk Send', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsBulkSend');
	shortenDelivery();
	const options = { skipIfAlreadySent: true, recipientsPerRequest: 3 };
	const startCampaign = async (items: IDataObject[], more = {}, settings: Partial<INode> = {}) =>
		await send({ ...mapped, ...inCollections({ ...options, ...more }) }, { items, settings });
	const marks = (json: IDataObject[]) => json.map(({ alreadySent }) => alreadySent === true);

	test('starts a campaign again that ended after a part of it', async () => {
		const items = wantedMessages(20);
		await startCampaign(items.slice(0, 8));
		const { json, outputs } = await startCampaign(items);
		expect(accountFor(sandbox, items, json)).toEqual(allOnce(20));
		expect(marks(json)).toEqual(items.map((_, index) => index < 8));
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
	});

	test('sends n - k of n alike items when history holds k of them', async () => {
		const [one] = wantedMessages(1);
		await startCampaign([one, one]);
		await send({ ...mapped }, { items: [one] });
		const before = sandbox.messages().length;
		const { json } = await startCampaign([one, one, one, one, one]);
		expect(sandbox.messages().length - before).toBe(2);
		expect(marks(json).filter(Boolean)).toHaveLength(3);
	});

	test('tells other texts, senders and numbers apart, however the number is written', async () => {
		const [one, two] = wantedMessages(2);
		await startCampaign([one]);
		const { json } = await startCampaign([
			{ ...one, to: one.to.replace(/^959/, '09') },
			{ ...one, message: 'Another text' },
			{ ...two, message: one.message },
		]);
		expect(marks(json)).toEqual([true, false, false]);
	});

	test('looks back as far as it is told', async () => {
		const [one] = wantedMessages(1);
		const hours = (count: number) => Date.now() - count * 3_600_000;
		sandbox.seedMessages(1, () => ({ ...one, from: 'MyShop', createdAtMs: hours(30) }));
		expect(marks((await startCampaign([one], { lookBackHours: 48 })).json)).toEqual([true]);
		expect(marks((await startCampaign([one], { lookBackHours: 20 })).json)).toEqual([false]);
	});

	test('neither sends nor skips what another time zone would put within the time', async () => {
		const [one] = wantedMessages(1);
		const createdAtMs = Date.now() - 30 * 3_600_000;
		sandbox.seedMessages(1, () => ({ ...one, from: 'MyShop', createdAtMs }));
		const { error } = await startCampaign([one], { lookBackHours: 24 });
		expect(error?.message).toContain('perhaps from before Look Back');
		expect(error?.description).toMatch(/^Nothing was sent to this recipient\. /);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test('sends nothing when history cannot be read', async () => {
		sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 503 } });
		const { error } = await startCampaign(wantedMessages(3));
		expect(error?.message).toContain('is unavailable');
		expect(error?.description).toMatch(/^Nothing was sent in this attempt\. /);
		expect(sandbox.messages()).toEqual([]);
	});

	test('sends each message once through lost answers and Retry On Fail', async () => {
		const [one, ...others] = wantedMessages(6);
		const items = [one, one, ...others];
		await startCampaign([one]);
		const match = { path: '/rest/send/bulk' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
		sandbox.addFault({ match, effect: { status: 402 }, count: 1 });
		const { json } = await startCampaign(items, {}, retryOnFail);
		expect(accountFor(sandbox, items, json)).toEqual(allOnce(7));
	});
});

describe('an encrypted message', () => {
	const sandbox = useSandbox();
	const send = runAgainst(sandbox, 'SmsSend');
	shortenDelivery();

	test('is found again by its reference, since its text is not in history', async () => {
		const match = { path: '/rest/send' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', count: 1 });
		const options = { encrypt: true, encryptKey: 'a key of mine' };
		const { json } = await send({ options });
		expect(sandbox.messages()).toHaveLength(1);
		expect(json[0].messageId).toBe(sandbox.messages()[0].messageId);
	});
});

describe('OTP Request', () => {
	const sandbox: Sandbox = useSandbox();
	const request = runAgainst(sandbox, 'OtpRequest');
	shortenDelivery();
	const items = ['09779100001', '09779100002', '09779100003'].map((number) => ({ to: number }));
	const requestAll = async (settings: Partial<INode>) =>
		await request({ to: '={{ $json.to }}' }, { items, settings });

	test('makes a request that was answered only once over all tries', async () => {
		sandbox.addFault({
			match: { path: '/otp/request' },
			effect: { status: 500 },
			skip: 1,
			count: 2,
		});
		const { json } = await requestAll(retryOnFail);
		expect(json.map((result) => result.to)).toEqual([
			'959779100001',
			'959779100002',
			'959779100003',
		]);
		expect(sandbox.codes()).toHaveLength(3);
		expect(json.map((result) => result.requestId)).toEqual(
			sandbox.codes().map(({ requestId }) => requestId),
		);
	});

	test('requests a code again when the answer got lost, for only that person', async () => {
		const match = { path: '/otp/request' };
		sandbox.addFault({ match, when: 'after', effect: 'cut', skip: 1, count: 1 });
		const { json } = await requestAll(retryOnFail);
		expect(sandbox.codes().map((code) => code.to)).toEqual([
			'959779100001',
			'959779100002',
			'959779100003',
			'959779100002',
		]);
		expect(json[1].requestId).toBe(sandbox.codes()[3].requestId);
	});

	test('requests no second code for others when n8n tries again for the first item', async () => {
		sandbox.addFault({ match: { path: '/otp/request' }, effect: { status: 500 }, count: 1 });
		await requestAll({ onError: 'continueRegularOutput', ...retryOnFail });
		expect(sandbox.codes()).toHaveLength(3);
	});

	test.each([
		[{}, 9 * 60, 2],
		[{}, 11 * 60, 3],
		[{ ttl: 60 }, 59, 2],
		[{ ttl: 60 }, 61, 3],
		[{ ttl: 3600 }, 59 * 60, 2],
	])(
		'with %j, a retry of the execution after %i seconds comes to %i codes: one that has expired helps nobody',
		async (options, seconds, codes) => {
			const node = { type: 'OtpRequest', parameters: { ...workingParameters.OtpRequest } } as const;
			const parameters = { ...node.parameters, to: '={{ $json.to }}', options };
			const surroundings = { credentials: credentialsOf(sandbox), items: items.slice(0, 2) };
			const match = { path: '/otp/request' };
			sandbox.addFault({ match, effect: { status: 400 }, skip: 1, count: 1 });
			const { run } = await runNode({ ...node, parameters }, surroundings);
			const requested = run.data.executionData?.contextData['node:Node'].requests as
				| Array<Array<{ countedAt: number }>>
				| undefined;
			requested![0][0].countedAt -= seconds * 1000;
			const later = await runNode({ ...node, parameters }, { ...surroundings, retryOf: run });
			expect(later.json).toHaveLength(2);
			expect(sandbox.codes()).toHaveLength(codes);
		},
	);
});
