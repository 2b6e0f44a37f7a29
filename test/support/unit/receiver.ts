import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';

import { WebhookContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeTypes,
	type IWebhookData,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { SmsReceiptTrigger } from '../../../nodes/SmsReceiptTrigger/SmsReceiptTrigger.node';
import { listen } from '../listen';

const trigger = new SmsReceiptTrigger();
const nodeTypes: INodeTypes = {
	getByName: () => trigger,
	getByNameAndVersion: () => trigger,
	getKnownTypes: () => ({}),
};

export interface Receiver {
	url: string;
	/** The items of every execution that was started. */
	executions: INodeExecutionData[][];
	/** What the trigger wrote into n8n's log. */
	warnings: string[];
	/** What the trigger threw, for which n8n starts a failed execution. */
	failures: string[];
	/** Resolves when the trigger has been called so often. */
	called(times: number): Promise<void>;
	close(): Promise<void>;
}

function parseBody(rawBody: Buffer, contentType = ''): unknown {
	if (contentType.startsWith('application/json')) return JSON.parse(rawBody.toString());
	if (contentType.startsWith('application/x-www-form-urlencoded'))
		return parseQuery(rawBody.toString());
	return contentType.startsWith('text/plain') ? rawBody.toString() : undefined;
}

/** What n8n's own web server adds to a request. */
async function toN8nRequest(request: IncomingMessage): Promise<object> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const rawBody = Buffer.concat(chunks);
	const body = parseBody(rawBody, request.headers['content-type']);
	const query = parseQuery(new URL(request.url ?? '/', 'http://localhost').search.slice(1));
	const ip = request.socket.remoteAddress;
	return { method: request.method, headers: request.headers, query, ip, rawBody, body };
}

function toN8nResponse(response: ServerResponse): ServerResponse {
	return Object.assign(response, {
		status(code: number) {
			response.statusCode = code;
			return this;
		},
		type(contentType: string) {
			response.setHeader('content-type', contentType);
			return this;
		},
		send(text: string) {
			response.end(text);
		},
	});
}

interface Settings {
	parameters: IDataObject;
	mode: WorkflowExecuteMode;
	nodeId: string;
}

function makeContext(
	id: string,
	{ parameters, mode, nodeId }: Settings,
	httpRequest: object,
	httpResponse: object,
) {
	const node: INode = {
		id: nodeId,
		name: 'Trigger',
		type: 'smsReceiptTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
	};
	const workflow = new Workflow({ id, nodes: [node], connections: {}, active: true, nodeTypes });
	const additionalData = { httpRequest, httpResponse, variables: {} };
	return new WebhookContext(
		workflow,
		node,
		additionalData as unknown as IWorkflowExecuteAdditionalData,
		mode,
		{ webhookDescription: trigger.description.webhooks?.[0] } as IWebhookData,
		[],
		null,
	);
}

export interface Circumstances {
	mode?: WorkflowExecuteMode;
	/** One of its own, when it is left out. */
	workflowId?: string;
	nodeId?: string;
	/** n8n answers a call only after this; a rejection is answered as n8n does it. */
	startExecution?(items: INodeExecutionData[]): Promise<void>;
}

/** Serves the trigger over HTTP on a free port, with n8n's own webhook context around it. */
export async function startReceiver(
	parameters: IDataObject = {},
	{ mode = 'webhook', startExecution, workflowId = randomUUID(), nodeId = '1' }: Circumstances = {},
): Promise<Receiver> {
	const executions: INodeExecutionData[][] = [];
	const warnings: string[] = [];
	const failures: string[] = [];
	let calls = 0;
	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const httpRequest = await toN8nRequest(request);
		const settings = { parameters, mode, nodeId };
		const context = makeContext(workflowId, settings, httpRequest, toN8nResponse(response));
		const logger = { warn: (words: string) => warnings.push(words) };
		Object.defineProperty(context, 'logger', { value: logger });
		const result = trigger.webhook.call(context);
		calls += 1;
		await respond(await result, response);
	};
	const respond = async (result: IWebhookResponseData, response: ServerResponse) => {
		if (result.noWebhookResponse) return;
		for (const items of result.workflowData ?? []) {
			await startExecution?.(items ?? []);
			executions.push(items ?? []);
		}
		response.end(result.webhookResponse);
	};
	const server = createServer((request, response) => {
		handle(request, response).catch((error: Error) => {
			failures.push(error.message);
			// The trigger has responded.
			if (response.writableEnded) return;
			response.statusCode = 500;
			response.end('Workflow could not be started!');
		});
	});
	const { url, close } = await listen(server);
	const called = async (times: number) => {
		while (calls < times) await new Promise((resolve) => setTimeout(resolve, 5));
	};
	return { url: `${url}/webhook`, executions, warnings, failures, called, close };
}
