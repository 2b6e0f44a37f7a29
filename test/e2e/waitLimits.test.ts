import { setTimeout as sleep } from 'node:timers/promises';

import { httpClient } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import {
	connectToSharedN8n,
	describeRun,
	runWorkflow,
	type N8nApi,
	type NodeUnderTest,
} from '../../tools/harness';
import { lookSeconds } from '../support/e2e/lookOften';
import { askNode, open, press } from '../support/e2e/questions';
import { setNode } from '../support/e2e/setNode';
import { createCredentials, type Credentials } from '../support/e2e/useService';

const limit = (resumeAmount: number) => ({
	options: { limitWaitTime: { values: { resumeAmount, resumeUnit: 'minutes' } } },
});
const recorded = 'Your response was recorded';
const wait = { type: 'n8n-nodes-base.wait', typeVersion: 1.1 };
/** Of a first wait. Within it, n8n has looked for waits that end soon, and somebody responds. */
const limitSeconds = 2 * lookSeconds + 20;
const respondSeconds = lookSeconds + 3;
const minute = 60_000;

describe('Limit Wait Time', () => {
	let api: N8nApi;
	let sandbox: Sandbox;
	let credentials: Credentials;
	const options = { orStatus: ['waiting'] };
	const ask = (name: string, to: string, minutes: number): NodeUnderTest => ({
		...askNode(credentials, { to, ...limit(minutes) }),
		name,
	});
	const sentTo = (to: string) =>
		sandbox.messages().filter((message) => message.to === `95${to.slice(1)}`);
	const linkTo = (to: string) => String(/\S+$/.exec(String(sentTo(to)[0].message))?.[0]);
	const start = async (...nodes: NodeUnderTest[]) => await runWorkflow(api, nodes, [{}], options);

	/** Closes the page on time. */
	const testEnd = async () => {
		const to = '09791234561';
		const { workflowId, executionId } = await start(ask('Ask', to, limitSeconds / 60));
		expect((await open(linkTo(to))).status).toBe(200);
		await sleep(limitSeconds * 1000 + 100);
		for (const page of [await open(linkTo(to)), await press(linkTo(to), { response: 'approve' })])
			expect([page.status, page.data]).toEqual([410, expect.stringContaining('is closed')]);
		const { json } = describeRun(workflowId, await api.finishedExecution(executionId));
		expect(json.Ask[0]).toMatchObject([{ data: { approved: false }, timedOut: true }]);
	};

	/** What came in must never look like an approval. */
	const testInput = async () => {
		const to = '09791234567';
		const parent = { private: 'of the parent', approved: true, data: { approved: true } };
		const node = ask('Ask', to, 0.05);
		const file = {
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: { operation: 'toText', sourceProperty: 'private', options: {} },
		};
		const runs = await Promise.all([
			runWorkflow(api, [file, node], [parent]),
			runWorkflow(api, [{ ...node, executeOnce: true }], [parent, parent]),
		]);
		const ids = sentTo(to).map(({ messageId }) => messageId);
		expect(ids).toHaveLength(2);
		for (const { status, json, outputs } of runs) {
			expect(status).toBe('success');
			expect(outputs.Ask[0][0].binary).toBeUndefined();
			const [{ messageId }] = json.Ask[0];
			expect(ids).toContain(messageId);
			const timedOut = { timedOut: true, messageId, to: `95${to.slice(1)}` };
			const waitedUntil = expect.any(String) as unknown;
			const data = { approved: false };
			expect(json.Ask).toEqual([[{ approved: false, data, ...timedOut, waitedUntil }]]);
		}
	};

	/** A response in the last seconds of the first question. */
	const testNextQuestion = async () => {
		const [first, second] = ['09791234562', '09791234563'];
		const startedAt = Date.now();
		const nodes = [ask('Ask', first, limitSeconds / 60), ask('Again', second, 24 * 60)];
		const { executionId } = await start(...nodes);
		await sleep(startedAt + respondSeconds * 1000 - Date.now());
		expect((await press(linkTo(first), { response: 'approve' })).data).toContain(recorded);
		// n8n's end of the first wait, and a little more.
		await sleep(startedAt + limitSeconds * 1000 + 100_000 - Date.now());
		expect((await api.execution(executionId)).status).toBe('waiting');
		expect((await press(linkTo(second), { response: 'decline' })).data).toContain(recorded);
	};

	/** n8n 1 would start the execution again at the limit, while it still runs. */
	const testRunning = async () => {
		const [asked, told] = ['09791234564', '09791234565'];
		const pause = { resume: 'timeInterval', amount: limitSeconds, unit: 'seconds' };
		const startedAt = Date.now();
		const run = await start(
			ask('Ask', asked, limitSeconds / 60),
			{ ...wait, name: 'Pause', webhookId: 'pause', parameters: pause },
			{
				name: 'Send',
				type: 'smsSend',
				credentials: { ...credentials },
				parameters: { to: told, message: 'Sold', from: 'MyShop' },
			},
		);
		await sleep(startedAt + respondSeconds * 1000 - Date.now());
		await press(linkTo(asked), { response: 'approve' });
		await api.finishedExecution(run.executionId);
		await sleep(startedAt + limitSeconds * 1000 + 42_000 - Date.now());
		expect(sentTo(told)).toHaveLength(1);
	};

	/** n8n keeps the timer of its own Wait node, which then ends what the execution waits for. */
	const testEarlyEnd = async () => {
		const to = '09791234566';
		const parameters = {
			resume: 'webhook',
			limitWaitTime: true,
			limitType: 'afterTimeInterval',
			// Long enough for a busy n8n to look and for the question to be asked.
			resumeAmount: 3 * limitSeconds,
			resumeUnit: 'seconds',
			options: {},
		};
		const run = await start(
			setNode('Show', { url: '={{ $execution.resumeUrl }}' }),
			{ ...wait, name: 'Wait', webhookId: 'wait', parameters },
			ask('Ask', to, 24 * 60),
		);
		await sleep(5 * lookSeconds * 1000);
		await httpClient.get(String(run.json.Show[0][0].url));
		const { json } = describeRun(run.workflowId, await api.finishedExecution(run.executionId));
		const [{ data, timedOut, waitedUntil }] = json.Ask[0] as IDataObject[];
		expect([data, timedOut]).toEqual([{ approved: false }, true]);
		const left = Date.parse(String(waitedUntil)) - Date.now();
		expect(left).toBeGreaterThan(23 * 60 * minute);
		expect((await press(linkTo(to), { response: 'approve' })).data).not.toContain(recorded);
	};

	/** Side by side, since each lasts minutes. */
	const running: Record<string, Promise<void>> = {};
	beforeAll(async () => {
		sandbox = await startSandbox({ pace: 0 });
		api = (await connectToSharedN8n()).api;
		credentials = await createCredentials(api, sandbox);
		const all = { testEnd, testInput, testNextQuestion, testRunning, testEarlyEnd };
		for (const [name, run] of Object.entries(all)) {
			running[name] = run();
			// The test that waits for it gets the error.
			running[name].catch(() => undefined);
		}
	});

	afterAll(async () => await sandbox?.close());

	test('closes the page on time, and a later press decides nothing', async () => {
		await running.testEnd;
	});
	test('approves nothing, and hands on nothing of the input', async () => {
		await running.testInput;
	});
	test('of a question with a response in its last minute does not end the next one', async () => {
		await running.testNextQuestion;
	});
	test('of a question with a response in its last minute starts nothing again', async () => {
		await running.testRunning;
	});
	test('reports that an earlier Wait node made n8n end early', async () => {
		await running.testEarlyEnd;
	});
});
