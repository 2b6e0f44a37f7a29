import { setTimeout as sleep } from 'node:timers/promises';

import { describeRun } from '../../tools/harness';
import { readExample } from '../../scripts/n8n/examples';
import { until } from '../../scripts/n8n/until';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { linkIn, open, press } from '../support/e2e/questions';
import { lookSeconds } from '../support/e2e/lookOften';

const websiteKey = { name: 'X-Api-Key', value: 'of-the-website' };
const owner = '959790000001';
const customer = '959791234567';

describe('examples that ask a person by SMS', () => {
	let runner: ExampleRunner;
	beforeAll(async () => {
		runner = await ExampleRunner.open({ httpHeaderAuth: websiteKey });
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const textsTo = (number: string, { sandbox } = runner) =>
		sandbox.messages().flatMap(({ to, message }) => (to === number ? [message] : []));
	const asleep = async (workflowId: string) => {
		const { api } = runner.n8n;
		const find = async () => (await api.executions(workflowId))[0]?.id;
		const id = await until(find, { what: 'the execution' });
		expect((await api.finishedExecution(id, ['waiting'])).status).toBe('waiting');
		return id;
	};

	describe('refund-approval', () => {
		const ask = async (headers: object = { [websiteKey.name]: websiteKey.value }) => {
			const { id } = await runner.activate('refund-approval');
			const body = { order: '1234', amount: 45000, phone: '09791234567' };
			const request = { body, headers: { ...headers } };
			const { status } = await runner.call('refunds/ask', request);
			return { id, status };
		};

		test.each([
			['approve', 'Refund it', 'We have refunded 45,000 MMK for your order 1234.'],
			['decline', 'Tell the customer no', 'We cannot refund your order 1234. Please call us.'],
		])('on %s goes to %s, and tells the customer', async (response, ran, told) => {
			const { id, status } = await ask();
			expect(status).toBe(200);
			const executionId = await asleep(id);
			expect(textsTo(owner)).toEqual([
				expect.stringMatching(/^Refund 45,000 MMK to order 1234\?\nhttp/),
			]);
			expect(runner.sandbox.messages()[0].messageCount).toBeLessThanOrEqual(3);
			const { data } = await open(linkIn(runner.sandbox));
			for (const words of ['Refund of order 1234', 'Don&#39;t refund'])
				expect(data).toContain(words);
			await press(linkIn(runner.sandbox), { response });
			const { error, json } = describeRun(id, await runner.n8n.api.finishedExecution(executionId));
			expect(error).toBeUndefined();
			expect(Object.keys(json)).toContain(ran);
			expect('Refund it' in json).toBe(response === 'approve');
			expect(textsTo(customer)).toEqual([told]);
		});

		test('asks nobody without the key', async () => {
			expect((await ask({})).status).toBe(403);
			expect(runner.sandbox.requests().map(({ path }) => path)).toEqual([]);
		});
	});

	describe('on-call-question', () => {
		const second = '959790000002';

		/** Executes the example until it has asked the first. */
		const start = async (changes = {}, example = readExample('on-call-question'), on = runner) => {
			const { api } = on.n8n;
			const { id } = await on.import(example, changes);
			const executionId = await api.runManually(id, 'Start');
			await api.finishedExecution(executionId, ['waiting']);
			return {
				executionId,
				finish: async () => {
					const run = describeRun(id, await api.finishedExecution(executionId));
					expect(run.error).toBeUndefined();
					return run.json['Who takes it'];
				},
				askedSecond: async () =>
					await until(async () => textsTo(second, on).length > 0 || undefined, {
						what: 'the second question',
					}),
				/** Presses a button of the question to the second, once it waits. */
				press: async (response: string) =>
					await until(
						async () => {
							const { data } = await press(linkIn(on.sandbox), { response });
							return data.includes('was recorded') || undefined;
						},
						{ what: 'the question to wait' },
					),
			};
		};
		/** Side by side, each with a service of its own: n8n ends a question 90 s after its time limit. */
		const alone = (work: (own: ExampleRunner) => Promise<void>) => async () =>
			await ExampleRunner.use({}, work);
		const limit = (seconds: number) => {
			const values = {
				...{ limitType: 'afterTimeInterval', resumeUnit: 'minutes' },
				resumeAmount: seconds / 60,
			};
			return { options: { limitWaitTime: { values } } };
		};

		test('names who accepts, and asks nobody else', async () => {
			const started = await start();
			await started.press('0');
			expect(await started.finish()).toEqual([[{ response: "I'll take it", number: owner }]]);
			expect(textsTo(second)).toEqual([]);
		});

		test('asks the next one on demand', async () => {
			const started = await start();
			await started.press('1');
			await started.askedSecond();
			await started.press('1');
			expect(await started.finish()).toEqual([[{ response: 'False alarm', number: second }]]);
		});

		const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

		/** The example, with what questions return in each run in place of the nodes that ask. */
		const withReturned = (returned: Record<string, object[]>) => {
			const example = readExample('on-call-question');
			const nodes = example.nodes.map((node) => {
				if (!(node.name in returned)) return node;
				// Two braces would end the expression.
				const list = JSON.stringify(returned[node.name]).replaceAll('}', '} ');
				const parameters = { mode: 'raw', jsonOutput: `={{ ${list}[$runIndex] }}`, options: {} };
				return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
			});
			return { ...example, nodes };
		};
		const firstPassesOn = {
			'Ask the first': [{ data: { choice: 'Ask the next one' }, timedOut: false }],
		};
		const respond = async (items: object[]) => {
			const workflow = await runner.importWorkflow(
				withReturned({ ...firstPassesOn, 'Ask the second': items }),
			);
			const { json, error, execution } = await runner.execute(workflow, 'Start');
			expect(error).toBeUndefined();
			return { asked: execution.runData['Ask the second']?.length, told: json['Who takes it'] };
		};

		/** What each run of the question returns: when its wait ends, in minutes, or what was chosen. */
		type Returned = Array<number | string | undefined>;
		test.each<[response: string, what: string, returned: Returned]>([
			['nobody', 'whose time is up', [-0.1]],
			['nobody', 'that ended a moment before', [0.05]],
			['nobody', 'without an end', [undefined]],
			['closed too early', 'that n8n closes again and again', [5, 5, 5, 5, 5, 5]],
			["I'll take it", 'that was asked again', [5, "I'll take it"]],
		])('says %s about a question %s', async (response, _, returned) => {
			const items = returned.map((one) =>
				typeof one === 'string'
					? { data: { choice: one }, timedOut: false, to: second }
					: {
							...{ data: { approved: false }, timedOut: true, to: second },
							...(one !== undefined && { waitedUntil: inMinutes(one) }),
						},
			);
			const { asked, told } = await respond(items);
			expect(told).toEqual([[{ response, number: second }]]);
			expect(asked).toBe(Math.min(items.length, 4));
		});

		describe('when time passes', () => {
			test.concurrent(
				'asks the next one when nobody responds in time',
				alone(async (own) => {
					const started = await start({ 'Ask the first': limit(3) }, undefined, own);
					await started.askedSecond();
					await started.press('0');
					expect(await started.finish()).toEqual([[{ response: "I'll take it", number: second }]]);
				}),
			);

			test.concurrent(
				'names nobody when the second does not respond in time either',
				alone(async (own) => {
					const example = withReturned(firstPassesOn);
					const started = await start({ 'Ask the second': limit(3) }, example, own);
					expect(await started.finish()).toEqual([[{ response: 'nobody', number: second }]]);
				}),
			);

			test.concurrent(
				'the timer of the first question does not end the second',
				alone(async (own) => {
					const limitSeconds = 2 * lookSeconds + 10;
					const started = await start({ 'Ask the first': limit(limitSeconds) }, undefined, own);
					// n8n has set the timers of what ends soon.
					await sleep((lookSeconds + 2) * 1000);
					await started.press('1');
					await started.askedSecond();
					await sleep((limitSeconds + 5) * 1000);
					expect(textsTo(second, own)).toHaveLength(1);
					await started.press('0');
					expect(await started.finish()).toEqual([[{ response: "I'll take it", number: second }]]);
				}),
			);
		});
	});
});
