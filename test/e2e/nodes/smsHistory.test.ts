import type { IDataObject } from 'n8n-workflow';

import { runWorkflow } from '../../../tools/harness';
import { useService } from '../../support/e2e/useService';

describe('SMS History in a real n8n', () => {
	const service = useService();
	const read = async (parameters: IDataObject) => {
		const node = { name: 'Read', type: 'smsHistory', parameters: parameters as never };
		const nodes = [{ ...node, credentials: { ...service.credentials } }];
		return (await runWorkflow(service.api, nodes, [{}])).json.Read[0];
	};

	test('returns all records, newest first, over several pages', async () => {
		const { sandbox } = service;
		sandbox.seedMessages(2345);
		const options = { parallelRequests: 2, timeout: 30_000 };
		const ids = (await read({ returnAll: true, options })).map(({ messageId }) => messageId);
		expect(ids).toEqual(
			sandbox
				.messages()
				.map(({ messageId }) => messageId)
				.reverse(),
		);
		const pages = sandbox.requests().map(({ query }) => `${query.page} of ${query.limit}`);
		expect(pages.sort()).toEqual(['1 of 1000', '2 of 1000', '3 of 1000']);
	});
});
