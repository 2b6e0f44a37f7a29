import type { IDataObject, OnError } from 'n8n-workflow';

import { runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { connectOutputs, makeMarker } from '../../support/e2e/runAgain';
import { useService } from '../../support/e2e/useService';

const refusedInside = '09000000011';

const fromItem = {
	to: '={{ $json.to }}',
	message: '={{ $json.message }}',
	from: '={{ $json.from ?? "MyShop" }}',
};

describe('SMS Send in a real n8n', () => {
	const service = useService();

	const send = async (items: IDataObject[], more: Partial<NodeUnderTest>) => {
		const node: NodeUnderTest = {
			name: 'Send',
			type: 'smsSend',
			parameters: fromItem,
			credentials: { ...service.credentials },
			...more,
		};
		const markers = ['Sent', 'Failed'].map(makeMarker);
		const connections = connectOutputs('Send', ['Sent', 'Failed']);
		const nodes = [node, ...markers];
		return await runWorkflow(service.api, nodes, items, { connections });
	};

	test('takes a field in Expression mode without {{ }} as a text', async () => {
		const written = { to: '=09791234567', message: '=Hello {name}', from: '=MyShop' };
		const options = { clientReference: '=order-8' };
		const run = await send([{}, {}], { parameters: { ...written, options } });
		expect(run.error).toBeUndefined();
		const body = { to: '959791234567', message: 'Hello {name}', from: 'MyShop' };
		expect(service.sandbox.requests()[0].body).toEqual({ ...body, clientReference: 'order-8' });
	});

	describe.each<OnError>(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'])(
		'with On Error %s',
		(onError) => {
			const items = [
				{ id: 1, to: '09791234561', message: 'good' },
				{ id: 2, to: '12', message: 'wrong number' },
				{ id: 3, to: refusedInside, message: 'refused inside a 2xx' },
				{ id: 4, to: '09791234564', message: 'good' },
			];

			test('keeps every item in its place', async () => {
				const run = await send(items, { onError });
				const sent = service.sandbox.messages().map(({ to }) => to);
				if (onError === 'stopWorkflow') {
					expect(run.status).toBe('error');
					expect(run.error?.message).toMatch(/To.*\(item 2 of /);
					expect(run.json).not.toHaveProperty('Sent');
					expect(sent).not.toContain('959791234564');
					return;
				}
				expect(sent).toEqual(['959791234561', '959791234564']);
				const record = (to: string) => expect.objectContaining({ to, status: 'Accepted' });
				const failed = [
					expect.objectContaining({ error: expect.stringContaining('(item 2 of ') }),
					expect.objectContaining({ error: expect.stringContaining('Invalid Sender ID') }),
				];
				const good = [record('959791234561'), record('959791234564')];
				if (onError === 'continueErrorOutput') {
					expect(run.json.Sent[0]).toEqual(good);
					expect(run.json.Failed[0]).toEqual(failed);
					expect(run.json.Failed[0].map(({ id }) => id)).toEqual([2, 3]);
					return;
				}
				expect(run.json.Sent[0]).toEqual([good[0], ...failed, good[1]]);
				expect(run.json).not.toHaveProperty('Failed');
			});
		},
	);
});
