import type { IDataObject } from 'n8n-workflow';

import {
	describeRun,
	runWorkflow,
	type NodeUnderTest,
	type WorkflowRun,
} from '../../tools/harness';
import { mapped, wantedMessages } from '../support/workflow/sending';
import { useService } from '../support/e2e/useService';

const senders = [
	{ type: 'smsSend', path: '/rest/send', options: {}, own: { clientReference: '={{ $json.to }}' } },
	{ type: 'smsBulkSend', path: '/rest/send/bulk', options: { recipientsPerRequest: 2 }, own: {} },
];

const establishedAt = ({ execution }: WorkflowRun) =>
	/"establishedAt":"?(\d+)/.exec(execution.saved)?.[1];

describe.each(senders)(
	'retries by hand of $type in a real n8n',
	({ type, path, own, ...sender }) => {
		const service = useService();
		const options = { parallelRequests: 1, ...sender.options };
		const node = (name: string, type: string, parameters: IDataObject): NodeUnderTest => ({
			...{ name, type, credentials: { ...service.credentials } },
			parameters: parameters as NodeUnderTest['parameters'],
		});

		/** An execution that fails by a request to this path. */
		const fail = async (to: string, nodes: NodeUnderTest[], count: number) => {
			service.sandbox.addFault({ match: { path: to }, effect: { status: 401 } });
			const failed = await runWorkflow(service.api, nodes, wantedMessages(count));
			expect(failed.status).toBe('error');
			service.sandbox.clearFaults();
			return failed;
		};
		const retry = async ({ workflowId, executionId }: WorkflowRun): Promise<WorkflowRun> => {
			const id = await service.api.retry(executionId, { loadWorkflow: true });
			return describeRun(workflowId, await service.api.finishedExecution(id));
		};
		const count = () => service.sandbox.messages().length;

		test('send each message once, since n8n keeps when the first execution began', async () => {
			const send = node('Send', type, { ...mapped, options: { ...options, ...own } });
			const failed = await fail(path, [send], 6);
			expect(Number(establishedAt(failed))).toBeGreaterThan(0);
			expect(establishedAt(await retry(failed))).toBe(establishedAt(failed));
			await retry(failed);
			expect(count()).toBe(6);
		});

		test('send each message once if the execution failed before the node', async () => {
			// The balance is one item for all.
			const to = "={{ $('Items').all().map(({ json }) => json.to).join() }}";
			const nodes = [
				node('Before', 'smsBalance', { options: {} }),
				node('Send', type, { ...mapped, to, message: 'Hello', options }),
				{
					...{ name: 'After', type: 'n8n-nodes-base.stopAndError' },
					parameters: { errorMessage: 'broken' },
				},
			];
			const failed = await fail('/rest/account/get-balance', nodes, 9);
			expect(failed.execution.runData).not.toHaveProperty('Send');
			await retry(failed);
			expect(count()).toBe(9);
			await retry(failed);
			expect(count()).toBe(9);
		});
	},
);
