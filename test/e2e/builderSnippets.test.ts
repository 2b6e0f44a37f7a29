import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { httpClient } from '../../scripts/http';
import type { WorkflowDefinition } from '../../scripts/n8n/n8nClient';
import { projectFolder } from '../../scripts/n8n/paths';
import { describeRun } from '../../tools/harness';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { linkIn, press } from '../support/e2e/questions';
import { startScriptedModel, type ScriptedModel } from '../support/e2e/scriptedModel';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

const blocks = [
	...readFileSync(join(projectFolder, 'README.md'), 'utf8').matchAll(/```jsonl\n([\s\S]*?)```/g),
];
const snippets = String(blocks.at(-1)?.[1])
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as WorkflowDefinition);

/** What a person chooses after pasting. */
const credentialTypes: Record<string, string> = {
	emailSend: 'smtp',
	lmChatOpenAi: 'openAiApi',
};
const typeOf = ({ type }: INode) =>
	type.startsWith('n8n-nodes-messaging-service.')
		? 'messagingServiceApi'
		: credentialTypes[type.split('.').at(-1) ?? ''];

function readSnippet(words: string, replacements: Array<[string, string]> = []) {
	const found = snippets.find(({ name }) => name.includes(words));
	const text = replacements.reduce((changed, [from, to]) => {
		if (!changed.includes(from)) throw new Error(`The snippet does not have ${from}.`);
		return changed.replace(from, to);
	}, JSON.stringify(found));
	const snippet = JSON.parse(text) as WorkflowDefinition;
	const nodes = snippet.nodes.map((node) => {
		const type = typeOf(node);
		return type === undefined ? node : { ...node, credentials: { [type]: { id: null, name: '' } } };
	});
	return { ...snippet, nodes, settings: { executionOrder: 'v1' as const } };
}

/** Each as an AI builder finds it. */
sinceN8n2('sub-workflows that wait, and AI Agent 3.1').describe('a snippet of the README', () => {
	let runner: ExampleRunner;
	let model: ScriptedModel;
	beforeAll(async () => {
		[runner, model] = await Promise.all([ExampleRunner.open(), startScriptedModel()]);
		await runner.addCredential('openAiApi', { apiKey: 'none', url: model.baseUrl });
	});
	beforeEach(async () => await runner.reset());
	afterAll(async () => await Promise.all([runner?.close(), model?.close()]));

	const start = async (snippet: WorkflowDefinition) => {
		const { id } = await runner.importWorkflow(snippet);
		const executionId = await runner.n8n.api.runManually(id, 'Start');
		return { id, executionId };
	};
	const sent = () => runner.sandbox.messages();

	test('is played: there are four', () => expect(snippets).toHaveLength(4));

	test('asks many people at once, keeps the answer of each, and lets a bad number fail alone', async () => {
		const { api } = runner.n8n;
		const snippet = readSnippet('Ask many', [
			[
				"phone: '09791234567', name: 'Aye'",
				"phone: 'nobody', name: 'Bad' } }, { json: { phone: '09791234567', name: 'Aye'",
			],
		]);
		const { id } = await runner.activate(snippet);
		const executionId = await api.runManually(id, 'Start');
		await api.finishedExecution(executionId);
		const waiting = async () =>
			(await api.executions(id)).filter(({ status }) => status === 'waiting');
		for (let n = 0; n < 100 && (await waiting()).length < 2; n += 1)
			await new Promise((resolve) => setTimeout(resolve, 200));
		expect(
			sent()
				.map(({ to }) => to)
				.sort(),
		).toEqual(['959791234567', '959791234568']);
		const last = sent().findIndex(({ to }) => to === '959791234568');
		await press(linkIn(runner.sandbox, last), { response: '1' });
		await press(linkIn(runner.sandbox, 1 - last), { response: '0' });
		const runs = (await api.finishedExecutions(id, 4)).map((one) => describeRun(id, one));
		const answers = runs.flatMap(({ json }) => json.Answer?.[0] ?? []);
		expect(answers).toEqual(
			expect.arrayContaining([
				{ phone: 'nobody', answer: 'not asked' },
				{ phone: '09791234567', answer: "I'll come" },
				{ phone: '09791234568', answer: "I can't come" },
			]),
		);
		expect(answers).toHaveLength(3);
	});

	test.each([
		['09791234567', 'delivered'],
		['09000000003', 'not delivered'],
		['nobody', 'not sent'],
	])('falls back to email only where an SMS to %s is %s', async (phone, outcome) => {
		const { id, executionId } = await start(
			readSnippet('falls back', [['"value":"09791234567"', `"value":"${phone}"`]]),
		);
		const run = describeRun(id, await runner.n8n.api.finishedExecution(executionId));
		expect(run.error).toBeUndefined();
		const mails = outcome === 'delivered' ? [] : [expect.stringContaining('Your order is ready.')];
		expect(runner.mailbox.mails).toEqual(mails);
	});

	test.each(['approve', 'decline'])(
		'sends what an agent drafted only after: %s',
		async (response) => {
			const { api } = runner.n8n;
			const draft = { to: '09791234567', message: 'Hello Aye, your order is ready.' };
			model.play([[{ tool: 'format_final_json_response', args: { output: draft } }]]);
			const { id, executionId } = await start(readSnippet('Approve'));
			const asked = describeRun(id, await api.finishedExecution(executionId, ['waiting']));
			expect(asked.error).toBeUndefined();
			expect(sent().map(({ to }) => to)).toEqual(['959790000001']);
			await press(linkIn(runner.sandbox), { response });
			await api.finishedExecution(executionId);
			const toCustomers = sent().slice(1);
			if (response === 'decline') return expect(toCustomers).toEqual([]);
			expect(toCustomers).toMatchObject([{ to: '959791234567', message: draft.message }]);
		},
	);

	test('resends once to those who did not get it, and to nobody else', async () => {
		const all = [
			['959791234561', 'Failed'],
			['959791234562', 'Delivered'],
			['959791234563', 'Expired'],
			['6591234567', 'Undelivered'],
		];
		const resend = async () => {
			const { id, executionId } = await start(readSnippet('Resend'));
			const run = describeRun(id, await runner.n8n.api.finishedExecution(executionId));
			expect(run.error).toBeUndefined();
		};
		const { sandbox } = runner;
		sandbox.seedMessages(all.length, (n) => {
			const [to, status] = all[n];
			return { to, status, message: 'Hello', from: 'MyShop', createdAtMs: Date.now() - 60_000 };
		});
		const headers = { authorization: `Bearer ${sandbox.token}` };
		const encrypted = { to: '959791234564', message: 'Hello', from: 'MyShop', encrypt: 1 };
		await httpClient.post(`${sandbox.baseUrl}/rest/send`, encrypted, { headers });
		const { messageId: ofCiphertext } = sent().find(({ to }) => to === encrypted.to)!;
		await sandbox.setStatus(ofCiphertext, 'Failed');
		const seeded = sent().length;
		const resent = () =>
			sent()
				.slice(seeded)
				.map(({ to }) => to)
				.sort();
		await resend();
		expect(resent()).toEqual(['6591234567', '959791234561', '959791234563']);
		for (const { messageId } of sent().slice(seeded))
			await runner.sandbox.setStatus(messageId, 'Failed');
		await resend();
		expect(resent()).toHaveLength(3);
	});
});
