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
					error: expect.stringMatching(/has sent 4 messages; 2 more exceed Max Messages \(5\)/),
				}),
			]);
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

		test('tells a model of up to ten recipients one by one', async () => {
			expect((await call({ to: numbers(10) })).json).toHaveLength(10);
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
