import type { IDataObject } from 'n8n-workflow';

import { until } from '../../scripts/n8n/until';
import { AgentRunner, newestAgentVersion } from '../support/e2e/AgentRunner';
import { askNode, linkIn, press } from '../support/e2e/questions';

describe('SMS Send and Wait for Response as a tool with which an AI agent asks a person', () => {
	let runner: AgentRunner;
	beforeAll(async () => (runner = await AgentRunner.open()));
	beforeEach(() => {
		runner.sandbox.reset();
		runner.sandbox.configure({ pace: 0 });
		runner.model.play([[{ tool: 'Ask', args: { message: 'How many?' } }], 'Done.']);
	});
	afterAll(async () => await runner?.close());

	const tool = {
		name: 'Ask',
		type: 'smsSendAndWaitForResponseTool',
		parameters: {
			...askNode({} as never).parameters,
			message: "={{ $fromAI('message', 'The question', 'string') }}",
			responseType: 'freeText',
		},
	};

	test('hands the response to the model', async () => {
		const said = runner.run({ agentVersion: newestAgentVersion, tool });
		const answer = async () => {
			if (runner.sandbox.messages().length === 0) return undefined;
			const { data } = await press(linkIn(runner.sandbox), { response: 'send', text: 'Seven' });
			return data.includes('was recorded') || undefined;
		};
		await until(answer, { what: 'the question', everyMs: 200 });
		expect(await said).toEqual(['Done.']);
		const [[response]] = runner.answers();
		expect(response).toMatchObject({ timedOut: false });
		expect((response.data as IDataObject).text).toBe('Seven');
		expect(runner.sandbox.messages().map(({ to }) => to)).toHaveLength(1);
	});

	test('asks nobody where the agent is too old to wait', async () => {
		expect(await runner.run({ agentVersion: 2.2, tool })).toEqual(['Done.']);
		const [[{ error }]] = runner.answers();
		expect(error).toContain('cannot wait for a response');
		expect(runner.sandbox.messages().map(({ to }) => to)).toEqual([]);
	});
});
