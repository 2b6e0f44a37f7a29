import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse, stringify } from 'flatted';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IDataObject,
	INode,
	INodeConnections,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

// One for each worker of jest, and not one for each file that nobody removes.
const userFolder = join(tmpdir(), `n8n-in-process-${process.env.JEST_WORKER_ID ?? process.pid}`);
mkdirSync(userFolder, { recursive: true });
process.env.N8N_USER_FOLDER ??= userFolder;
process.env.N8N_ENCRYPTION_KEY ??= 'in-process-tests-only';
process.env.N8N_LOG_LEVEL ??= 'silent';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { MessagingServiceApi } from '../../../credentials/MessagingServiceApi.credentials';
import { OtpRequest } from '../../../nodes/OtpRequest/OtpRequest.node';
import { OtpVerify } from '../../../nodes/OtpVerify/OtpVerify.node';
import { SmsBalance } from '../../../nodes/SmsBalance/SmsBalance.node';
import { SmsBulkSend } from '../../../nodes/SmsBulkSend/SmsBulkSend.node';
import { SmsHistory } from '../../../nodes/SmsHistory/SmsHistory.node';
import { SmsList } from '../../../nodes/SmsList/SmsList.node';
import { SmsSend } from '../../../nodes/SmsSend/SmsSend.node';
import { SmsSendAndWait } from '../../../nodes/SmsSendAndWait/SmsSendAndWait.node';
import { SmsSendAndWaitForResponse } from '../../../nodes/SmsSendAndWaitForResponse/SmsSendAndWaitForResponse.node';

export interface NodeUnderTest {
	/** Name of the class, e.g. `SmsSend`. As a tool of an AI agent, its type ends in `Tool`. */
	type: OurNode | `${OurNode}Tool`;
	parameters: IDataObject;
	/** Settings of the node: onError, retryOnFail, maxTries, waitBetweenTries. */
	settings?: Partial<INode>;
}

export interface RunOptions {
	credentials: IDataObject;
	items?: IDataObject[];
	/** Of one workflow that is executed several times; otherwise each run is a workflow of its own. */
	workflowId?: string;
	/** Trigger when it is left out. */
	mode?: 'manual';
	/** A failed run that is retried, as n8n does it with a failed execution. */
	retryOf?: IRun;
	/** Stops the execution. */
	signal?: AbortSignal;
	/** 1 when it is left out. Null over MCP: n8n runs a tool of its MCP Server Trigger before there is an execution. */
	executionId?: string | null;
	/** Where n8n takes the calls that wake an execution: http://127.0.0.1:5678/webhook-waiting */
	waitingUrl?: string;
}

export interface WorkflowUnderTest {
	nodes: Array<NodeUnderTest & { name: string }>;
	/** From the node `Source`, which gives the items, on. `Loop` can be there as well. */
	connections: IConnections;
	/** How often the node `Loop` hands the items to its second output. */
	loops?: number;
	/** Further nodes, by name: what each makes of its items. One that throws fails. */
	steps?: Record<string, (items: IDataObject[]) => IDataObject[]>;
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

/** What n8n does with a node that throws is not the node's to decide. */
class BrokenOtpVerify extends OtpVerify {
	execute = async (): Promise<never> => {
		throw new Error('broken');
	};
}

const ourNodes = {
	BrokenOtpVerify,
	OtpRequest,
	OtpVerify,
	SmsBalance,
	SmsBulkSend,
	SmsHistory,
	SmsList,
	SmsSend,
	SmsSendAndWait,
	SmsSendAndWaitForResponse,
};

type OurNode = keyof typeof ourNodes;

function createType(
	outputs: string[],
	run: INodeType['execute'],
	inputs = outputs.length > 1 ? ['main'] : [],
) {
	return {
		description: {
			displayName: 'Test',
			name: 'test',
			group: ['trigger'],
			version: 1,
			description: '',
			defaults: {},
			inputs,
			outputs,
			properties: [],
		},
		execute: run,
	} as unknown as INodeType;
}

function toItems(list: IDataObject[]): INodeExecutionData[] {
	return list.map((json, item) => ({ json, pairedItem: { item } }));
}

function createNodeTypes(items: IDataObject[], { loops = 0, steps = {} }: WorkflowUnderTest) {
	const asItems = () => toItems(items);
	const types: Record<string, INodeType> = {
		// Gives the items of the test, as a trigger would.
		source: createType(['main'], async () => [asItems()]),
		step: createType(
			['main'],
			async function () {
				const make = steps[this.getNode().name];
				return [toItems(make(this.getInputData().map(({ json }) => json)))];
			},
			['main'],
		),
		// Gives them again and again, as Loop Over Items does with its batches.
		loop: createType(['main', 'main'], async function () {
			const memory = this.getContext('node');
			memory.pass = Number(memory.pass ?? 0) + 1;
			return memory.pass > loops ? [asItems(), []] : [[], asItems()];
		}),
	};
	for (const [name, NodeClass] of Object.entries(ourNodes)) {
		types[name] = new NodeClass();
		types[`${name}Tool`] = new NodeClass();
	}
	return {
		getByName: (name: string) => types[name],
		getByNameAndVersion: (name: string, version?: number) =>
			NodeHelpers.getVersionedNodeType(types[name], version),
		getKnownTypes: () => ({}),
	};
}

/** A credential with the values of its expressions for an item, as n8n's own helper reads it. */
function decrypt(credentials: IDataObject): ICredentialsHelper['getDecrypted'] {
	return async (_data, _node, _type, mode, executeData, _raw, place) => {
		if (!place) return { ...credentials } as ICredentialDataDecryptedObject;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = place;
		const values = { ...credentials } as INodeParameters;
		return workflow.expression.getParameterValue(
			values,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
			false,
			values,
		) as ICredentialDataDecryptedObject;
	};
}

function createAdditionalData(
	workflow: { id: string; name: string; nodes: INode[]; connections: IConnections },
	{
		credentials,
		retryOf,
		// n8n gives each retry an ID of its own.
		executionId = retryOf ? randomUUID() : '1',
		waitingUrl = 'http://127.0.0.1:5678/webhook-waiting',
	}: RunOptions,
): IWorkflowExecuteAdditionalData {
	const api = new MessagingServiceApi();
	const authenticate = api.authenticate as (
		credentials: IDataObject,
		options: object,
	) => Promise<object>;
	return {
		hooks: new ExecutionLifecycleHooks('trigger', executionId ?? '', workflow as never),
		executionId: executionId ?? undefined,
		currentNodeExecutionIndex: 0,
		variables: {},
		setExecutionStatus() {},
		sendDataToUI() {},
		webhookWaitingBaseUrl: waitingUrl,
		formWaitingBaseUrl: 'http://127.0.0.1:5678/form-waiting',
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: decrypt(credentials),
			authenticate: async (data: IDataObject, _type: string, options: object) =>
				await authenticate(data, options),
			preAuthentication: async () => undefined,
			getCredentialsProperties: () => [],
		},
	} as unknown as IWorkflowExecuteAdditionalData;
}

