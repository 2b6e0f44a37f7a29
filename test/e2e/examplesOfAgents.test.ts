import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { describeRun } from '../../tools/harness';
import { linkIn, open, press } from '../support/e2e/questions';
import { startScriptedModel, type ScriptedModel } from '../support/e2e/scriptedModel';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

const owner = '959790000001';

describe('agent-with-review', () => {
	const text = 'Hello Aye, your order is ready.';
	const args = { toolParameters: { to: '09791234567', message: text }, hitlParameters: {} };
	const call = { tool: 'Send_SMS', args };
	const testOfReview = sinceN8n2('tool that asks a person before an agent goes on').test;
	let runner: ExampleRunner;
	let model: ScriptedModel;

	beforeAll(async () => {
		[runner, model] = await Promise.all([ExampleRunner.open(), startScriptedModel()]);
		await runner.addCredential('openAiApi', { apiKey: 'none', url: model.baseUrl });
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await Promise.all([runner?.close(), model?.close()]));

	/** Lets the agent ask, and presses a button of the page that the SMS links to. */
	const decide = async (fields: Record<string, string>, beforePress = async () => {}) => {
		model.play([[call], 'Done.']);
		const { api } = runner.n8n;
		const { id } = await runner.import('agent-with-review');
		const executionId = await api.runManually(id, 'Start');
		const asked = await api.finishedExecution(executionId, ['waiting']);
		expect(asked.status).toBe('waiting');
		const [{ to, message }] = runner.sandbox.messages();
		expect(to).toBe(owner);
		const { data: page } = await open(linkIn(runner.sandbox));
		await beforePress();
		await press(linkIn(runner.sandbox), fields);
		const run = describeRun(id, await api.finishedExecution(executionId));
		return { run, page, question: String(message) };
	};
	const sentToCustomers = () => runner.sandbox.messages().filter(({ to }) => to !== owner);

	testOfReview(
		'shows a person number and text, and sends exactly that once it was approved',
		async () => {
			const { run, page, question } = await decide({ response: 'approve' });
			for (const shown of [page, question]) {
				expect(shown).toContain('09791234567');
				expect(shown).toContain(text);
			}
			expect(page).toContain('Send it');
			expect(run.error).toBeUndefined();
			expect(run.json.Agent[0]).toMatchObject([{ output: 'Done.' }]);
			expect(sentToCustomers()).toMatchObject([{ to: '959791234567', message: text }]);
		},
	);

	testOfReview('sends nothing that was declined, and tells the agent why', async () => {
		const { run } = await decide({ response: 'decline', reason: 'She was here already.' });
		expect(run.error).toBeUndefined();
		expect(model.heard()).toContain('She was here already.');
		expect(sentToCustomers()).toEqual([]);
	});

	testOfReview('tells the agent that the service is down, and sends nothing', async () => {
		const { run } = await decide({ response: 'approve' }, async () => await runner.disconnect());
		await runner.reconnect();
		expect(run.error).toBeUndefined();
		expect(model.heard()).toContain('The service could not be reached');
		expect(sentToCustomers()).toEqual([]);
	});
});
