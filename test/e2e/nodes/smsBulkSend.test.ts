import type { IDataObject } from 'n8n-workflow';

import { onErrors } from '../../support/workflow/onErrors';
import { inCollections, runWorkflow, type NodeUnderTest } from '../../../tools/harness';
import { connectOutputs, makeMarker } from '../../support/e2e/runAgain';
import { useService } from '../../support/e2e/useService';

const numberOf = (index: number) => `9597912345${String(index).padStart(2, '0')}`;

function makeItems(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		to: numberOf(index),
		message: `Message ${index}`,
		from: 'MyShop',
	}));
}

describe('SMS Bulk Send in a real n8n', () => {
	const service = useService();

	const send = async (
		items: IDataObject[],
		options: IDataObject = {},
		more: Partial<NodeUnderTest> = {},
	) => {
		const fields = { to: '={{ $json.to }}', message: '={{ $json.message }}' };
		const node: NodeUnderTest = {
			name: 'Send',
			type: 'smsBulkSend',
			parameters: {
				...fields,
				from: '={{ $json.from }}',
				...inCollections(options),
			} as NodeUnderTest['parameters'],
			credentials: { ...service.credentials },
			...more,
		};
		const nodes = [node, ...['Sent', 'Failed'].map(makeMarker)];
		const connections = connectOutputs('Send', ['Sent', 'Failed']);
		return await runWorkflow(service.api, nodes, items, { connections });
	};
	const bodies = () => service.sandbox.requests().map(({ body }) => body as IDataObject);

	test('packs all items into one request, and the same text into one entry', async () => {
		const items = [
			{ to: '09791234561', message: 'One', from: 'MyShop' },
			{ to: '09791234562', message: 'Two', from: 'MyShop' },
			{ to: ['09791234563', '+6591234567'], message: 'One', from: 'MyShop' },
		];
		const run = await send(items);
		expect(run.error).toBeUndefined();
		expect(bodies()).toEqual([
			{
				messages: [
					{ to: ['959791234561', '959791234563', '+6591234567'], message: 'One', from: 'MyShop' },
					{ to: ['959791234562'], message: 'Two', from: 'MyShop' },
				],
			},
		]);
		expect(run.outputs.Send[0].map(({ json, pairedItem }) => [json.to, pairedItem])).toEqual([
			['959791234561', { item: 0 }],
			['959791234562', { item: 1 }],
			['959791234563', { item: 2 }],
			['6591234567', { item: 2 }],
		]);
	});

	test.each(onErrors)('keeps every item in its place with On Error %s', async (onError) => {
		const [first, second] = makeItems(2);
		const items = [
			first,
			{ ...first, to: 'nobody', name: 'Thida' },
			{ ...first, to: '09000000011' },
			{ ...first, message: 'long '.repeat(40) },
			second,
		];
		const run = await send(items, { maxParts: 1 }, { onError });
		if (onError === 'stopWorkflow') {
			expect(run.status).toBe('error');
			expect(run.error?.message).toMatch(/^2 of 5 items cannot be sent\..*\(item 2 of 5\)$/);
			expect(run.error?.description).toMatch(
				/^Nothing was sent\. .*\n1 item: .*item 2: .*\n1 item: .*Max Parts.*item 4/,
			);
			expect(service.sandbox.requests().map(({ path }) => path)).toEqual([]);
			expect(run.json).not.toHaveProperty('Sent');
			return;
		}
		const error = (words: string) =>
			expect.objectContaining({ error: expect.stringContaining(words) });
		const failed = [error('(item 2 of '), error('Invalid Sender ID'), error('Max Parts')];
		const good = [first, second].map(({ to }) => expect.objectContaining({ to }));
		const isSplit = onError === 'continueErrorOutput';
		expect(run.json.Sent[0]).toEqual(isSplit ? good : [good[0], ...failed, good[1]]);
		expect(run.json.Failed?.[0]).toEqual(isSplit ? failed : undefined);
		const [nobody] = isSplit ? run.json.Failed[0] : run.json.Sent[0].slice(1);
		expect(nobody.details).toMatchObject({ to: 'nobody', name: 'Thida' });
		expect(nobody.to).toBe('nobody');
	});
});
