import { httpClient } from '../../scripts/http';
import type { IDataObject } from 'n8n-workflow';

import { describeRun, runWorkflow, type NodeUnderTest } from '../../tools/harness';
import { tryBypasses } from '../support/e2e/bypasses';
import { askNode, linkIn, press } from '../support/e2e/questions';
import { setNode } from '../support/e2e/setNode';
import { useService } from '../support/e2e/useService';

/** GHSA-728h-pmr2-7cgh: n8n before 2.41.4, 2.42.1 and 1.123.83 accepts its token in place of its signature. */
describe('the resume token of an execution, which a node before the wait can show', () => {
	const service = useService();
	const show = setNode('Show', { url: '={{ $execution.resumeUrl }}' });
	const fallAsleep = async (node: NodeUnderTest) => {
		const options = { orStatus: ['waiting'] };
		const run = await runWorkflow(service.api, [show, node], [{}], options);
		expect([run.error, run.status]).toEqual([undefined, 'waiting']);
		const { nodes } = await service.api.getWorkflow(run.workflowId);
		const nodeId = String(nodes.find(({ name }) => name === node.name)?.id);
		return { ...run, nodeId, resumeUrl: String(run.json.Show[0][0].url) };
	};
	const finish = async ({ workflowId, executionId }: { workflowId: string; executionId: string }) =>
		describeRun(workflowId, await service.api.finishedExecution(executionId)).json;
	const isWaiting = async ({ executionId }: { executionId: string }) =>
		(await service.api.execution(executionId)).status === 'waiting';

	test.each([
		['an approval', {}, { response: 'approve' }],
		['a choice', { responseType: 'choice', choices: 'Yes\nNo' }, { response: '0' }],
		['a text', { responseType: 'freeText' }, { response: 'send', text: 'Pay' }],
	])('decides nothing of %s', async (_, parameters, fields) => {
		const asked = await fallAsleep(askNode(service.credentials, parameters));
		for (const { status, data } of await tryBypasses(asked, fields)) {
			expect([401, 404, 410]).toContain(status);
			expect(data).not.toMatch(/Refund|Your response was recorded/);
		}
		expect(await isWaiting(asked)).toBe(true);
		const { data: page } = await press(linkIn(service.sandbox), fields);
		expect(page).toContain('was recorded');
		expect((await finish(asked)).Ask[0][0]).toMatchObject({ timedOut: false });
	});

	test('does not end a wait for delivery', async () => {
		const wait: NodeUnderTest = {
			name: 'Wait',
			type: 'smsSendAndWait',
			credentials: { ...service.credentials },
			parameters: { to: '09791234567', message: 'Hi', from: 'MyShop', waitFor: 'anyFinal' },
		};
		const asleep = await fallAsleep(wait);
		const [{ messageId }] = service.sandbox.messages();
		for (const { status } of await tryBypasses(asleep, { messageId, status: 'Delivered' }))
			expect([401, 404]).toContain(status);
		expect(await isWaiting(asleep)).toBe(true);
		const { deliveryReceiptUrl } = service.sandbox.requests()[0].body as IDataObject;
		await httpClient.post(String(deliveryReceiptUrl), { messageId, status: 'Failed' });
		expect((await finish(asleep)).Wait[0]).toMatchObject([{ outcome: 'notDelivered' }]);
	});
});
