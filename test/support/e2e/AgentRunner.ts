import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { isN8n1 } from '../../../scripts/n8n/paths';
import { startSandbox, type Sandbox } from '../../../sandbox';
import {
	connectToSharedN8n,
	runWorkflow,
	type N8n,
	type NodeUnderTest,
} from '../../../tools/harness';
import { startScriptedModel, type ScriptedModel } from './scriptedModel';
import { createCredentials as createServiceCredentials } from './useService';

/** Stands in the item that the agent is given; no tool may hand it to the model. */
const marker = 'of-the-parent-item';

/** Of the AI Agent. */
export const newestAgentVersion = isN8n1() ? 3 : 3.1;

type Credentials = Record<'service' | 'model', NodeUnderTest['credentials']>;

export interface AgentRun {
	agentVersion: number;
	tool: NodeUnderTest;
	items?: IDataObject[];
	agentOptions?: INodeParameters;
}

async function createCredentials({ api }: N8n, sandbox: Sandbox, model: ScriptedModel) {
	const openAi = { apiKey: 'none', url: model.baseUrl };
	return {
		service: { ...(await createServiceCredentials(api, sandbox)) },
		model: {
			openAiApi: await api.createCredential({ name: 'Model', type: 'openAiApi', data: openAi }),
		},
	};
}

const connect = (type: 'ai_languageModel' | 'ai_tool') => ({
	[type]: [[{ node: 'Agent', type, index: 0 }]],
});

/** n8n with a sandbox and a scripted model, to give our nodes to an AI agent as its tools. */
export class AgentRunner {
	private constructor(
		private readonly n8n: N8n,
		readonly sandbox: Sandbox,
		readonly model: ScriptedModel,
		private readonly credentials: Credentials,
	) {}

	static async open(): Promise<AgentRunner> {
		const n8n = await connectToSharedN8n();
		const [sandbox, model] = await Promise.all([startSandbox(), startScriptedModel()]);
		return new AgentRunner(n8n, sandbox, model, await createCredentials(n8n, sandbox, model));
	}

	async close(): Promise<void> {
		await Promise.all([this.sandbox.close(), this.model.close()]);
	}

	/** Runs an agent with one tool. @returns what it ended with for each item */
	async run({ agentVersion, tool, items = [{ prompt: 'Go' }], agentOptions = {} }: AgentRun) {
		const { credentials } = this;
		const agent = {
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: agentVersion,
			parameters: { promptType: 'define', text: '={{ $json.prompt }}', options: agentOptions },
		};
		const chatModel = {
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			credentials: credentials.model,
			parameters: { model: { __rl: true, mode: 'id', value: 'scripted' }, options: {} },
		};
		const run = await runWorkflow(
			this.n8n.api,
			[agent, chatModel, { credentials: credentials.service, ...tool }],
			items.map((item) => ({ ...item, marker })),
			{ connections: { Model: connect('ai_languageModel'), [tool.name]: connect('ai_tool') } },
		);
		expect(run.error).toBeUndefined();
		expect(run.status).toBe('success');
		expect(this.model.heard()).not.toContain(marker);
		return run.json.Agent[0].map(({ output }) => output);
	}

	/** What the tools answered in the conversation about a prompt, as the model got it. */
	answers(prompt = 'Go'): IDataObject[][] {
		return this.model.toolAnswers(prompt).map((words) => JSON.parse(words) as IDataObject[]);
	}
}