function createNodes({ nodes, steps = {} }: WorkflowUnderTest): INode[] {
	const plain = (name: string, type: string): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	});
	return [
		plain('Source', 'source'),
		plain('Loop', 'loop'),
		...Object.keys(steps).map((name) => plain(name, 'step')),
		...nodes.map(({ name, type, parameters, settings }) => ({
			...plain(name, type),
			parameters: parameters as INode['parameters'],
			credentials: { messagingServiceApi: { id: '1', name: 'Test' } },
			...settings,
		})),
	];
}

/**
 * What n8n does with the data of a failed execution before it runs it again, with the workflow as it is now
 * (ExecutionService.retry). The moment at which the execution was established stays in it.
 */
function prepareRetry(failed: IRun, workflow: Workflow): IRunExecutionData {
	// As it comes back from the database.
	const data = parse(stringify(failed.data)) as IRunExecutionData;
	const { resultData, executionData } = data;
	delete resultData.error;
	const tasks = resultData.runData[resultData.lastNodeExecuted ?? ''];
	if (tasks?.at(-1)?.error !== undefined) tasks.pop();
	for (const next of executionData?.nodeExecutionStack ?? []) {
		next.node = workflow.getNode(next.node.name) ?? next.node;
	}
	return data;
}

/** A workflow as n8n's engine takes it, and what belongs to one execution of it. */
export function prepareExecution(underTest: WorkflowUnderTest, options: RunOptions) {
	const { connections } = underTest;
	const { workflowId = randomUUID() } = options;
	const description = { id: workflowId, name: 'w', nodes: createNodes(underTest), connections };
	const workflow = new Workflow({
		...description,
		active: false,
		nodeTypes: createNodeTypes(options.items ?? [{}], underTest) as never,
		settings: { executionOrder: 'v1' },
	});
	return { workflow, additionalData: createAdditionalData(description, options) };
}

/** Executes a workflow with n8n's own engine, in this process. */
export async function runWorkflow(
	underTest: WorkflowUnderTest,
	options: RunOptions,
): Promise<IRun> {
	const { retryOf, signal, mode = 'trigger' } = options;
	const { workflow, additionalData } = prepareExecution(underTest, options);
	const execution = retryOf
		? new WorkflowExecute(
				additionalData,
				'retry',
				prepareRetry(retryOf, workflow),
			).processRunExecutionData(workflow)
		: new WorkflowExecute(additionalData, mode).run({
				workflow,
				startNode: workflow.getNode('Source') ?? undefined,
			});
	signal?.addEventListener('abort', () => execution.cancel());
	return await execution;
}

/** The connections of a node to others, from its first output. */
export const to = (...names: string[]): INodeConnections => ({
	main: [names.map((node) => ({ node, type: 'main', index: 0 }))],
});

/** A workflow of a source and one of our nodes. */
export function inLine(node: NodeUnderTest & { name?: string }): WorkflowUnderTest {
	const named = { name: 'Node', ...node };
	return { nodes: [named], connections: { Source: to(named.name) } };
}

/** The same, with the items of the source so many times. */
export function inLoop({ nodes }: WorkflowUnderTest, loops: number): WorkflowUnderTest {
	const [{ name }] = nodes;
	const [round] = to(name).main;
	const connections = { Source: to('Loop'), Loop: { main: [[], round] }, [name]: to('Loop') };
	return { nodes, connections, loops };
}

/** Executes a workflow of a source and one of our nodes. */
export async function runNode(node: NodeUnderTest, options: RunOptions): Promise<RunResult> {
	return toResult(await runWorkflow(inLine(node), options));
}

/** What a node came to in its last run. */
export function toResult(run: IRun, name = 'Node'): RunResult {
	const task = run.data.resultData.runData[name]?.at(-1);
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
