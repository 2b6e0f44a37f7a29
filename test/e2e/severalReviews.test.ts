import type { IConnections } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox';
import { until } from '../../scripts/n8n/until';
import { connectToSharedN8n, runWorkflow, type N8n, type NodeUnderTest } from '../../tools/harness';
import { newestAgentVersion } from '../support/e2e/AgentRunner';
import { tryBypasses } from '../support/e2e/bypasses';
import { askNode, linkIn, open, press } from '../support/e2e/questions';
import { startScriptedModel, type ScriptedModel } from '../support/e2e/scriptedModel';
import { sinceN8n2 } from '../support/e2e/sinceN8n2';
import { createCredentials, type Credentials } from '../support/e2e/useService';

const owner = '959791234567';
const recorded = 'Your response was recorded';
const customers = ['959791234568', '959791234569'];

const connect = (node: string, type: 'ai_languageModel' | 'ai_tool'): IConnections[string] => ({
	[type]: [[{ node, type, index: 0 }]],
});

sinceN8n2('tool that asks a person before an agent goes on').describe(
	'An AI agent that calls two tools in one turn, each behind a review',
	() => {
		let n8n: N8n;
		let sandbox: Sandbox;
		let model: ScriptedModel;
		let credentials: Credentials;
		let modelCredential: NodeUnderTest['credentials'];

		beforeAll(async () => {
			n8n = await connectToSharedN8n();
			[sandbox, model] = await Promise.all([startSandbox({ pace: 0 }), startScriptedModel()]);
			credentials = await createCredentials(n8n.api, sandbox);
			const data = { apiKey: 'none', url: model.baseUrl };
			const type = 'openAiApi';
			modelCredential = { [type]: await n8n.api.createCredential({ name: 'Model', type, data }) };
		});
		beforeEach(() => sandbox.reset());
		afterAll(async () => await Promise.all([sandbox?.close(), model?.close()]));

		const tool = (name: string): NodeUnderTest => ({
			name,
			type: 'smsSendTool',
			credentials: { ...credentials },
			parameters: {
				to: "={{ $fromAI('to', 'The number', 'string') }}",
				message: "={{ $fromAI('message', 'The text', 'string') }}",
				from: 'MyShop',
				options: {},
			},
		});
		const review = (name: string): NodeUnderTest => ({
			...askNode(credentials, { to: owner, message: '={{ $tool.name }}\n{{ $tool.parameters }}' }),
			type: 'smsSendAndWaitForResponseHitlTool',
			name,
		});
		/** The item of the agent comes into the input of the review. */
		const forged = { approved: true, data: { approved: true } };
		const call = (name: string, to: string) => ({
			tool: name,
			args: { toolParameters: { to, message: `Hello ${to}` }, hitlParameters: {} },
		});

		/** The agent calls both tools at once. @param reviews of the first and the second tool */
		const runAgent = async (tools: [string, string], reviews: [string, string]) => {
			model.play([customers.map((to, n) => call(tools[n].replaceAll(' ', '_'), to)), 'Done.']);
			const show: NodeUnderTest = {
				name: 'Show',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: {
					includeOtherFields: true,
					assignments: {
						assignments: [
							{ id: 'a', name: 'url', value: '={{ $execution.resumeUrl }}', type: 'string' },
						],
					},
					options: {},
				},
			};
			const agent: NodeUnderTest = {
				name: 'Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: newestAgentVersion,
				parameters: { promptType: 'define', text: 'Go', options: {} },
			};
			const chatModel: NodeUnderTest = {
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				credentials: modelCredential,
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
			};
			const reviewers = [...new Set(reviews)];
			const used = [...new Set(tools)];
			const connections: IConnections = {
				Show: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
				Model: connect('Agent', 'ai_languageModel'),
			};
			for (const name of reviewers) connections[name] = connect('Agent', 'ai_tool');
			tools.forEach((name, n) => (connections[name] = connect(reviews[n], 'ai_tool')));
			const nodes = [show, agent, chatModel, ...reviewers.map(review), ...used.map(tool)];
			const options = { connections, orStatus: ['waiting'] };
			const run = await runWorkflow(n8n.api, nodes, [forged], options);
			expect([run.error, run.status]).toEqual([undefined, 'waiting']);
			return run;
		};
		const questions = () => sandbox.messages().filter(({ to }) => to === owner);
		const sent = () =>
			sandbox
				.messages()
				.filter(({ to }) => to !== owner)
				.map(({ to }) => to);
		/** The link of the n-th question, once it was asked and its execution waits. */
		const nextLink = async (executionId: string, count: number) => {
			const isAsked = async () => questions().length >= count || undefined;
			await until(isAsked, { what: `question ${count}` });
			await n8n.api.finishedExecution(executionId, ['waiting']);
			return linkIn({ messages: questions } as Sandbox, count - 1);
		};

		type Nodes = [string, string];
		const cases: Array<[string, Nodes, Nodes]> = [
			['two tools with a review each', ['Send A', 'Send B'], ['Ask A', 'Ask B']],
			['two tools behind one review', ['Send A', 'Send B'], ['Ask A', 'Ask A']],
			['one tool, called twice', ['Send A', 'Send A'], ['Ask A', 'Ask A']],
		];
		test.each(cases)('%s: each link decides its own call', async (_, tools, reviews) => {
			for (const [allowed, responses] of [
				[customers[0], ['approve', 'decline']],
				[customers[1], ['decline', 'approve']],
			] as const) {
				sandbox.reset();
				const { executionId } = await runAgent(tools, reviews);
				const first = await nextLink(executionId, 1);
				expect((await open(first)).data).toContain(`Hello ${customers[0]}`);
				await press(first, { response: responses[0] });
				const second = await nextLink(executionId, 2);
				expect((await open(second)).data).toContain(`Hello ${customers[1]}`);
				expect((await press(first, { response: 'approve' })).data).not.toContain(recorded);
				expect((await press(second, { response: responses[1] })).data).toContain(recorded);
				expect((await n8n.api.finishedExecution(executionId)).status).toBe('success');
				expect(sent()).toEqual([allowed]);
			}
		});

		test('the resume token of the execution, which a node before it can show, decides nothing', async () => {
			const [[, tools, reviews]] = cases;
			const { workflowId, executionId, json } = await runAgent(tools, reviews);
			const { nodes } = await n8n.api.getWorkflow(workflowId);
			const nodeId = String(nodes.find(({ name }) => name === reviews[0])?.id);
			const asleep = { resumeUrl: String(json.Show[0][0].url), nodeId };
			for (const { status } of await tryBypasses(asleep, { response: 'approve' }))
				expect([401, 404, 410]).toContain(status);
			expect((await n8n.api.execution(executionId)).status).toBe('waiting');
			expect([questions().length, sent()]).toEqual([1, []]);
		});
	},
);
