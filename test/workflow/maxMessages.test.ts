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
