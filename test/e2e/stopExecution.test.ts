import type { IDataObject } from 'n8n-workflow';

import { until } from '../../scripts/n8n/until';
import { startWorkflow } from '../../tools/harness';
import { useService } from '../support/e2e/useService';

const items = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ to: `0977${1_000_000 + index}` }));

describe.each(['smsSend', 'smsBulkSend'])('A long run of %s in a real n8n', (type) => {
	const service = useService({ latencyMs: 100 });

	test('sends nothing more a second after it was stopped', async () => {
		const { api, sandbox, credentials } = service;
		const isBulk = type === 'smsBulkSend';
		const options = { parallelRequests: 1, ...(isBulk && { recipientsPerRequest: 1 }) };
		const parameters = { to: '={{ $json.to }}', message: 'Hello', from: 'MyShop', options };
		const node = { name: `Long ${type}`, type, parameters, credentials: { ...credentials } };
		const { executionId } = await startWorkflow(api, [node], items(200));
		await until(async () => sandbox.messages().length > 5 || undefined, { what: 'messages' });
		await api.http.post(`/rest/executions/${executionId}/stop`);
		await new Promise((resolve) => setTimeout(resolve, 1000));
		const sent = sandbox.messages().length;
		await new Promise((resolve) => setTimeout(resolve, 1500));
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(sent);
		expect(sent).toBeLessThan(200);
		const { data } = await api.http.get(`/rest/executions/${executionId}`);
		expect((data as { data: IDataObject }).data.status).toBe('canceled');
	});
});
