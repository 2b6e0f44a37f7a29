import { runWorkflow } from '../../tools/harness';
import { useService } from '../support/e2e/useService';

const later = '2031-03-01T09:00:00Z';

/** What AI builders wrote: n8n drops what a node does not declare before the node runs. More in process. */
const rows: Array<[type: string, parameters: object, right: string]> = [
	['smsSend', { options: { dryRun: true } }, 'Set dryRun instead'],
	['smsBulkSend', { options: { dryRun: true } }, 'Set dryRun instead'],
	['smsBulkSend', { options: { scheduledAt: later } }, 'options.scheduledAt'],
	['smsSendAndWait', { dryRun: true }, 'SMS Send, which has dryRun'],
	['smsSendAndWaitForResponse', { options: { scheduledAt: later } }, 'options.scheduledAt'],
];

describe('a workflow with an option at a path where it has no effect', () => {
	const service = useService();

	test.each(rows)('sends nothing: %s with %j names %s', async (type, more, right) => {
		const parameters = { to: '09791234567', from: 'Shop', message: 'Hello', ...more } as never;
		const node = { name: 'Node', type, parameters, credentials: { ...service.credentials } };
		const { error } = await runWorkflow(service.api, [node], [{}]);
		expect(error?.message).toMatch(/where it has no effect|not an option of this node/);
		expect(error?.description).toContain(right);
		expect(service.sandbox.requests().map(({ path }) => path)).toEqual([]);
	});
});
