import type { IDataObject } from 'n8n-workflow';

import { mapped, wantedMessages } from '../support/workflow/sending';
import { describeRun, runWorkflow } from '../../tools/harness';
import { useService } from '../support/e2e/useService';

const count = 5_000;
const perRequest = 100;
const bulk = '/rest/send/bulk';

describe('a campaign of 5,000 messages in a real n8n that fails at its end', () => {
	const service = useService();

	test('is saved by n8n, and its retry sends only the rest', async () => {
		const { api, sandbox, credentials } = service;
		const items = wantedMessages(count);
		const node = {
			name: 'Send',
			type: 'smsBulkSend',
			parameters: { ...mapped, options: { recipientsPerRequest: perRequest } },
			credentials: { ...credentials },
		};
		const match = { path: bulk, contains: items[count - 1].message };
		sandbox.addFault({ match, effect: { status: 401 } });
		const failed = await runWorkflow(api, [node], items);
		expect(failed.status).toBe('error');
		expect(sandbox.messages().map(({ to }) => to)).toHaveLength(count - perRequest);

		sandbox.clearFaults();
		const sends = () => sandbox.stats().byPath[`/api${bulk}`].requests;
		const sendsBefore = sends();
		const id = await api.retry(failed.executionId, { loadWorkflow: false });
		const done = describeRun(failed.workflowId, await api.finishedExecution(id));
		await api.deleteWorkflow(failed.workflowId);
		expect(done.status).toBe('success');
		expect(sends() - sendsBefore).toBe(1);
		const numbersOf = (messages: Array<IDataObject | { to: string }>) =>
			messages.map(({ to }) => to);
		expect(numbersOf(sandbox.messages()).sort()).toEqual(numbersOf(items));
		expect(numbersOf(done.json.Send[0])).toEqual(numbersOf(items));
	});
});
