import { MessagingServiceClient } from '../../../nodes/shared/client/MessagingServiceClient';
import { readLatest, toOutcome, toOutput, toTimedOut } from '../../../nodes/SmsSendAndWait/outcome';
import { parseReceipts } from '../../../nodes/shared/receipt/receipt';
import { openContext } from '../../support/workflow/openContext';
import { useSandbox } from '../../support/workflow/useSandbox';

test.each([
	['Delivered', 'delivered', 'delivered'],
	['Success', 'delivered', 'delivered'],
	['Failed', undefined, 'notDelivered'],
	['Expired', undefined, 'notDelivered'],
	['Sent', undefined, undefined],
	['?', undefined, undefined],
	[undefined, undefined, undefined],
])('%s is %s for who waits for delivery, and %s for any end', (status, ...outcomes) => {
	expect([toOutcome(status, 'delivered'), toOutcome(status, 'anyFinal')]).toEqual(outcomes);
});

test('the output is the record with the news of the receipt, and the receipt', () => {
	const record = { messageId: 'a', status: 'Accepted', finishedAt: null };
	const query = { messageId: 'a', status: 'Delivered', finishedAt: '2026-11-20 10:00:00' };
	const [receipt] = parseReceipts({ query, body: undefined });
	expect(toOutput(record, 'delivered', receipt)).toEqual({
		...query,
		outcome: 'delivered',
		receipt,
	});
	expect(toOutput(record, 'timedOut')).toEqual({ ...record, outcome: 'timedOut', receipt: null });
	const timedOut = toTimedOut(record, Date.UTC(2030, 0, 1));
	expect(timedOut).toMatchObject({ outcome: 'timedOut', waitedUntil: '2030-01-01T00:00:00.000Z' });
});

describe('the latest status of a message', () => {
	const sandbox = useSandbox();

	test.each([
		['6591234567', '6591234568'],
		['959779100001', '959779100002'],
	])('is that of its recipient, where history names several for the ID: %s', async (to, other) => {
		const records = [
			{ messageId: 'shared', to, status: 'Sent', finishedAt: null },
			{ messageId: 'shared', to: other, status: 'Delivered' },
		];
		const readStatus = async (createdAt: string) => {
			const client = await MessagingServiceClient.open(openContext(sandbox), {
				...{ parallelRequests: 1, timeout: 5000 },
			});
			const record = { messageId: 'shared', status: 'Accepted', createdAt };
			return (await readLatest(client, record, `+${to}`)).status;
		};
		for (const listed of [records, [...records].reverse()]) {
			sandbox.reset();
			sandbox.seedMessages(2, (n) => listed[n] as never);
			expect(await readStatus(sandbox.messages()[0].createdAt)).toBe('Sent');
		}
	});
});
