import type { IDataObject } from 'n8n-workflow';

import { runAgainst, type NodeName } from '../support/workflow/runAgainst';
import { useSandbox } from '../support/workflow/useSandbox';

const later = '2031-03-01T09:00:00Z';

/** What AI builders were seen to write: n8n drops it before the node runs, unless it is declared there. */
const rows: Array<[type: NodeName, parameters: IDataObject, right: string]> = [
	['SmsSend', { options: { dryRun: true } }, 'safeguards.dryRun'],
	['SmsSend', { options: { maxMessages: 1 } }, 'safeguards.maxMessages'],
	['SmsSend', { safeguards: { scheduledAt: later } }, 'options.scheduledAt'],
	['SmsSend', { scheduledAt: later }, 'options.scheduledAt'],
	['SmsSend', { dryRun: true, options: {} }, 'safeguards.dryRun'],
	['SmsBulkSend', { options: { scheduledAt: later } }, 'options.scheduledAt'],
	['SmsBulkSend', { options: { dryRun: '={{ true }}' } }, 'safeguards.dryRun'],
	['SmsBulkSend', { options: { sendWindow: { window: {} } } }, 'safeguards.sendWindow'],
	['SmsBulkSend', { scheduledAt: later }, 'options.scheduledAt'],
	['OtpRequest', { safeguards: { dryRun: true } }, 'safeguards.dryRun'],
	['OtpRequest', { options: { maxPerHour: 10 } }, 'safeguards.maxPerHour'],
	['SmsHistory', { options: { status: ['Failed'] } }, 'filters.status'],
	['SmsHistory', { filters: { limit: 5 } }, 'limit'],
	['SmsBalance', { minimumBalance: 5 }, 'options.minimumBalance'],
];

describe('an option at a path where it has no effect', () => {
	const sandbox = useSandbox();

	test.each(rows)(
		'fails %s with %j, which names %s, and nothing is sent',
		async (type, parameters, right) => {
			const { error } = await runAgainst(sandbox, type)(parameters);
			expect(error?.description).toContain(right);
			expect(error?.message).toMatch(/where it has no effect|not an option of this node/);
			expect(sandbox.requests().map(({ path }) => path)).toEqual([]);
		},
	);
});
