import type { IDataObject } from 'n8n-workflow';

import { until } from '../../scripts/n8n/until';
import { connectToSharedN8n, startWorkflow } from '../../tools/harness';
import { useService } from '../support/e2e/useService';

const items = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ to: `0977${1_000_000 + index}` }));

describe.each(['smsSend', 'smsBulkSend'])('A long run of %s in a real n8n', (type) => {
	const service = useService({ latencyMs: 100 });
	const count = 200;

	test('stands in the log every ten seconds; stopped, it ends within a second and says what was sent', async () => {
		const { api, sandbox, credentials } = service;
		const { log } = await connectToSharedN8n();
		const isBulk = type === 'smsBulkSend';
		const options = { parallelRequests: 1, ...(isBulk && { recipientsPerRequest: 1 }) };
		const parameters = { to: '={{ $json.to }}', message: 'Hello', from: 'MyShop', options };
		const node = { name: `Long ${type}`, type, parameters, credentials: { ...credentials } };
		const { executionId } = await startWorkflow(api, [node], items(count));
		const linesOf = (words: string) =>
			log()
				.split('\n')
				.filter((line) => line.includes(`${node.name} (execution ${executionId}): ${words}`));
		await until(async () => linesOf('Messages in all').length > 0 || undefined, {
			what: 'a line in the log',
		});
		expect(linesOf('Messages in all')[0]).toMatch(
			/Messages in all: 200, messages accepted: \d+, in flight: \d+/,
		);

		await api.http.post(`/rest/executions/${executionId}/stop`);
		await new Promise((resolve) => setTimeout(resolve, 1000));
		const sent = sandbox.messages().length;
		await new Promise((resolve) => setTimeout(resolve, 1500));
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(sent);
		expect(sent).toBeGreaterThan(20);
		expect(sent).toBeLessThan(count);

		const [, told] = /Stopped\..*accepted: (\d+)/.exec(linesOf('Stopped.')[0]) ?? [];
		// One request at a time can have been under way.
		expect(sent - Number(told)).toBeLessThanOrEqual(1);
		expect(sent - Number(told)).toBeGreaterThanOrEqual(0);
		const { data } = await api.http.get(`/rest/executions/${executionId}`);
		const { status, customData } = (data as { data: { status: string; customData: IDataObject } })
			.data;
		expect(status).toBe('canceled');
		expect(customData).toEqual({ stopped: expect.stringContaining(`accepted: ${told}`) });
	});
});
