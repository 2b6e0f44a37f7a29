import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import type { INode, INodeParameters } from 'n8n-workflow';

import { projectFolder } from '../../../scripts/n8n/paths';
import type { Workflow, WorkflowDefinition } from '../../../scripts/n8n/n8nClient';
import { listen } from '../listen';
import type { ServiceInN8n } from './useService';

const folder = join(projectFolder, 'test/builderTasks');
/** Workflows that a model built, under the same names, in the place of ours. */
const answers = process.env.BUILDER_ANSWERS;

export interface BuilderTask {
	/** What a person asks for. */
	task: string;
	/** What a builder should make of it. */
	workflow: WorkflowDefinition;
}

const nameOf = (file: string) => file.replace(/^\d\d-|\.json$/g, '');

const files = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.sort();
export const taskNames = files.map(nameOf);

/** @param name without its number: `phone-sign-in` */
export function readTask(name: string): BuilderTask {
	const file = files.find((one) => nameOf(one) === name) ?? '';
	const task = JSON.parse(readFileSync(join(folder, file), 'utf8')) as BuilderTask;
	const answer = answers === undefined ? '' : join(answers, file);
	if (!existsSync(answer)) return task;
	return { ...task, workflow: JSON.parse(readFileSync(answer, 'utf8')) as WorkflowDefinition };
}

/** With waits of a few seconds: what is to happen at a time limit can be seen. */
export function shorten({ workflow, ...task }: BuilderTask): BuilderTask {
	const soon = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
	const changes: Record<string, (parameters: INodeParameters) => INodeParameters> = {
		smsSendAndWait: () => ({ timeLimit: 0.05 }),
		smsSendAndWaitForResponse: ({ options }) => ({
			options: { ...(options as INodeParameters), limitWaitTime: { values: soon } },
		}),
		wait: () => ({ resume: 'timeInterval', amount: 3, unit: 'seconds' }),
	};
	const nodes = workflow.nodes.map((node) => {
		const change = changes[node.type.split('.').at(-1) ?? ''];
		const { parameters } = node;
		return change ? { ...node, parameters: { ...parameters, ...change(parameters) } } : node;
	});
	return { ...task, workflow: { ...workflow, nodes } };
}

/** The shop that some tasks post to. */
export interface Shop {
	url: string;
	/** What was posted, by path. */
	posted: Array<{ path: string; body: unknown }>;
	close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
	const posted: Shop['posted'] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += chunk));
		request.on('end', () => {
			posted.push({ path: String(request.url), body: JSON.parse(text) as unknown });
			response.end('{}');
		});
	});
	return { ...(await listen(server)), posted };
}

export interface BuiltWorkflow extends Workflow {
	/** The path of its webhook, or of its form. */
	path: string;
	trigger: INode;
}

/** Creates the workflow of a task with credentials, addresses of its own, and the shop on this machine. */
export async function createBuilt(
	{ api, credentials }: ServiceInN8n,
	{ workflow }: BuilderTask,
	shop: Shop,
): Promise<BuiltWorkflow> {
	const path = randomUUID();
	const text = JSON.stringify(workflow).replaceAll('https://shop.example.com', shop.url);
	const { name, nodes, connections, settings } = JSON.parse(text) as WorkflowDefinition;
	const filled = nodes.map((node): INode => {
		const isOurs = node.type.startsWith('n8n-nodes-messaging-service.');
		const isWebhook = node.type === 'n8n-nodes-base.webhook';
		const isTrigger = /trigger$/i.test(node.type) || isWebhook;
		return {
			...node,
			...(isOurs && { credentials: { ...credentials } }),
			...(node.webhookId && { webhookId: isTrigger ? path : randomUUID() }),
			...(isWebhook && { parameters: { ...node.parameters, path } }),
		};
	});
	const created = await api.createWorkflow({ name, nodes: filled, connections, settings });
	const trigger = created.nodes.find(({ type }) => /(trigger|\.webhook)$/i.test(type)) as INode;
	return { ...created, path, trigger };
}
