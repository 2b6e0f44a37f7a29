import { runWorkflow, type NodeUnderTest } from '../../tools/harness';
import { useService } from '../support/e2e/useService';

describe('a spreadsheet in a real n8n', () => {
	const service = useService();

	test('goes through SMS List into the summary of a dry run, then is sent', async () => {
		const csv = [
			'City Clinic,,',
			'No.,Phone,အမည် Name',
			'1,09791234561,Aye',
			'2,0979,Bo',
			'3,09791234563,Cho',
		].join('\n');
		const run = async (dryRun: boolean) => {
			const nodes: NodeUnderTest[] = [
				{
					...{ name: 'File', type: 'n8n-nodes-base.convertToFile', typeVersion: 1.1 },
					parameters: { operation: 'toText', sourceProperty: 'csv', options: {} },
				},
				{
					...{ name: 'Rows', type: 'n8n-nodes-base.extractFromFile', typeVersion: 1 },
					parameters: { operation: 'csv', options: { headerRow: false } },
				},
				{ name: 'List', type: 'smsList', parameters: {} },
				{
					...{ name: 'Send', type: 'smsBulkSend', onError: 'continueRegularOutput' },
					credentials: { ...service.credentials },
					parameters: {
						...{ to: '={{ $json.phone }}', message: "=Hello {{ $json['အမည် Name'] }}" },
						...{ from: 'MyShop', dryRun, output: 'summary', options: { pricePerPart: 40 } },
					},
				},
			];
			const { json, error } = await runWorkflow(service.api, nodes, [{ csv }]);
			expect(error).toBeUndefined();
			return { list: json.List.flat(), summary: json.Send.flat() };
		};
		const { list, summary } = await run(true);
		expect(list.map(({ row, phone, name }) => [row, phone, name])).toEqual([
			[3, '09791234561', 'Aye'],
			[4, '0979', 'Bo'],
			[5, '09791234563', 'Cho'],
		]);
		expect(summary).toMatchObject([{ title: '2 messages to send', wrong: 1, parts: 2 }]);
		expect(summary[0].text).toContain('Row 4 (Bo, 0979)');
		expect(service.sandbox.messages()).toEqual([]);
		const sent = await run(false);
		expect(sent.summary).toMatchObject([{ title: '2 accepted, 1 not sent, 0 unknown' }]);
		expect(
			service.sandbox
				.messages()
				.map(({ message }) => message)
				.sort(),
		).toEqual(['Hello Aye', 'Hello Cho']);
	});
});
