import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowDefinition } from '../../scripts/n8n/n8nClient';
import { projectFolder } from '../../scripts/n8n/paths';
import { describeRun } from '../../tools/harness';
import { ExampleRunner } from '../support/e2e/ExampleRunner';
import { linkIn, press } from '../support/e2e/questions';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';

const page = readFileSync(join(projectFolder, 'docs/ai-builders.md'), 'utf8');
const [, snippet] = /```json\n([\s\S]*?)\n```/.exec(page) ?? [];

/** With the credential that a person chooses after pasting. */
function readSnippet([from, to]: [string, string]): WorkflowDefinition {
	if (!snippet?.includes(from)) throw new Error(`The snippet does not have ${from}.`);
	const workflow = JSON.parse(snippet.replace(from, to)) as WorkflowDefinition;
	const nodes = workflow.nodes.map((node) =>
		node.type.startsWith('n8n-nodes-messaging-service.')
			? { ...node, credentials: { messagingServiceApi: { id: null, name: '' } } }
			: node,
	);
	return { ...workflow, nodes, settings: { executionOrder: 'v1' as const } };
}

/** As an AI builder finds it. */
sinceN8n2('sub-workflows that wait').describe('the snippet of the page for AI builders', () => {
	let runner: ExampleRunner;
	beforeAll(async () => (runner = await ExampleRunner.open()));
	beforeEach(async () => await runner.reset());
	afterAll(async () => await runner?.close());

	const sent = () => runner.sandbox.messages();

	test('asks many people at once, keeps the answer of each, and lets a bad number fail alone', async () => {
		const { api } = runner.n8n;
		const workflow = readSnippet([
			"phone: '09791234567', name: 'Aye'",
			"phone: 'nobody', name: 'Bad' } }, { json: { phone: '09791234567', name: 'Aye'",
		]);
		const { id } = await runner.activate(workflow);
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
});
