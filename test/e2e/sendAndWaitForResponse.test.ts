import type { IConnections, IDataObject } from 'n8n-workflow';

import { isN8n1 } from '../../scripts/n8n/paths';
import { describeRun, runWorkflow, type NodeUnderTest } from '../../tools/harness';
import { askNode, linkIn, open, press, textOf } from '../support/e2e/questions';
import { setNode } from '../support/e2e/setNode';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { useService } from '../support/e2e/useService';

/** What came in must never look like an approval. */
const parent = { private: 'of the parent', approved: true, data: { approved: true } };
const recorded = 'Your response was recorded';
const waitOptions = { orStatus: ['waiting'] };

describe('SMS Send and Wait for Response in a real n8n', () => {
	const service = useService();
	const runAsk = async (
		parameters: IDataObject = {},
		settings: Partial<NodeUnderTest> = {},
		options: { connections?: IConnections; others?: NodeUnderTest[] } = {},
	) => {
		const { others = [], connections } = options;
		const nodes = [askNode(service.credentials, parameters, settings), ...others];
		return await runWorkflow(service.api, nodes, [parent], { ...waitOptions, connections });
	};
	const ask = async (...given: Parameters<typeof runAsk>) => {
		const run = await runAsk(...given);
		expect(run.error).toBeUndefined();
		expect(run.status).toBe('waiting');
		return { ...run, link: linkIn(service.sandbox) };
	};
	interface Asked {
		workflowId: string;
		executionId: string;
	}
	const finish = async ({ workflowId, executionId }: Asked) =>
		describeRun(workflowId, await service.api.finishedExecution(executionId));
	const isWaiting = async ({ executionId }: Asked) =>
		(await service.api.execution(executionId)).status === 'waiting';

	sinceN8n2('review of an agent’s tools by a node that waits').test(
		'is offered to agents as a tool, and not as a review of other tools',
		async () => {
			const names = (await service.api.nodeTypes()).map(({ name }) => name);
			const ours = names.filter((name) => name.includes('.smsSendAndWaitForResponse'));
			const type = 'n8n-nodes-messaging-service.smsSendAndWaitForResponse';
			expect(ours.sort()).toEqual([type, `${type}Tool`]);
			// n8n's own nodes that ask people are: the list would tell.
			expect(names.some((name) => name.endsWith('HitlTool'))).toBe(true);
		},
	);

	describe('an approval', () => {
		test.each([
			['approve', true],
			['decline', false],
		])('goes on when %s is pressed', async (response, approved) => {
			const asked = await ask();
			const page = await open(asked.link);
			expect(page.status).toBe(200);
			expect(page.data).toContain('Refund 45,000 MMK to order 1234?');
			expect(await isWaiting(asked)).toBe(true);

			const pressed = await press(asked.link, { response });
			expect(pressed.status).toBe(200);
			expect(textOf(pressed)).toContain(recorded);
			const { status, json } = await finish(asked);
			expect(status).toBe('success');
			const [{ messageId }] = service.sandbox.messages();
			const respondedAt = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
			const data = { approved, respondedAt };
			const output = { approved, data, timedOut: false, messageId, to: '959791234567' };
			expect(json.Ask).toEqual([[output]]);
			expect(service.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		});

		test('is read by an If node as that of n8n is', async () => {
			const behind = setNode('Behind', {
				answer: "={{ $json.data.approved ? 'yes' : 'no' }}",
				of: "={{ $('Items').item.json.private }}",
			});
			const asked = await ask({}, {}, { others: [behind] });
			await press(asked.link, { response: 'approve' });
			const { error, json } = await finish(asked);
			expect([error, json.Behind]).toEqual([undefined, [[{ answer: 'yes', of: 'of the parent' }]]]);
		});
	});

	test.each([
		[
			'a choice',
			{ responseType: 'choice', choices: "I'll take it\nCall me" },
			{ response: '1' },
			{ choice: 'Call me' },
		],
		[
			'a text',
			{ responseType: 'freeText' },
			{ response: 'send', text: ' On\r\nmy way ' },
			{ text: 'On\nmy way' },
		],
	])('hands on %s', async (_, parameters, fields, data) => {
		const asked = await ask(parameters);
		expect(textOf(await press(asked.link, fields))).toContain(recorded);
		expect((await finish(asked)).json.Ask[0][0].data).toEqual({
			...data,
			approved: false,
			respondedAt: expect.any(String) as unknown,
		});
	});

	describe('from outside', () => {
		test('nothing but a button decides', async () => {
			const asked = await ask({ approvalOptions: { values: { approvalType: 'single' } } });
			for (let visits = 0; visits < 3; visits += 1) {
				expect((await open(asked.link)).status).toBe(200);
				await open(asked.link, 'HEAD');
				await open(asked.link, 'PUT');
				await open(asked.link, 'OPTIONS');
			}
			const forged = [
				...['', 'response=', 'response=decline', 'response=Approve', 'approved=true'],
				...['response=approv%00e', 'response=approve%20', 'response=%0Aapprove'],
				...['data[approved]=true', 'response[0]=approve', 'response=decline&response=approve'],
				...['__proto__=approve', '__proto__[response]=approve', 'constructor=approve'],
			];
			for (const fields of forged) {
				const { status, data } = await press(asked.link, fields);
				expect([status, data]).toEqual([400, expect.not.stringContaining(recorded)]);
			}
			expect(await isWaiting(asked)).toBe(true);
			expect(textOf(await press(asked.link, { response: 'approve' }))).toContain(recorded);
			expect((await finish(asked)).json.Ask[0][0].data).toMatchObject({ approved: true });
		});

		test('a changed link opens nothing', async () => {
			const [one, other] = [await ask(), await ask()];
			const change = (edit: (url: URL) => void) => {
				const url = new URL(one.link);
				edit(url);
				return url.href;
			};
			const { searchParams: ofOther } = new URL(other.link);
			const changed = [
				change(({ searchParams }) => searchParams.delete('signature')),
				change(({ searchParams }) => searchParams.set('signature', '0'.repeat(64))),
				change(({ searchParams }) =>
					searchParams.set('signature', String(ofOther.get('signature'))),
				),
				change(({ searchParams }) => searchParams.delete('q')),
				change(({ searchParams }) => searchParams.set('q', String(ofOther.get('q')))),
				change(({ searchParams }) => searchParams.set('approved', 'true')),
				change((url) => (url.search = new URL(other.link).search)),
			];
			for (const link of changed) {
				// n8n 1 checks no signature for a node whose operation is the default: the proof holds there.
				const isHarmless =
					isN8n1() && link.includes(String(new URL(one.link).searchParams.get('q')));
				if (isHarmless) continue;
				const statuses = [
					(await open(link)).status,
					(await press(link, { response: 'approve' })).status,
				];
				expect(statuses.every((status) => [401, 410].includes(status))).toBe(true);
			}
			expect([await isWaiting(one), await isWaiting(other)]).toEqual([true, true]);
		});

		test('a hundred presses at once decide once', async () => {
			const asked = await ask();
			const presses = Array.from({ length: 100 }, (_, n) =>
				press(asked.link, { response: n % 2 ? 'approve' : 'decline' }),
			);
			const pages = (await Promise.all(presses)).map(textOf);
			const counted = pages.filter((page) => page.includes(recorded));
			if (counted.length !== 1) expect([...new Set(pages)]).toContain(`${recorded}, once`);
			const { json, execution } = await finish(asked);
			const { approved } = json.Ask[0][0].data as IDataObject;
			expect(counted[0]).toContain(approved ? 'Approve' : 'Decline');
			expect(execution.runData.Ask).toHaveLength(1);
			const others = pages.filter((page) => page.includes('was already answered'));
			for (const page of others) expect(page).toContain(approved ? 'Approve' : 'Decline');
			// n8n answers those who press while it resumes the execution, or after its end, before the node runs.
			const rest = pages.filter((page) => !counted.includes(page) && !others.includes(page));
			for (const page of rest) {
				expect(page).toMatch(/^\{"code":\d+,"message":|^No action required/);
			}
			const late = textOf(await press(asked.link, { response: 'approve' }));
			expect(late).toMatch(/^No action required/);
			expect(service.sandbox.messages()).toHaveLength(1);
		});

		test('the page is closed to everything but itself', async () => {
			const { link } = await ask();
			const { headers, data } = await open(link);
			expect(headers).toMatchObject({
				'content-type': 'text/html; charset=utf-8',
				'content-security-policy': expect.stringMatching(
					/^default-src 'none'.*frame-ancestors 'none'$/,
				) as unknown,
				'cache-control': 'no-store',
				'x-robots-tag': 'noindex, nofollow',
				'referrer-policy': 'no-referrer',
				'x-frame-options': 'DENY',
			});
			expect(data).not.toMatch(/https?:|\/\/\w/);
			const pressed = await press(link, { response: 'approve' });
			expect(pressed.headers).toMatchObject({
				'cache-control': 'no-store',
				'referrer-policy': 'no-referrer',
				'x-frame-options': 'DENY',
			});
		});
	});

	test('responds also after the workflow was deactivated', async () => {
		const asked = await ask();
		await service.api.deactivate(asked.workflowId);
		await press(asked.link, { response: 'approve' });
		expect((await finish(asked)).json.Ask[0][0].data).toMatchObject({ approved: true });
	});

	describe('several questions of one execution', () => {
		test('each have a link of their own: an approval of the first one is none of the second', async () => {
			const second = { ...askNode(service.credentials, { message: 'Really?' }), name: 'Again' };
			const asked = await ask({}, {}, { others: [second] });
			await press(asked.link, { response: 'approve' });
			await service.api.finishedExecution(asked.executionId, ['waiting']);
			await waitForMessages(2);
			const { data } = await press(asked.link, { response: 'approve' });
			expect(data).not.toContain(recorded);
			expect(textOf(await press(linkIn(service.sandbox), { response: 'decline' }))).toContain(
				recorded,
			);
			const { json } = await finish(asked);
			expect(json.Ask[0][0].data).toMatchObject({ approved: true });
			expect(json.Again[0][0].data).toMatchObject({ approved: false });
		});

		test('of one node in a loop do so as well', async () => {
			const main = (...nodes: string[]) => ({
				main: nodes.map((node) => (node ? [{ node, type: 'main' as const, index: 0 }] : [])),
			});
			const loop = {
				name: 'Loop',
				type: 'n8n-nodes-base.splitInBatches',
				typeVersion: 3,
				parameters: { options: {} },
			};
			const node = askNode(service.credentials, { message: '=Question {{ $json.n }}' });
			const connections = { Loop: main('', 'Ask'), Ask: main('Loop') };
			const items = [{ n: 1 }, { n: 2 }];
			const run = await runWorkflow(service.api, [loop, node], items, {
				...waitOptions,
				connections,
			});
			expect(run.status).toBe('waiting');
			const first = linkIn(service.sandbox);
			await press(first, { response: 'approve' });
			await waitForMessages(2);
			await service.api.finishedExecution(run.executionId, ['waiting']);
			for (const response of [await open(first), await press(first, { response: 'approve' })]) {
				expect([response.status, response.data]).toEqual([410, expect.stringContaining('closed')]);
			}
			expect(await isWaiting(run)).toBe(true);
			await press(linkIn(service.sandbox), { response: 'decline' });
			const { json } = await finish(run);
			expect(json.Loop[0].map(({ data }) => (data as IDataObject).approved)).toEqual([true, false]);
		});
	});

	async function waitForMessages(count: number) {
		for (let tries = 0; tries < 1_200 && service.sandbox.messages().length < count; tries += 1)
			await new Promise((resolve) => setTimeout(resolve, 50));
		expect(service.sandbox.messages().map(({ to }) => to)).toHaveLength(count);
		await new Promise((resolve) => setTimeout(resolve, 500));
	}

	describe('sends once', () => {
		const lost = () =>
			service.sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut' });

		test('under Retry On Fail: link, page and record are those of the SMS, whatever the expressions return', async () => {
			lost();
			service.sandbox.addFault({
				match: { path: '/rest/messages' },
				effect: { status: 403 },
				count: 1,
			});
			const retry = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
			const message = '=Refund {{ $now.toMillis() }} to {{ $execution.id }}?';
			const asked = await ask({ message }, retry);
			expect(service.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
			const [{ message: sms }] = service.sandbox.messages();
			expect((await open(asked.link)).data).toContain(String(sms).split('\n')[0]);
			await press(asked.link, { response: 'approve' });
			expect((await finish(asked)).json.Ask[0][0].data).toMatchObject({ approved: true });
		});

		test('in the retry of a failed execution, which says that the link is dead', async () => {
			lost();
			service.sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
			const failed = await runAsk();
			expect(failed.error?.message).toContain('unknown');
			service.sandbox.clearFaults();
			const retried = await service.api.retry(failed.executionId, { loadWorkflow: true });
			const { error } = await service.api.finishedExecution(retried, ['waiting']);
			expect(error?.message).toContain('its link no longer works');
			expect(service.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		});

		test('asks again when the first attempt certainly sent nothing', async () => {
			service.sandbox.addFault({ match: { path: '/rest/send' }, effect: { status: 403 } });
			const failed = await runAsk();
			expect(failed.status).toBe('error');
			service.sandbox.clearFaults();
			const retried = await service.api.retry(failed.executionId, { loadWorkflow: true });
			expect((await service.api.finishedExecution(retried, ['waiting'])).status).toBe('waiting');
			await press(linkIn(service.sandbox), { response: 'approve' });
			const { json } = await finish({ workflowId: failed.workflowId, executionId: retried });
			expect(json.Ask[0][0].data).toMatchObject({ approved: true });
			expect(service.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
		});
	});

	test.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)(
		'an earlier approval in the input is none of a failed question (%s)',
		async (onError, output) => {
			for (const to of ['12', '09000000011']) {
				const { json } = await runAsk({ to }, { onError });
				expect(json.Ask[output]).toEqual([
					expect.objectContaining({ approved: false, data: { approved: false } }),
				]);
			}
		},
	);
});
