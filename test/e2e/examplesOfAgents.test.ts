import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { describeRun } from '../../tools/harness';
import { linkIn, open, press } from '../support/e2e/questions';
import { startScriptedModel, type ScriptedModel } from '../support/e2e/scriptedModel';

const owner = '959790000001';

describe('agent-drafts-person-approves', () => {
	const message = 'Hello Aye, your order is ready.';
	let runner: ExampleRunner;
	let model: ScriptedModel;

	beforeAll(async () => {
		[runner, model] = await Promise.all([ExampleRunner.open(), startScriptedModel()]);
		await runner.addCredential('openAiApi', { apiKey: 'none', url: model.baseUrl });
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await Promise.all([runner?.close(), model?.close()]));

	/** Lets the agent draft, and presses a button of the page that the SMS links to. */
	const decide = async (response: string, draft = { to: '09791234567', message }) => {
		model.play([[{ tool: 'format_final_json_response', args: { output: draft } }]]);
		const { api } = runner.n8n;
		const { id } = await runner.import('agent-drafts-person-approves');
		const executionId = await api.runManually(id, 'Start');
		const asked = await api.finishedExecution(executionId, ['waiting']);
		const { error } = describeRun(id, asked);
		expect([error?.message, asked.status]).toEqual([undefined, 'waiting']);
		const [{ to, message: question }] = runner.sandbox.messages();
		expect(to).toBe(owner);
		const { data: page } = await open(linkIn(runner.sandbox));
		await press(linkIn(runner.sandbox), { response });
		const run = describeRun(id, await api.finishedExecution(executionId));
		return { run, page, question: String(question) };
	};
	const sentToCustomers = () => runner.sandbox.messages().filter(({ to }) => to !== owner);

	test('shows a person number and text, and sends exactly these after the approval', async () => {
		const { run, page, question } = await decide('approve');
		for (const shown of [page, question]) {
			expect(shown).toContain('09791234567');
			expect(shown).toContain(message);
		}
		expect(page).toContain('Send it');
		expect(run.error).toBeUndefined();
		expect(sentToCustomers()).toMatchObject([{ to: '959791234567', message }]);
	});

	test('sends nothing that was declined, and offers the agent no tool that sends', async () => {
		const { run } = await decide('decline');
		expect(run.error).toBeUndefined();
		expect(model.tools().map(({ name }) => name)).toEqual(['format_final_json_response']);
		expect(sentToCustomers()).toEqual([]);
	});

	test('sends nothing to two numbers that the agent drafted as one', async () => {
		const to = '09791234567, 09790000002';
		const { run, page } = await decide('approve', { to, message });
		expect(page).toContain(to);
		expect(run.error?.message).toContain('Max Messages');
		expect(sentToCustomers()).toEqual([]);
	});
});
