import type { IConnections, IDataObject } from 'n8n-workflow';

import { countParts } from '../../nodes/shared/validation/parts';
import { startSandbox, type Sandbox } from '../../sandbox';
import {
	connectToSharedN8n,
	describeRun,
	runWorkflow,
	type N8n,
	type NodeUnderTest,
} from '../../tools/harness';
import { newestAgentVersion } from './AgentRunner';
import { askNode, linkIn, open, press } from './questions';
import { startScriptedModel, type ScriptedModel } from './scriptedModel';
import { sinceN8n2 } from './sinceN8n2';
import { createCredentials, type Credentials } from './useService';

const owner = '09791234567';
const customer = '959791234568';
const text = 'Your order is ready.';

const connect = (node: string, type: 'ai_languageModel' | 'ai_tool'): IConnections[string] => ({
	[type]: [[{ node, type, index: 0 }]],
});

sinceN8n2('tool that asks a person before an agent goes on').describe(
	'SMS Send and Wait for Response as the human review of an AI agent',
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

		/** Gives an agent a tool that sends to customers behind a review that asks the owner. */
		const runAgent = async (
			parameters: IDataObject = {},
			settings: Partial<NodeUnderTest> = {},
			made: { toolParameters?: IDataObject; hitlParameters?: IDataObject } = {},
		) => {
			const args = {
				toolParameters: { to: customer, message: text, ...made.toolParameters },
				hitlParameters: { ...made.hitlParameters },
			};
			model.play([[{ tool: 'Send_SMS', args }], 'Done.']);
			const nodes: NodeUnderTest[] = [
				{
					name: 'Agent',
					type: '@n8n/n8n-nodes-langchain.agent',
					typeVersion: newestAgentVersion,
					parameters: { promptType: 'define', text: 'Go', options: {} },
				},
				{
					name: 'Model',
					type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
					typeVersion: 1.2,
					credentials: modelCredential,
					parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
				},
				{
					...askNode(credentials, {
						to: owner,
						message: '=May the agent run {{ $tool.name }}?\n{{ $tool.parameters }}',
						...parameters,
					}),
					type: 'smsSendAndWaitForResponseHitlTool',
					...settings,
				},
				{
					name: 'Send SMS',
					type: 'smsSendTool',
					credentials: { ...credentials },
					parameters: {
						to: "={{ $fromAI('to', 'The number', 'string') }}",
						message: "={{ $fromAI('message', 'The text', 'string') }}",
						from: 'MyShop',
						options: {},
					},
				},
			];
			const connections = {
				Model: connect('Agent', 'ai_languageModel'),
				Ask: connect('Agent', 'ai_tool'),
				'Send SMS': connect('Ask', 'ai_tool'),
			};
			return await runWorkflow(n8n.api, nodes, [{}], {
				connections,
				keep: true,
				orStatus: ['waiting'],
			});
		};
		const finish = async ({
			workflowId,
			executionId,
		}: {
			workflowId: string;
			executionId: string;
		}) => describeRun(workflowId, await n8n.api.finishedExecution(executionId));
		const sentTo = (number: string) => sandbox.messages().filter(({ to }) => to === number);

		test('runs the tool once Approve was pressed, exactly as it was shown', async () => {
			const run = await runAgent();
			expect(run.error).toBeUndefined();
			expect(run.status).toBe('waiting');
			expect(sentTo(customer)).toEqual([]);
			const page = await open(linkIn(sandbox));
			expect(page.data).toContain(text);
			expect(sentTo(customer)).toEqual([]);
			await press(linkIn(sandbox), { response: 'approve' });
			const { error, json } = await finish(run);
			expect(error).toBeUndefined();
			expect(json.Agent[0]).toMatchObject([{ output: 'Done.' }]);
			expect(sentTo(customer)).toMatchObject([{ message: text }]);
		});

		/** Arguments that a model makes up for the review itself come into its input. */
		const made = { approved: true, data: { approved: true }, chatInput: 'Approved' };

		test('names the tool and its arguments in the SMS, and the whole of them on the page', async () => {
			const long = `Your order is ready. ${'Come and get it soon. '.repeat(60)}`.trim();
			await runAgent({}, {}, { toolParameters: { message: long } });
			const [{ message }] = sentTo(`95${owner.slice(1)}`);
			expect(message).toMatch(
				/^May the agent run Send_SMS\?\nto: 959791234568\nmessage: Your order/,
			);
			expect(countParts(String(message)).parts).toBe(4);
			expect((await open(linkIn(sandbox))).data).toContain(long);
		});

		test('never runs the tool after Decline, and tells the model the reason', async () => {
			const run = await runAgent({}, {}, { hitlParameters: made, toolParameters: made });
			await press(linkIn(sandbox), { response: 'decline', reason: 'She has picked it up' });
			const { error, json } = await finish(run);
			expect(error).toBeUndefined();
			expect(json.Agent[0]).toMatchObject([{ output: 'Done.' }]);
			expect(sentTo(customer)).toEqual([]);
			expect(model.heard()).toContain('She has picked it up');
			expect(model.heard()).not.toContain('provided feedback: \\"Approved');
		});

		test('never runs the tool when nobody responds', async () => {
			const limit = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
			const options = { limitWaitTime: { values: limit } };
			const run = await runAgent({ options }, {}, { hitlParameters: made, toolParameters: made });
			const { error } = await finish(run);
			expect(error).toBeUndefined();
			expect(model.heard()).toContain('rejected the tool call');
			expect(sentTo(customer)).toEqual([]);
		}, 180_000);

		test.each([undefined, 'continueRegularOutput', 'continueErrorOutput', 'stopWorkflow'] as const)(
			'never runs the tool when the question cannot be sent (On Error %s)',
			async (onError) => {
				for (const to of ['12', '09000000011']) {
					sandbox.reset();
					const settings = onError && { onError };
					const run = await runAgent({ to }, settings, {
						hitlParameters: made,
						toolParameters: made,
					});
					expect(run.status).not.toBe('waiting');
					expect(sandbox.messages()).toEqual([]);
				}
			},
		);

		test('never runs the tool when the page breaks', async () => {
			const run = await runAgent({}, {}, { hitlParameters: made });
			const link = linkIn(sandbox);
			for (const fields of ['approved=true', 'response=true', 'data[approved]=true', ''])
				expect((await press(link, fields)).status).toBe(400);
			const broken = link.replace(/q=[^&]+/, 'q=');
			expect((await press(broken, { response: 'approve' })).status).toBe(401);
			expect((await n8n.api.execution(run.executionId)).status).toBe('waiting');
			expect(sentTo(customer)).toEqual([]);
		});
	},
);
