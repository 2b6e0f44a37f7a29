import { httpClient } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { isN8n1 } from '../../scripts/n8n/paths';
import { describeRun, runWorkflow, type NodeUnderTest } from '../../tools/harness';
import { askNode, linkIn, press } from '../support/e2e/questions';
import { publishCalled } from '../support/e2e/subWorkflow';
import { useService } from '../support/e2e/useService';

/** What came out of an earlier wait, in the item that the parent gives to the sub-workflow. */
const earlier = { approved: true, data: { approved: true }, outcome: 'delivered' };

describe('a node that waits, in a sub-workflow', () => {
	const service = useService();
	const question = () => askNode(service.credentials);
	const message = (): NodeUnderTest => ({
		name: 'Wait',
		type: 'smsSendAndWait',
		credentials: { ...service.credentials },
		parameters: { to: '09791234567', message: 'Hi', from: 'MyShop', waitFor: 'anyFinal' },
	});

	/** A workflow that calls another one with this node, and waits for its end. */
	const runParent = async (node: NodeUnderTest, mode?: 'manual') => {
		const { call } = await publishCalled(service.api, node);
		const options = { orStatus: ['waiting'], mode };
		return await runWorkflow(service.api, [call], [earlier], options);
	};

	const testsOfN8n1 = () => {
		test.each([
			['question', question],
			['message', message],
		])('sends no %s, since the parent would get its own item as the result', async (_, make) => {
			for (const mode of [undefined, 'manual'] as const) {
				const { status, error } = await runParent(make(), mode);
				expect([status, error?.message]).toEqual([
					'error',
					expect.stringContaining('On n8n 1, the result of a wait in a sub-workflow is lost'),
				]);
			}
			expect(service.sandbox.requests().map(({ path }) => path)).toEqual([]);
		});
	};

	const testsOfN8n2 = () => {
		const finish = async (executionId: string, workflowId: string) =>
			describeRun(workflowId, await service.api.finishedExecution(executionId)).json.Call[0];

		test.each([
			['approve', true],
			['decline', false],
		])('returns the response to the parent: %s', async (response, approved) => {
			const { status, executionId, workflowId } = await runParent(question());
			expect(status).toBe('waiting');
			await press(linkIn(service.sandbox), { response });
			const [item, ...others] = await finish(executionId, workflowId);
			expect(item).toMatchObject({ data: { approved }, timedOut: false });
			expect([item.outcome, others]).toEqual([undefined, []]);
		});

		test('returns the outcome of a message to the parent', async () => {
			const { executionId, workflowId } = await runParent(message());
			const { deliveryReceiptUrl } = service.sandbox.requests()[0].body as IDataObject;
			const [{ messageId }] = service.sandbox.messages();
			await httpClient.post(String(deliveryReceiptUrl), { messageId, status: 'Failed' });
			expect(await finish(executionId, workflowId)).toMatchObject([{ outcome: 'notDelivered' }]);
		});
	};

	if (isN8n1()) testsOfN8n1();
	else testsOfN8n2();
});
