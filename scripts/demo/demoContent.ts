import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type IDataObject, type INode, type INodeTypeDescription } from 'n8n-workflow';
import type { CredentialReference, N8nApi, Workflow, WorkflowDefinition } from '../n8n/n8nApi';
import { projectFolder } from '../n8n/paths';
import type { DemoState } from './demoState';
import { demoKey } from './sandboxProcess';

const credentialType = 'messagingServiceApi';
const credentialName = 'Messaging Service (sandbox)';
const receiptTrigger = 'n8n-nodes-messaging-service.smsReceiptTrigger';
const examplesFolder = join(projectFolder, 'examples');

/** Makes the credential, or has it follow the sandbox to another port; else leaves it as it is. */
export async function ensureCredential(
	api: N8nApi,
	state: DemoState,
	baseUrl: string,
): Promise<CredentialReference> {
	const data = { baseUrl, ...demoKey, authorizationScheme: 'Bearer' };
	const credential = { name: credentialName, type: credentialType, data };
	const known = state.credentialId;
	if (known !== undefined) {
		const isStillRight = state.baseUrl === baseUrl && (await api.hasCredential(known));
		if (isStillRight || (await api.updateCredential(known, credential))) {
			Object.assign(state, { baseUrl });
			return { id: known, name: credentialName };
		}
	}
	const created = await api.createCredential(credential);
	Object.assign(state, { credentialId: created.id, baseUrl });
	return created;
}

function giveCredential(
	node: INode,
	types: Map<string, INodeTypeDescription>,
	credential: CredentialReference,
): INode {
	const isTaken = types.get(node.type)?.credentials?.some(({ name }) => name === credentialType);
	if (!isTaken && !node.credentials?.[credentialType]) return node;
	return { ...node, credentials: { ...node.credentials, [credentialType]: credential } };
}

/** The examples leave the secret of their receipt trigger to whoever imports them. */
function giveSecret(node: INode): INode {
	const { options } = node.parameters;
	if (node.type !== receiptTrigger || (options as IDataObject).secret !== '') return node;
	const secret = randomBytes(16).toString('hex');
	return { ...node, parameters: { ...node.parameters, options: { secret } } };
}

/**
 * Imports the examples that were never imported, with the ready credential in every node that takes it, and a
 * secret of their own in receipt triggers.
 * An example with `"active": true` is activated.
 * @returns a sentence for each one that could not be activated
 */
export async function importExamples(
	api: N8nApi,
	state: DemoState,
	credential: CredentialReference,
): Promise<string[]> {
	const types = new Map((await api.nodeTypes()).map((type) => [type.name, type]));
	const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));
	const problems: string[] = [];
	for (const file of files.sort().filter((name) => !(name in state.examples))) {
		const text = readFileSync(join(examplesFolder, file), 'utf8');
		const { name, nodes, connections, settings, active } = JSON.parse(text) as WorkflowDefinition;
		const ready = nodes.map((node) => giveSecret(giveCredential(node, types, credential)));
		const { id } = await api.createWorkflow({ name, nodes: ready, connections, settings });
		state.examples[file] = id;
		if (!active) continue;
		await api.activate(id).catch((error: Error) => {
			problems.push(`The example "${name}" is there, but could not be activated: ${error.message}`);
		});
	}
	return problems;
}

function readTriggerUrl(workflow: Workflow, type: INodeTypeDescription, url: string) {
	const node = workflow.nodes.find((candidate) => candidate.type === receiptTrigger);
	const [webhook] = type.webhooks ?? [];
	if (!workflow.active || !node || !webhook) return undefined;
	const { path, isFullPath } = webhook;
	const base = `${url}/webhook`;
	const address = NodeHelpers.getNodeWebhookUrl(base, workflow.id, node, path, isFullPath === true);
	const { secret } = { ...(node.parameters.options as IDataObject | undefined) };
	return secret ? `${address}?secret=${encodeURIComponent(String(secret))}` : address;
}

/** The production URL of the imported example that starts with a delivery receipt, once it is active. */
export async function findReceiptUrl(api: N8nApi, state: DemoState): Promise<string | undefined> {
	const type = (await api.nodeTypes()).find(({ name }) => name === receiptTrigger);
	if (!type) return undefined;
	const ids = new Set(Object.values(state.examples));
	const listed = (await api.listWorkflows()).filter(({ id, active }) => active && ids.has(id));
	const workflows = await Promise.all(listed.map(async ({ id }) => await api.getWorkflow(id)));
	const urls = workflows.map((workflow) => readTriggerUrl(workflow, type, api.url));
	return urls.find((url) => url !== undefined);
}
