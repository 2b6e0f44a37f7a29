import {
	toOutcome,
	toOutcomeAtEnd,
	toOutput,
	toRecord,
	toTimedOut,
} from '../../../nodes/SmsSendAndWait/outcome';
import { parseReceipts } from '../../../nodes/shared/receipt/receipt';

test.each([
	['Delivered', 'delivered', 'delivered', 'delivered'],
	['Success', 'delivered', 'delivered', 'delivered'],
	['Failed', undefined, 'notDelivered', 'notDelivered'],
	['Expired', undefined, 'notDelivered', 'notDelivered'],
	['Sent', undefined, undefined, 'timedOut'],
	['?', undefined, undefined, 'timedOut'],
	[undefined, undefined, undefined, 'timedOut'],
])(
	'%s is %s for who waits for delivery, %s for any end, %s at the time limit',
	(status, ...outcomes) => {
		expect([
			toOutcome(status, 'delivered'),
			toOutcome(status, 'anyFinal'),
			toOutcomeAtEnd(status),
		]).toEqual(outcomes);
	},
);

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
	expect(toOutput(toRecord(timedOut), 'delivered', receipt)).not.toHaveProperty('waitedUntil');
});
