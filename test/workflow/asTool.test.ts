import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { lookTiming } from '../../nodes/SmsSendAndWait/outcome';
import { inCollections } from '../../tools/harness/inCollections';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { inLine, inLoop, runNode, runWorkflow, toResult } from '../support/workflow/runWorkflow';
import { useSandbox } from '../support/workflow/useSandbox';

/** As a model calls them; what n8n does around them is tested in e2e/aiTools. */
describe('as a tool', () => {
	const sandbox = useSandbox();
	const credentials = () => credentialsOf(sandbox);
	const sentTo = () => sandbox.messages().map(({ to }) => to);
	const numbers = (count: number, from = 0) =>
		Array.from({ length: count }, (_, n) => `0979100${1000 + from + n}`).join(', ');

	const again = { alreadySent: true, note: expect.stringMatching(/^Sent \d+ seconds? ago\. /) };

	describe.each(['SmsSend', 'SmsBulkSend'] as const)('%s', (type) => {
		const call = async (parameters: IDataObject) =>
			await runNode(
				{ type: `${type}Tool`, parameters: { message: 'Hello', from: 'Shop', ...parameters } },
				{ credentials: credentials(), workflowId: 'agent' },
			);

		test('counts Max Messages over all calls of an execution', async () => {
			const to = '={{ `0979100100${$runIndex}, 0979100101${$runIndex}` }}';
			const parameters = {
				to,
				message: 'Hello',
				from: 'Shop',
				...inCollections({ maxMessages: 5 }),
			};
			const inThreeCalls = inLoop(inLine({ type: `${type}Tool`, parameters }), 3);
			const run = await runWorkflow(inThreeCalls, { credentials: credentials(), items: [{}] });
			expect(sentTo()).toHaveLength(4);
			expect(toResult(run).json).toEqual([
				expect.objectContaining({
					error: expect.stringMatching(
						/has sent 4 messages; 2 more exceed Max Messages \(5\).* all calls of the execution/,
					),
				}),
			]);
		});

		test('says what is wrong with a message that cannot be sent, and what helps', async () => {
			const message = 'x'.repeat(161);
			const { json } = await call({ to: numbers(1), message, ...inCollections({ maxParts: 1 }) });
			expect(json[0].error).toMatch(/^Message has 2 parts, but Max Parts is 1\. .*Shorten/);
		});

		test('tells a model of many recipients in short, failures first', async () => {
			sandbox.addFault({
				match: { path: '/rest/send' },
				effect: { status: 400 },
				skip: 40,
				count: 1,
			});
			const { json } = await call({ to: numbers(60) });
			const failed = type === 'SmsSend' ? 1 : 0;
			expect(sentTo()).toHaveLength(60 - failed);
			expect(json).toEqual([
				{
					messages: 60,
					sent: 60 - failed,
					...(failed > 0 && { failed }),
					first: Array(10).fill(expect.any(Object)),
				},
			]);
			const [{ first }] = json as unknown as [{ first: IDataObject[] }];
			expect(first.filter(({ error }) => error)).toHaveLength(failed);
			expect(JSON.stringify(json).length).toBeLessThan(5_000);
		});

		test('counts as failed what a dry run would not send', async () => {
			const { json } = await call({ to: `${numbers(11)}, 097`, dryRun: true });
			expect(json).toMatchObject([
				{ messages: 12, failed: 1, wouldSend: 11, first: { length: 10 } },
			]);
			const { json: others } = await call({ to: numbers(12), dryRun: true });
			expect(others).toMatchObject([{ messages: 12, wouldSend: 12 }]);
		});

		test('tells a model of up to ten recipients one by one', async () => {
			expect((await call({ to: numbers(10) })).json).toHaveLength(10);
		});

		test('sends once in an execution what differs in its spaces or in the notation of its number', async () => {
			const parameters = {
				to: "={{ ['09791234567', '+959 791 234 567', '09791234567'][$runIndex] }}",
				message: "={{ ['Hello you', 'Hello you ', 'Hello  you'][$runIndex] }}",
				from: 'Shop',
			};
			const inThreeCalls = inLoop(inLine({ type: `${type}Tool`, parameters }), 3);
			const run = await runWorkflow(inThreeCalls, { credentials: credentials(), items: [{}] });
			expect(sentTo()).toHaveLength(1);
			expect(toResult(run).json).toEqual([expect.objectContaining(again)]);
		});

		describe('over MCP', () => {
			const overMcp = async (parameters: IDataObject, workflowId: string) =>
				await runNode(
					{
						type: `${type}Tool`,
						parameters: { to: '09791234567', message: 'Hello', from: 'Shop', ...parameters },
					},
					{ credentials: credentials(), workflowId, executionId: null },
				);
			const newId = () => randomUUID();
			afterEach(() => jest.restoreAllMocks());

			test('sends equal calls at once a single time', async () => {
				const id = newId();
				const texts = ['Hello', 'Hello ', 'Hello'];
				const results = await Promise.all(texts.map((message) => overMcp({ message }, id)));
				expect(sentTo()).toHaveLength(1);
				const records = results.map(({ json: [record] }) => record);
				expect(new Set(records.map(({ messageId }) => messageId)).size).toBe(1);
				expect(records.filter(({ alreadySent }) => alreadySent)).toEqual(
					Array(2).fill(expect.objectContaining(again)),
				);
			});

			test('counts Max Messages in each call, which is an execution of its own', async () => {
				const id = newId();
				for (const message of ['One', 'Two', 'Three'])
					expect((await overMcp({ message, options: { maxMessages: 1 } }, id)).json).toMatchObject([
						{ status: 'Accepted' },
					]);
				expect(sentTo()).toHaveLength(3);
			});

			test('returns the first message for 2 minutes, then sends again', async () => {
				const id = newId();
				const [first] = (await overMcp({}, id)).json;
				const { messageId } = first;
				const clocks = [performance, Date].map((clock) => [clock, clock.now.bind(clock)] as const);
				const pass = (seconds: number) => {
					for (const [clock, now] of clocks)
						jest.spyOn(clock, 'now').mockImplementation(() => now() + seconds * 1000);
				};
				for (const seconds of [40, 110]) {
					pass(seconds);
					const [repeated] = (await overMcp({}, id)).json;
					const note = `Sent ${seconds} seconds ago. To send another message, change the text.`;
					expect(repeated).toMatchObject({ messageId, alreadySent: true, note });
				}
				pass(125);
				expect((await overMcp({}, id)).json[0]).not.toHaveProperty('alreadySent');

				expect(sentTo()).toHaveLength(2);
			});

			test('sends what another text, number, node or account sends, and what failed', async () => {
				const id = newId();
				sandbox.addFault({ match: { method: 'POST' }, effect: { status: 401 }, count: 1 });
				const [failed] = (await overMcp({}, id)).json;
				expect(failed).toHaveProperty('error');
				for (const parameters of [{}, { message: 'Bye' }, { to: '09791234568' }, { from: 'Other' }])
					expect((await overMcp(parameters, id)).json[0]).not.toHaveProperty('alreadySent');
				await overMcp({}, newId());
				expect(sentTo()).toHaveLength(5);
			});

			test('sends again with a user reference only what failed', async () => {
				const id = newId();
				const parameters = inCollections({ clientReference: 'order-1' });
				const used = type === 'SmsSend' ? parameters : {};
				await Promise.all([overMcp(used, id), overMcp(used, id)]);
				expect(sentTo()).toHaveLength(1);
			});

			test('sends only the new numbers of a list', async () => {
				const id = newId();
				await overMcp({ to: numbers(3) }, id);
				const { json } = await overMcp({ to: numbers(4) }, id);
				expect(json.map(({ alreadySent = false }) => alreadySent)).toEqual([
					...[true, true, true, false],
				]);
				expect(sentTo()).toHaveLength(4);
			});

			test('leaves equal calls of other executions alone', async () => {
				for (const executionId of ['41', '42'])
					await runNode(
						{
							type: `${type}Tool`,
							parameters: { to: '09791234567', message: 'Hello', from: 'Shop' },
						},
						{ credentials: credentials(), workflowId: 'chat', executionId },
					);
				for (let n = 0; n < 2; n += 1)
					await runNode(
						{ type, parameters: { to: '09791234567', message: 'Hello', from: 'Shop' } },
						{ credentials: credentials(), workflowId: 'chat', executionId: null },
					);
				expect(sentTo()).toHaveLength(4);
			});
		});
	});

	describe('SMS Send and Wait for Delivery', () => {
		const everyMs = lookTiming.everyMs;
		beforeEach(() => (lookTiming.everyMs = 20));
		afterEach(() => (lookTiming.everyMs = everyMs));
		const call = async (executionId: string, message = 'Your table is free', timeLimit = 0.005) =>
			await runNode(
				{
					type: 'SmsSendAndWaitTool',
					parameters: {
						to: '09791234567',
						from: 'Bistro',
						message,
						waitFor: 'anyFinal',
						timeLimit,
					},
				},
				{ credentials: credentials(), workflowId: 'bistro', executionId },
			);

		test('sends once for the same call of two executions, and returns the status of the message', async () => {
			const [first] = (await call('11')).json;
			expect(first).toMatchObject({ outcome: 'timedOut', status: 'Accepted' });
			await sandbox.setStatus(sandbox.messages()[0].messageId, 'Delivered');
			const [second] = (await call('12')).json;
			expect(second).toMatchObject({
				...{ messageId: first.messageId, alreadySent: true },
				...{ outcome: 'delivered', status: 'Delivered' },
			});
			await call('13', 'Your table is gone');
			expect(sentTo()).toHaveLength(2);
		});

		test('sends each call of an execution to its own number', async () => {
			const to = "={{ ['09791234567', '09791234568'][$runIndex] }}";
			const parameters = { to, message: 'Hello', from: 'Bistro', timeLimit: 0.005 };
			const underTest = inLoop(inLine({ type: 'SmsSendAndWaitTool', parameters }), 2);
			await runWorkflow(underTest, { credentials: credentials(), items: [{}] });
			expect(sentTo()).toEqual(['959791234567', '959791234568']);
		});

		test('sends once for the same call of two executions at once', async () => {
			const results = await Promise.all([call('21', 'Now'), call('22', 'Now')]);
			const ids = results.map(({ json }) => json[0].messageId);
			expect(new Set(ids).size).toBe(1);
			expect(sentTo()).toHaveLength(1);
		});

		test('sends nothing again where the outcome of the first call is unknown', async () => {
			sandbox.addFault({ match: { path: '/rest/send' }, when: 'after', effect: 'cut', count: 1 });
			sandbox.addFault({ match: { path: '/rest/messages' }, effect: { status: 403 } });
			const outcomes = [await call('31', 'Lost'), await call('32', 'Lost')];
			for (const { json } of outcomes) expect(json[0].error).toContain('Outcome unknown');
			expect(sentTo()).toHaveLength(1);
		});
	});
});
