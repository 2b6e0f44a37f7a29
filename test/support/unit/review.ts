import type { IExecuteFunctions } from 'n8n-workflow';

export interface Review {
	/** What the model wrote beside the arguments of the tool. */
	extra?: object;
	toolParameters?: unknown;
	/** What n8n's expressions say of the call; the truth when left out. */
	shown?: unknown;
	parameters?: object;
	type?: string;
	/** Calls of the same turn. */
	ids?: string[];
	/** The tools behind the review. */
	tools?: unknown;
}

/** A tool that asks for these arguments. */
export const asks = (...names: string[]) => ({
	name: 'Send_SMS',
	schema: { shape: Object.fromEntries(names.map((name) => [name, {}])) },
});

/** A review of the call of Send_SMS, as n8n 2.41 hands it to the node. */
export const review = ({
	extra = {},
	toolParameters = { to: '0979' },
	shown = ['Send_SMS', JSON.stringify(toolParameters)],
	parameters = {},
	type = 'n8n-nodes-x.smsHitlTool',
	ids = ['call_1'],
	tools = [asks('to', 'query', 'tool', 'amount', 'list', 'price', 'text', 'message')],
}: Review = {}) => {
	const input = { tool: 'Send_SMS', ...extra, toolParameters };
	const hitl = { toolName: 'Send_SMS', originalInput: toolParameters };
	const actions = ids.map((id) => ({ action: { id, input, metadata: { hitl } } }));
	const metadata = { subNodeExecutionData: { actions } };
	return {
		getNode: () => ({ type, parameters }),
		getInputData: () => [{ json: { ...input, toolCallId: 'call_1' } }],
		getInputConnectionData: async () => tools,
		evaluateExpression: () => shown,
		runExecutionData: { executionData: { nodeExecutionStack: [{}, { metadata }] } },
	} as unknown as IExecuteFunctions;
};
