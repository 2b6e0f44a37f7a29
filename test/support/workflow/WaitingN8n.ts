import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createAdaptorServer } from '@hono/node-server';
import { parse, stringify } from 'flatted';
import { Hono, type HonoRequest } from 'hono';
import { WebhookContext, WorkflowExecute } from 'n8n-core';
import type {
	IDataObject,
	INode,
	INodeType,
	IRun,
	IRunExecutionData,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { until } from '../../../scripts/n8n/until';
import {
	prepareExecution,
	runWorkflow,
	toResult,
	type RunOptions,
	type RunResult,
	type WorkflowUnderTest,
} from './runWorkflow';

interface Saved {
	status: 'waiting' | 'running' | 'finished';
	/** As n8n keeps it in its database. */
	data: string;
	underTest: WorkflowUnderTest;
	options: RunOptions;
	/** Of the last run. */
	run?: IRun;
}

export interface Sleeper {
	executionId: string;
	run: IRun;
}

interface Answer {
	status: number;
	body: string;
}

const answer = (status: number, body = ''): Answer => ({ status, body });

/** As much of Express's response as our nodes use. It has gone out once what `written` holds is answered. */
class Response extends EventEmitter {
	readonly written = answer(200);
	readonly headers: Record<string, string> = {};

	status(code: number) {
		this.written.status = code;
		return this;
	}

	get statusCode() {
		return this.written.status;
	}

	type() {
		return this;
	}

	setHeader(name: string, value: string) {
		this.headers[name] = value;
	}

	send(text: string) {
		this.written.body = text;
	}
}

async function readRequest(req: HonoRequest) {
	const rawBody = await req.text();
	const isJson = (req.header('content-type') ?? '').includes('json');
	const body = (
		isJson ? JSON.parse(rawBody) : Object.fromEntries(new URLSearchParams(rawBody))
	) as object;
	return {
		method: req.method,
		headers: req.header(),
		query: req.query(),
		body,
		rawBody,
		params: {},
	};
}

/**
 * As much of n8n as executions need to fall asleep and to be woken, in this process: n8n's engine, a place where
 * sleeping executions are kept, and the address at which they are called.
 */
export class WaitingN8n {
	private readonly saved = new Map<string, Saved>();
	private readonly server: Server;
	private lastId = 0;

	constructor() {
		const app = new Hono();
		app.all('/webhook-waiting/:id/:suffix', async ({ req }) => {
			const { id, suffix } = req.param();
			const response = new Response();
			const { status, body } = await this.take(id, suffix, req, response);
			response.status(status).emit('prefinish');
			return new globalThis.Response(body, { status, headers: response.headers });
		});
		this.server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
	}

	async start(): Promise<void> {
		this.saved.clear();
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	get waitingUrl(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhook-waiting`;
	}

	/** Executes a workflow; where it falls asleep it is kept, as n8n does it in its database. */
	async run(underTest: WorkflowUnderTest, options: RunOptions): Promise<Sleeper> {
		const executionId = String((this.lastId += 1));
		const own = { ...options, executionId, waitingUrl: this.waitingUrl };
		const run = await runWorkflow(underTest, own);
		this.save(executionId, run, underTest, own);
		return { executionId, run };
	}

	/** The result of the node of an execution that has been woken. */
	async awake(executionId: string, name?: string): Promise<RunResult> {
		const find = async () => {
			const { status, run } = this.saved.get(executionId) ?? {};
			return status === 'finished' ? run : undefined;
		};
		const run = await until(find, { what: 'the execution to wake', timeoutMs: 10_000, everyMs: 5 });
		return toResult(run, name);
	}

	statusOf(executionId: string): string | undefined {
		return this.saved.get(executionId)?.status;
	}

	private save(id: string, run: IRun, underTest: WorkflowUnderTest, options: RunOptions): void {
		const isAsleep = run.data.waitTill !== undefined;
		this.saved.set(id, {
			status: isAsleep ? 'waiting' : 'finished',
			data: stringify(run.data),
			underTest,
			// The failed execution that was retried is in the data.
			options: { ...options, retryOf: undefined, items: undefined },
			...(!isAsleep && { run }),
		});
	}

	/** What n8n asks before the node gets a call (WaitingWebhooks.executeWebhook). */
	private async take(
		id: string,
		suffix: string,
		req: HonoRequest,
		response: Response,
	): Promise<Answer> {
		const saved = this.saved.get(id);
		if (!saved) return answer(404);
		const data = parse(saved.data) as IRunExecutionData;
		// n8n checks the signature of those links; here the proof of the node is all that holds.
		const { parameters } = data.executionData?.nodeExecutionStack[0]?.node ?? {};
		const isSigned = parameters?.operation === 'sendAndWait';
		if (!isSigned && req.query('signature') !== data.resumeToken) return answer(401);
		if (saved.status !== 'waiting') return answer(409);
		const { lastNodeExecuted = '' } = data.resultData;
		// In a workflow of the tests, the id of a node is its name.
		return lastNodeExecuted === suffix
			? await this.handOver(id, saved, data, { httpRequest: await readRequest(req), response })
			: answer(404);
	}

	private async handOver(
		id: string,
		saved: Saved,
		data: IRunExecutionData,
		{ httpRequest, response }: { httpRequest: object; response: Response },
	): Promise<Answer> {
		const { workflow, additionalData } = prepareExecution(saved.underTest, saved.options);
		const node = workflow.getNode(data.resultData.lastNodeExecuted ?? '') as INode;
		data.waitTill = undefined;
		data.resultData.runData[node.name].pop();
		const surroundings = {
			...additionalData,
			httpRequest,
			httpResponse: response,
		} as unknown as IWorkflowExecuteAdditionalData;
		const about = {} as IWebhookData;
		const context = new WebhookContext(workflow, node, surroundings, 'trigger', about, [], data);
		const { webhook } = workflow.nodeTypes.getByNameAndVersion(node.type) as INodeType;
		const taken = await webhook?.call(context);
		if (!taken || taken.noWebhookResponse) return response.written;
		// Of two calls that came at once, n8n goes on with one.
		if (taken.workflowData && saved.status !== 'waiting') return answer(500);
		if (taken.workflowData) this.resume(id, saved, data, taken.workflowData);
		return answer(200, String(taken.webhookResponse));
	}

	/** What n8n does at the time limit (WaitTracker): the node hands on what it got. */
	endWait(id: string): void {
		const saved = this.saved.get(id);
		if (saved?.status !== 'waiting') throw new Error(`${id} is not asleep`);
		this.goOn(id, saved, parse(saved.data) as IRunExecutionData);
	}

	private resume(
		id: string,
		saved: Saved,
		data: IRunExecutionData,
		items: NonNullable<IWebhookResponseData['workflowData']>,
	): void {
		const [next] = data.executionData?.nodeExecutionStack ?? [];
		next.node.disabled = true;
		next.data.main = items;
		next.metadata = { ...next.metadata, forwardAllOutputs: true } as IDataObject;
		this.goOn(id, saved, data);
	}

	private goOn(id: string, saved: Saved, data: IRunExecutionData): void {
		saved.status = 'running';
		const { workflow, additionalData } = prepareExecution(saved.underTest, saved.options);
		void new WorkflowExecute(additionalData, 'trigger', data)
			.processRunExecutionData(workflow)
			.then((run) => this.save(id, run, saved.underTest, saved.options));
	}
}

/** For all tests of a file, emptied and at another address before each. */
export function useWaitingN8n(): WaitingN8n {
	const n8n = new WaitingN8n();
	beforeEach(async () => await n8n.start());
	afterEach(async () => await n8n.close());
	return n8n;
}
