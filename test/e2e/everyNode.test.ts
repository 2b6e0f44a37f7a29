import type { IDataObject } from 'n8n-workflow';

import manifest from '../../package.json';
import { createWorkflow, runWorkflow, type NodeUnderTest } from '../../tools/harness';
import { publishTrigger } from '../support/e2e/publishTrigger';
import { makeMarker } from '../support/e2e/runAgain';
import { useService } from '../support/e2e/useService';

const to = '09791234567';
const text = { to, message: 'Hello', from: 'MyShop' };
const question = { ...text, responseType: 'approval' };

/** What each node runs with at least, and options or filters beside it. */
const runs: Record<string, [needed: IDataObject, more: IDataObject]> = {
	smsSend: [
		text,
		{
			options: {
				clientReference: 'order-7',
				scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
			},
		},
	],
	smsBulkSend: [text, { options: { skipDuplicates: true, maxMessages: 5 } }],
	smsHistory: [{ limit: 5 }, { filters: { from: 'MyShop' }, options: { timeout: 10 } }],
	smsBalance: [{}, { options: { timeout: 10 } }],
	smsList: [{}, { phoneColumn: 'phone', dateFormat: '' }],
	otpRequest: [{ to, brand: 'MyShop', from: 'MyShop' }, { options: { ttl: 600, maxPerHour: 20 } }],
	otpVerify: [{ requestId: 1, code: '123456' }, { expectedTo: to }],
	smsSendAndWait: [{ ...text, timeLimit: 5 }, { options: { clientReference: 'order-8' } }],
	smsSendAndWaitForResponse: [question, { options: { pageLanguage: 'my', maxParts: 5 } }],
};

const receipt = { messageId: 'm-1', to: '959791234567', status: 'Delivered' };
const secret = 'right-and-long-enough';
const triggers: Array<[what: string, parameters: IDataObject, query: string]> = [
	['without options', {}, ''],
	['with statuses', { statuses: ['onDelivered', 'Failed'] }, ''],
	[
		'with options',
		{ options: { secret, passOnRepeats: true, ipAllowlist: '127.0.0.0/8, ::1' } },
		`?secret=${secret}`,
	],
];

/** n8n 1 refuses to save a node whose fields depend on what is no field beside them. */
describe('a workflow is saved, published and run in a real n8n', () => {
	const service = useService();

	test('here with every node of the package', () => {
		const names = manifest.n8n.nodes.map((path) => path.split('/')[2]);
		const tested = ['SmsReceiptTrigger', ...Object.keys(runs)].map((name) => name.toLowerCase());
		expect(tested.sort()).toEqual(names.map((name) => name.toLowerCase()).sort());
	});

	test.each(Object.entries(runs))('with %s', async (type, [needed, more]) => {
		service.sandbox.seedMessages(1, () => ({ to, from: 'MyShop' }));
		for (const parameters of [needed, { ...needed, ...more }]) {
			const node: NodeUnderTest = {
				...{ name: 'Node', type, webhookId: type, credentials: { ...service.credentials } },
				parameters: parameters as NodeUnderTest['parameters'],
			};
			const orStatus = ['waiting'];
			const run = await runWorkflow(service.api, [node], [{ phone: to, name: 'Aye' }], {
				orStatus,
			});
			expect(run.error).toBeUndefined();
			expect(run.json.Node.flat()).not.toEqual([]);
		}
	});

	test.each(triggers)('with the receipt trigger %s', async (_, parameters, query) => {
		const trigger = await publishTrigger({ api: service.api, parameters });
		const url = `${trigger.url}${query}`;
		expect(await trigger.call({ url, data: receipt })).toMatchObject({ status: 200, data: 'OK' });
		expect(await trigger.items(1)).toMatchObject([[receipt]]);
	});

	test('with all of them together', async () => {
		const nodes = Object.entries(runs).map(([type, [needed, more]]) => ({
			...{ name: type, type, credentials: { ...service.credentials } },
			parameters: { ...needed, ...more } as NodeUnderTest['parameters'],
		}));
		const trigger = { name: 'Trigger', type: 'smsReceiptTrigger', typeVersion: 2 };
		const { workflowId, versionId } = await createWorkflow(service.api, [
			...nodes,
			{ ...trigger, webhookId: 'of-all-nodes' },
			makeMarker('End'),
		]);
		await service.api.activate(workflowId, versionId);
		await service.api.deleteWorkflow(workflowId);
	});
});
