import { onErrors } from '../../support/workflow/onErrors';
import { runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { connectOutputs, makeMarker } from '../../support/e2e/runAgain';
import { useService } from '../../support/e2e/useService';

describe.each(onErrors)('SMS Send and Wait in a real n8n, On Error %s', (onError) => {
	const service = useService();

	test.each([
		['refuses the message', { to: '09000000011' }, 'Invalid Sender ID'],
		['never gets it, since the number is wrong', { to: '12' }, 'To is too short'],
	])('does not wait when the service %s', async (_, recipient, words) => {
		const message = { message: 'Hello', from: 'MyShop', waitFor: 'anyFinal', timeLimit: 1 };
		const node: NodeUnderTest = {
			name: 'Wait',
			type: 'smsSendAndWait',
			webhookId: 'send-and-wait',
			parameters: { ...message, ...recipient, options: {} },
			credentials: { ...service.credentials },
			onError,
		};
		const nodes = [node, ...['Waited', 'Failed'].map(makeMarker)];
		const connections = connectOutputs('Wait', ['Waited', 'Failed']);
		const run = await runWorkflow(service.api, nodes, [{}], { connections });
		expect(service.sandbox.messages().map(({ to }) => to)).toEqual([]);
		if (onError === 'stopWorkflow') {
			expect(run.error?.message).toContain(words);
			expect(run.json).not.toHaveProperty('Waited');
			return;
		}
		const isSplit = onError === 'continueErrorOutput';
		const [used, unused] = isSplit ? ['Failed', 'Waited'] : ['Waited', 'Failed'];
		expect(run.json[used][0]).toEqual([
			expect.objectContaining({ error: expect.stringContaining(words) }),
		]);
		expect(run.json).not.toHaveProperty(unused);
	});
});
