import 'reflect-metadata';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-in-process-'));
process.env.N8N_ENCRYPTION_KEY ??= 'in-process-tests-only';
process.env.N8N_LOG_LEVEL ??= 'silent';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { MessagingServiceApi } from '../../credentials/MessagingServiceApi.credentials';
import { OtpRequest } from '../../nodes/OtpRequest/OtpRequest.node';
import { OtpVerify } from '../../nodes/OtpVerify/OtpVerify.node';
import { SmsBalance } from '../../nodes/SmsBalance/SmsBalance.node';
import { SmsBulkSend } from '../../nodes/SmsBulkSend/SmsBulkSend.node';
import { SmsHistory } from '../../nodes/SmsHistory/SmsHistory.node';
import { SmsSend } from '../../nodes/SmsSend/SmsSend.node';

export interface NodeUnderTest {
	/** Name of the class, e.g. `SmsSend`. */
	type: keyof typeof ourNodes;
	parameters: IDataObject;
	/** Settings of the node: onError, retryOnFail, maxTries, waitBetweenTries. */
	settings?: Partial<INode>;
}

export interface RunOptions {
	credentials: IDataObject;
	items?: IDataObject[];
	/** An earlier run to go on from, as n8n does when a failed execution is retried. */
	signal?: AbortSignal;
}

export interface RunResult {
	run: IRun;
	/** Items of each output of the node under test in its last run. */
	outputs: INodeExecutionData[][];
	/** `json` of the items of the first output. */
	json: IDataObject[];
	error?: { message: string; description?: string | null; httpCode?: string };
	hints: string[];
}

const ourNodes = { OtpRequest, OtpVerify, SmsBalance, SmsBulkSend, SmsHistory, SmsSend };

/** Gives the items of the test, as a trigger would. */
function createSource(items: IDataObject[]): INodeType {
	return {
		description: {
			displayName: 'Source',
			name: 'source',
			group: ['trigger'],
			version: 1,
			description: '',
			defaults: {},
			inputs: [],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => [items.map((json, item) => ({ json, pairedItem: { item } }))],
	};
}

function createNodeTypes(items: IDataObject[]) {
	const types: Record<string, INodeType> = { source: createSource(items) };
	for (const [name, NodeClass] of Object.entries(ourNodes)) types[name] = new NodeClass();
	return {
		getByName: (name: string) => types[name],
		getByNameAndVersion: (name: string, version?: number) =>
			NodeHelpers.getVersionedNodeType(types[name], version),
		getKnownTypes: () => ({}),
	};
}

function createAdditionalData(
	workflow: { id: string; name: string; nodes: INode[]; connections: IConnections },
	credentials: IDataObject,
): IWorkflowExecuteAdditionalData {
	const api = new MessagingServiceApi();
	const authenticate = api.authenticate as (
		credentials: IDataObject,
		options: object,
	) => Promise<object>;
	return {
		hooks: new ExecutionLifecycleHooks('trigger', '1', workflow as never),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		variables: {},
		setExecutionStatus() {},
		sendDataToUI() {},
		webhookWaitingBaseUrl: 'http://127.0.0.1:5678/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1:5678/form-waiting',
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => ({ ...credentials }),
			authenticate: async (data: IDataObject, _type: string, options: object) =>
				await authenticate(data, options),
			preAuthentication: async () => undefined,
			getCredentialsProperties: () => [],
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** Executes a workflow of a source and one of our nodes with n8n's own engine, in this process. */
export async function runNode(node: NodeUnderTest, options: RunOptions): Promise<RunResult> {
	const items = options.items ?? [{}];
	const underTest: INode = {
		id: 'node-under-test',
		name: 'Node',
		type: node.type,
		typeVersion: 1,
		position: [0, 0],
		parameters: node.parameters as INode['parameters'],
		credentials: { messagingServiceApi: { id: '1', name: 'Test' } },
		...node.settings,
	};
	const source: INode = { ...underTest, id: 's', name: 'Source', type: 'source', parameters: {} };
	delete source.credentials;
	const nodes = [{ ...source, onError: undefined, retryOnFail: false }, underTest];
	const connections: IConnections = {
		Source: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
	};
	const description = { id: 'w', name: 'w', nodes, connections };
	const workflow = new Workflow({
		...description,
		active: false,
		nodeTypes: createNodeTypes(items) as never,
		settings: { executionOrder: 'v1' },
	});
	const additionalData = createAdditionalData(description, options.credentials);
	const execution = new WorkflowExecute(additionalData, 'trigger').run({
		workflow,
		startNode: workflow.getNode('Source') ?? undefined,
	});
	options.signal?.addEventListener('abort', () => execution.cancel());
	return toResult(await execution);
}

function toResult(run: IRun): RunResult {
	const task = run.data.resultData.runData.Node?.at(-1);
	const outputs = (task?.data?.main ?? []).map((output) => output ?? []);
	const error = (task?.error ?? run.data.resultData.error) as RunResult['error'];
	return {
		run,
		outputs,
		json: (outputs[0] ?? []).map((item) => item.json),
		error,
		hints: (task?.hints ?? []).map((hint) => hint.message),
	};
}
