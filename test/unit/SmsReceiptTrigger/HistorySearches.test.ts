import { Budget, searchMessages } from '../../../nodes/SmsReceiptTrigger/HistorySearches';
import { MessagingServiceClient } from '../../../nodes/shared/client/MessagingServiceClient';
import { openContext } from '../../workflow/openContext';
import { useSandbox } from '../../workflow/useSandbox';

const inAMinute = () => Date.now() + 60_000;

describe('searches of history for receipts', () => {
	const sandbox = useSandbox();
	const open = async () =>
		await MessagingServiceClient.open(openContext(sandbox), { parallelRequests: 1, timeout: 5000 });
	const ids = () => sandbox.messages().map(({ messageId }) => messageId);

	test('end as soon as all messages are found, and hold nothing else', async () => {
		sandbox.seedMessages(2500);
		const { messages } = await (await open()).listMessages({}, 1000, 1);
		const wanted = [String(messages[0].messageId), String(messages[1].messageId)];
		const found = await searchMessages(await open(), {}, wanted, new Budget(60, inAMinute()));
		expect([...found.keys()]).toEqual(wanted);
		expect(sandbox.requests()).toHaveLength(2);
	});

	test('that wait are shared by all calls that need the same one', async () => {
		sandbox.seedMessages(20);
		sandbox.configure({ latencyMs: 30 });
		const client = await open();
		const searches = ids().map(
			async (id) => await searchMessages(client, {}, [id], new Budget(60, inAMinute())),
		);
		const found = await Promise.all(searches);
		ids().forEach((id, n) => expect(found[n].has(id)).toBe(true));
		expect(sandbox.requests().length).toBeLessThanOrEqual(4);
	});

	test.each([
		['pages', () => new Budget(1, inAMinute())],
		['time', () => new Budget(60, Date.now() - 1)],
	])('are given up when there are no %s left', async (_, budget) => {
		sandbox.seedMessages(1500);
		await expect(searchMessages(await open(), {}, ['made-up'], budget())).rejects.toMatchObject({
			kind: 'unavailable',
		});
		expect(sandbox.requests().length).toBeLessThanOrEqual(1);
	});

	test('cost nothing more once they are closed', () => {
		const budget = new Budget(60, inAMinute());
		budget.takePage();
		budget.close();
		expect(budget.isSpent).toBe(true);
		expect(() => budget.takePage()).toThrow();
	});
});
