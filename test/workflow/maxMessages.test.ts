import { inCollections } from '../../tools/harness/inCollections';
import { credentialsOf } from '../support/workflow/credentialsOf';
import { runNode, type RunOptions } from '../support/workflow/runWorkflow';
import { allItems, mapped, wantedMessages } from '../support/workflow/sending';
import { onErrors } from '../support/workflow/onErrors';
import { runAgainst } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

describe.each(['SmsSend', 'SmsBulkSend'] as const)('Max Messages of %s', (type) => {
	const sandbox = useSandbox();
	const run = runAgainst(sandbox, type);
	const send = async (maxMessages: unknown, items = wantedMessages(5), settings = {}) =>
		await run({ ...mapped, safeguards: { maxMessages } as never }, { items, settings });

	test.each(onErrors)('sends nothing with %s when the run would send more', async (onError) => {
		const result = await send(4, wantedMessages(5), { onError });
		const words = 'The run has 5 messages, but Max Messages is 4';
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		if (onError === 'stopWorkflow') expect(result.error?.message).toContain(words);
		else
			expect(allItems(result).map(({ error }) => error)).toEqual(
				Array(5).fill(expect.stringContaining(words)),
			);
	});

	test('counts every recipient of an item', async () => {
		const to = '09779100001, 09779100002; 09779100003';
		const { error } = await send(3, [...wantedMessages(1), { to, message: 'Hello' }]);
		expect(error?.message).toContain('has 4 messages');
		expect(sandbox.messages().map(({ to }) => to)).toEqual([]);
	});

	test('returns what was accepted before, names duplicates, and fails each other item once', async () => {
		const [first, second, third] = wantedMessages(3);
		const items = [first, first, { ...second, to: `${second.to}, ${third.to}` }];
		const path = type === 'SmsSend' ? '/rest/send' : '/rest/send/bulk';
		const options = {
			parallelRequests: 1,
			...(type === 'SmsBulkSend' && { recipientsPerRequest: 1 }),
		};
		const credentials = credentialsOf(sandbox);
		const sendAll = async (maxMessages: number, more: Partial<RunOptions> = {}) => {
			const given = inCollections({ ...options, maxMessages, skipDuplicates: true });
			const settings = {
				onError: more.retryOf ? 'continueRegularOutput' : 'stopWorkflow',
			} as const;
			const node = { type, parameters: { ...mapped, ...given }, settings };
			return await runNode(node, { credentials, items, ...more });
		};
		sandbox.addFault({ match: { path }, effect: { status: 401 }, skip: 1, count: 1 });
		const failed = await sendAll(3);
		const { json } = await sendAll(2, { retryOf: failed.run });
		expect(json).toEqual([
			expect.objectContaining({ messageId: sandbox.messages()[0].messageId }),
			{ to: expect.stringContaining('9'), skipped: 'duplicate' },
			expect.objectContaining({ error: expect.stringContaining('Max Messages is 2') }),
		]);
		expect(sandbox.messages()).toHaveLength(1);
	});

	test.each([5, 0, '5'])('sends as many as are allowed (%j)', async (maxMessages) => {
		expect((await send(maxMessages)).json).toHaveLength(5);
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(5);
	});

	test.each([
		['', 'Max Messages is empty'],
		['={{ $json.missing }}', 'The expression in Max Messages returned no value'],
		[null, 'Max Messages is empty'],
	])('sends nothing where it is there and empty (%j)', async (maxMessages, words) => {
		expect((await send(maxMessages)).error?.message).toContain(words);
		expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});
