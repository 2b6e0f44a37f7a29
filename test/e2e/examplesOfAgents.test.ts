import axios from 'axios';

import { ExampleRunner } from './examples/ExampleRunner';
import { describeRun } from '../../tools/harness';
import { startScriptedModel, type ScriptedModel } from './scriptedModel';
import { sinceN8n2 } from './sinceN8n2';

const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };

/** The text of a mail as it came: its encoding taken off. */
function decode(mail: string): string {
	return mail
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

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

	/** Lets the agent ask, and presses a button of the mail that the person gets. */
	const decide = async (button: 'true' | 'false') => {
		model.play([[call], 'Done.']);
		const { api } = runner.n8n;
		const { id } = await runner.import('agent-with-review');
		const executionId = await api.runManually(id, 'Start');
		const asked = await api.finishedExecution(executionId, ['waiting']);
		expect(asked.status).toBe('waiting');
		expect(runner.sandbox.requests()).toEqual([]);

		const [mail] = runner.mailbox.mails.map(decode);
		const links = Array.from(mail.matchAll(/href="([^"]+)"/g), ([, link]) => link);
		const link = links.find((candidate) => candidate.includes(`approved=${button}`));
		await axios.get(String(link), { headers: browser });
		const run = describeRun(id, await api.finishedExecution(executionId));
		return { run, mail };
	};

	testOfReview(
		'shows a person number and text, and sends exactly that once it was approved',
		async () => {
			const { run, mail } = await decide('true');
			expect(mail).toMatch(/^To: owner@example.com/m);
			expect(mail).toContain('To: 09791234567');
			expect(mail).toContain(text);
			expect(run.error).toBeUndefined();
			expect(run.json.Agent[0]).toMatchObject([{ output: 'Done.' }]);
			expect(runner.sandbox.messages()).toMatchObject([{ to: '959791234567', message: text }]);
		},
	);

	testOfReview('sends nothing that was refused, and tells the agent so', async () => {
		const { run } = await decide('false');
		expect(run.error).toBeUndefined();
		expect(model.heard()).toContain('rejected');
		expect(runner.sandbox.requests()).toEqual([]);
	});

	testOfReview('tells the agent that the service is down, and sends nothing', async () => {
		await runner.disconnect();
		const { run } = await decide('true');
		await runner.reconnect();
		expect(run.error).toBeUndefined();
		expect(model.heard()).toContain('The service could not be reached');
		expect(runner.sandbox.requests()).toEqual([]);
	});
});
