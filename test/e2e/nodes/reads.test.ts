import type { IDataObject } from 'n8n-workflow';

import { answerText, useStandIn } from '../../support/workflow/useStandIn';
import { onErrors } from '../../support/workflow/onErrors';
import { runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { connectOutputs, makeMarker } from '../../support/e2e/runAgain';
import { createCredentials, useService, type ServiceInN8n } from '../../support/e2e/useService';

/** Runs one of the nodes that read, with something behind each of its outputs. */
function runOf(service: ServiceInN8n, type: string) {
	return async (
		parameters: IDataObject = {},
		items: IDataObject[] = [{}],
		more: Partial<NodeUnderTest> = {},
	) => {
		const node: NodeUnderTest = {
			name: 'Read',
			type,
			parameters: parameters as NodeUnderTest['parameters'],
			credentials: { ...service.credentials },
			...more,
		};
		const nodes = [node, ...['Done', 'Failed'].map(makeMarker)];
		const connections = connectOutputs('Read', ['Done', 'Failed']);
		return await runWorkflow(service.api, nodes, items, { connections });
	};
}

describe('SMS Balance in a real n8n', () => {
	const service = useService({ balance: 4321.5 });
	const read = runOf(service, 'smsBalance');

	test.each(onErrors)('keeps every item in its place with On Error %s', async (onError) => {
		const options = { minimumBalance: '={{ $json.minimum }}' };
		const items = [{ minimum: 1 }, { minimum: 'a lot' }, { minimum: 2 }];
		const run = await read({ options }, items, { onError });
		if (onError === 'stopWorkflow') {
			expect(run.status).toBe('error');
			expect(run.error?.message).toContain('(item 2 of ');
			expect(run.json).not.toHaveProperty('Done');
			return;
		}
		const failed = expect.objectContaining({ error: expect.stringContaining('(item 2 of ') });
		const good = expect.objectContaining({ sufficient: true });
		const isSplit = onError === 'continueErrorOutput';
		expect(run.json.Done[0]).toEqual(isSplit ? [good, good] : [good, failed, good]);
		expect(run.json.Failed?.[0]).toEqual(isSplit ? [failed] : undefined);
	});
});

describe('SMS History in a real n8n', () => {
	const service = useService();
	const longIds = useStandIn();
	const read = runOf(service, 'smsHistory');
	const pages = () => service.sandbox.requests().map(({ query }) => query);

	test('returns all records, newest first, over several pages', async () => {
		service.sandbox.seedMessages(2345);
		const run = await read({ returnAll: true, options: { parallelRequests: 2, timeout: 30_000 } });
		const ids = run.json.Done[0].map(({ messageId }) => messageId);
		const stored = service.sandbox.messages().map(({ messageId }) => messageId);
		expect(ids).toEqual(stored.reverse());
		expect(
			pages()
				.map(({ limit, page }) => `${page} of ${limit}`)
				.sort(),
		).toEqual(['1 of 1000', '2 of 1000', '3 of 1000']);
	});

	test('keeps all digits of long ids', async () => {
		longIds.answer = () =>
			answerText(200, '{"messages":[{"messageId":98765432109876543210}],"limit":50,"records":1}');
		const credentials = { ...(await createCredentials(service.api, longIds)) };
		const run = await read({}, [{}], { credentials });
		expect(run.json.Done[0]).toEqual([{ messageId: '98765432109876543210' }]);
	});

	test.each(onErrors)('keeps every item in its place with On Error %s', async (onError) => {
		service.sandbox.seedMessages(1);
		const [{ to }] = service.sandbox.messages();
		const items = [{ to: '+6591234567' }, { to }, { to: 'nobody' }];
		const run = await read({ filters: { to: '={{ $json.to }}' } }, items, { onError });
		if (onError === 'stopWorkflow') {
			expect(run.status).toBe('error');
			expect(run.error?.message).toContain('(item 1 of ');
			expect(service.sandbox.requests().map(({ path }) => path)).toHaveLength(0);
			return;
		}
		const failed = (item: number) =>
			expect.objectContaining({ error: expect.stringContaining(`(item ${item + 1} of `) });
		const good = expect.objectContaining({ to, status: 'Delivered' });
		const isSplit = onError === 'continueErrorOutput';
		expect(run.json.Done[0]).toEqual(isSplit ? [good] : [failed(0), good, failed(2)]);
		expect(run.json.Failed?.[0]).toEqual(isSplit ? [failed(0), failed(2)] : undefined);
	});
});
