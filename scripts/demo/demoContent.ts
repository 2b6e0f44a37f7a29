import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INode, INodeTypeDescription } from 'n8n-workflow';
import type { CredentialData, CredentialReference, N8nClient } from '../n8n/n8nClient';
import { exampleNames, readExample } from '../n8n/examples';
import { stateFolder } from '../n8n/paths';
import { writeDemoNote, type DemoAddresses } from './demoNotes';
import { demoKey, demoSenders } from './sandboxProcess';

const receiptTrigger = 'n8n-nodes-messaging-service.smsReceiptTrigger';
/** Receives the delivery receipts of the sandbox. */
const published = 'alert-when-not-delivered';

/** What we wrote into a credential. */
interface KnownCredential {
	id: string;
	/** The address that it leads to. */
	address: string;
}

/** What the demo has set up in n8n already, so that a restart leaves the user's edits alone. */
export interface DemoState {
	/** Of the demo's login. */
	password: string;
	/** By the type of the credential. */
	credentials: Record<string, KnownCredential>;
	/** File name of an example -> id of the workflow that was made of it. */
	examples: Record<string, string>;
}

/** Beside n8n's database: deleting that folder resets both. */
const fileIn = (folder: string) => join(folder, '.n8n', 'demo.json');

/** n8n wants a digit and a capital letter. */
function makePassword(): string {
	return `Demo-${randomBytes(9).toString('base64url')}-1`;
}

/**
 * What is kept in the folder, with a password that is made on the first start. The folder holds keys, codes and
 * the password: nobody else on this computer is to look into it.
 */
export function openDemoState(folder = stateFolder): DemoState {
	mkdirSync(folder, { recursive: true });
	chmodSync(folder, 0o700);
	const file = fileIn(folder);
	const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
	const state = { password: makePassword(), credentials: {}, examples: {}, ...kept };
	// Before n8n gets it, so that a start that is cut off does not lock the user out.
	saveDemoState(state, folder);
	return state;
}

export function saveDemoState(state: DemoState, folder = stateFolder): void {
	const file = fileIn(folder);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify(state, null, 2), { mode: 0o600 });
}

/** A credential that is ready in the demo. */
export interface DemoCredential extends CredentialData {
	/** The address that it leads to: when it has moved, the credential follows. */
	address: string;
}

export function serviceCredential(baseUrl: string): DemoCredential {
	const [senderId] = demoSenders;
	const data = { baseUrl, ...demoKey, senderId, brand: senderId };
	const name = 'Messaging Service (sandbox)';
	return { name, type: 'messagingServiceApi', data, address: baseUrl };
}

export function mailCredential(smtpPort: number): DemoCredential {
	const data = { host: '127.0.0.1', port: smtpPort, secure: false, disableStartTls: true };
	return { name: 'Demo mail server', type: 'smtp', data, address: `127.0.0.1:${smtpPort}` };
}

/** For the examples with a login on a form or a key of a website; with the password of the demo. */
export function doorCredentials(password: string): DemoCredential[] {
	return [
		{
			name: 'Form login (demo)',
			type: 'httpBasicAuth',
			data: { user: 'demo', password },
			address: 'forms',
		},
		{
			name: 'Website key (demo)',
			type: 'httpHeaderAuth',
			data: { name: 'X-Api-Key', value: password },
			address: 'website',
		},
	];
}

/** Makes a credential, or has it follow to another address; else leaves it as it is. */
async function ensureCredential(
	api: N8nClient,
	state: DemoState,
	{ address, ...credential }: DemoCredential,
): Promise<CredentialReference> {
	const { name, type } = credential;
	const known = state.credentials[type];
	if (known) {
		const isStillRight = known.address === address && (await api.hasCredential(known.id));
		if (isStillRight || (await api.updateCredential(known.id, credential))) {
			known.address = address;
			return { id: known.id, name };
		}
	}
	const created = await api.createCredential(credential);
	state.credentials[type] = { id: created.id, address };
	return created;
}

/** By the type of the credential. */
export type ReadyCredentials = Record<string, CredentialReference>;

export async function ensureCredentials(
	api: N8nClient,
	state: DemoState,
	wanted: DemoCredential[],
): Promise<ReadyCredentials> {
	const ready: ReadyCredentials = {};
	for (const credential of wanted) {
		ready[credential.type] = await ensureCredential(api, state, credential);
	}
	return ready;
}

/** Ready credentials for those that a node names, and for the one of the service that it takes. */
function giveCredentials(
	node: INode,
	types: Map<string, INodeTypeDescription>,
	ready: ReadyCredentials,
): INode {
	const named = Object.keys(node.credentials ?? {});
	const taken = types.get(node.type)?.credentials?.map(({ name }) => name) ?? [];
	const wanted = [...named, ...taken.filter((name) => name === 'messagingServiceApi')];
	const given = wanted.filter((type) => type in ready).map((type) => [type, ready[type]]);
	if (given.length === 0) return node;
	return { ...node, credentials: { ...node.credentials, ...Object.fromEntries(given) } };
}

/** The opt-out link of the campaign leads to the form of the same workflow. */
function giveLink(node: INode, nodes: INode[], { n8n }: DemoAddresses): INode {
	const form = nodes.find(({ name }) => name === 'No more messages');
	const text = JSON.stringify(node);
	const empty = '"name":"stopLink","value":""';
	const link = JSON.stringify(`${n8n}/form/${form?.webhookId}`);
	return JSON.parse(text.replace(empty, empty.replace('""', link))) as INode;
}

/** Under what an example is kept in mind: the number in front of its file can change. */
const keyOf = (name: string) => `${name}.json`;

/**
 * Imports the examples that were never imported, with ready credentials in every node that takes them, and notes that
 * say what is left to do. One of those that start with a receipt is published.
 * @returns a sentence for each one that could not be published
 */
export async function importExamples(
	api: N8nClient,
	state: DemoState,
	ready: ReadyCredentials,
	addresses: DemoAddresses,
): Promise<string[]> {
	const types = new Map((await api.nodeTypes()).map((type) => [type.name, type]));
	const missing = exampleNames.filter((name) => !(keyOf(name) in state.examples));
	const problems: string[] = [];
	// n8n lists what was changed last first: so the first example stands on top.
	for (const exampleName of missing.reverse()) {
		const { name, nodes, connections, settings, tags = [] } = readExample(exampleName);
		const filled = writeDemoNote(exampleName, nodes, addresses)
			.map((node) => giveCredentials(node, types, ready))
			.map((node) => giveLink(node, nodes, addresses));
		const tagIds = await api.ensureTags(tags.map((tag) => tag.name));
		const workflow = { name, nodes: filled, connections, settings };
		const { id } = await api.createWorkflow(workflow, tagIds);
		state.examples[keyOf(exampleName)] = id;
		if (exampleName !== published) continue;
		await api.activate(id).catch((error: Error) => {
			problems.push(
				`The example "${name}" was imported, but could not be published: ${error.message}`,
			);
		});
	}
	return problems;
}

/** The production URL of the published example, which starts with a delivery receipt, while it is active. */
export async function findReceiptUrl(
	api: N8nClient,
	state: DemoState,
): Promise<string | undefined> {
	const id = state.examples[keyOf(published)];
	const isActive = (await api.listWorkflows()).some((one) => one.id === id && one.active);
	if (!isActive) return undefined;
	const { nodes } = await api.getWorkflow(id);
	const trigger = nodes.find(({ type }) => type === receiptTrigger);
	return trigger && `${api.url}/webhook/${trigger.webhookId}/webhook`;
}
