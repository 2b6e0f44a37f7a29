import { ExecuteContext } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { credentialsOf, type Service } from './credentialsOf';
import { prepareExecution, type NodeUnderTest } from './runWorkflow';

/** A service that is not there, for what makes no request. */
export const nowhere = { baseUrl: 'http://127.0.0.1:1/api', apiKey: 'key', apiSecret: 'secret' };

export interface Circumstances {
	type?: NodeUnderTest['type'];
	parameters?: IDataObject;
	/** Changes of the credential. */
	credentials?: IDataObject;
	settings?: Partial<INode>;
	items?: IDataObject[];
	mode?: WorkflowExecuteMode;
	/** Of one workflow that is executed several times. */
	workflowId?: string;
	/** Of the attempts before; a fresh one when it is left out. */
	execution?: IRunExecutionData;
	runIndex?: number;
	signal?: AbortSignal;
}

/**
 * What n8n keeps of an execution over its attempts, with the memory of its nodes in it.
 * @param establishedAt when it began, in milliseconds since 1970: all that a retry without that memory knows
 */
export function newExecution(establishedAt?: number): IRunExecutionData {
	const runtimeData = establishedAt === undefined ? undefined : { version: 1, establishedAt };
	const executionData = { contextData: {}, nodeExecutionStack: [], metadata: {}, runtimeData };
	const waiting = { waitingExecution: {}, waitingExecutionSource: {} };
	return {
		startData: {},
		resultData: { runData: {} },
		executionData: { ...executionData, ...waiting },
	} as unknown as IRunExecutionData;
}

/** What n8n hands to a node that it executes, for tests of what a node is made of. */
export function openContext(
	service: Service,
	{
		type = 'SmsSend',
		parameters = {},
		credentials,
		settings,
		items = [{}],
		mode = 'trigger',
		execution = newExecution(),
		runIndex = 0,
		signal,
		workflowId,
	}: Circumstances = {},
): IExecuteFunctions {
	const underTest = { nodes: [{ name: 'Node', type, parameters, settings }], connections: {} };
	const options = { credentials: credentialsOf(service, credentials), items, workflowId };
	const { workflow, additionalData } = prepareExecution(underTest, options);
	const node = workflow.getNode('Node') as INode;
	const input = items.map((json, item) => ({ json, pairedItem: { item } }));
	const data = { main: [input] };
	return new ExecuteContext(
		workflow,
		node,
		additionalData,
		mode,
		execution,
		runIndex,
		input,
		data,
		{ node, data, source: null },
		[],
		signal,
	) as unknown as IExecuteFunctions;
}
