import { randomUUID } from 'node:crypto';
import type { AxiosInstance } from '../../scripts/http';
import { callWebhook, completeNode, connectInLine, type NodeUnderTest } from '../harness';
import { makeCalls, waitForExecutions } from './calls';
import { runInTurn, type Contestant, type Row } from './measure';
import type { Bench } from './contestant';

const trigger = 'SMS Delivery Receipt Trigger';
const webhook = 'Webhook';

export interface Receiver {
	name: string;
	node: NodeUnderTest;
	/** Behind /webhook/ */
	path: string;
}

export function ourReceiver(name: string): Receiver {
	const webhookId = randomUUID();
	const node = { name, type: 'smsReceiptTrigger', typeVersion: 2, webhookId };
	return { name, path: `${webhookId}/webhook`, node };
}

function planReceivers(): Receiver[] {
	const theirs = randomUUID();
	return [
		ourReceiver(trigger),
		{
			name: webhook,
			path: theirs,
			node: {
				name: webhook,
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				webhookId: theirs,
				parameters: { httpMethod: 'POST', path: theirs, options: { responseData: 'OK' } },
			},
		},
	];
}

function toReceipt(index: number): string {
	// One of its own in every round: a receipt that comes again starts nothing.
	const messageId = randomUUID();
	return new URLSearchParams({
		messageId,
		to: '959771234567',
		clientReference: `order-${index}`,
		status: 'Delivered',
		updatedAt: '2026-11-20 10:00:00',
		finishedAt: '2026-11-20 10:00:00',
	}).toString();
}

/** Posts receipts and waits for every answer. @returns milliseconds */
export async function postReceipts(url: string, count: number): Promise<number> {
	const post = async (http: AxiosInstance, index: number) => {
		const { data } = await http.post(url, toReceipt(index));
		if (data !== 'OK') throw new Error(`${url} answered ${JSON.stringify(data)}`);
	};
	return await makeCalls(count, post);
}

/** Publishes a workflow with nothing but a receiver and a step behind it. @returns its id */
export async function publishReceiver(bench: Bench, receiver: Receiver): Promise<string> {
	const { api } = bench;
	const { name, node, path } = receiver;
	const nodes = [node, { name: 'Next', type: 'n8n-nodes-base.noOp' }].map(completeNode);
	const connections = connectInLine([name, 'Next']);
	const { id } = await api.createWorkflow({ name: `bench ${name}`, nodes, connections });
	await api.activate(id);
	await callWebhook(api, path, { query: { messageId: '1', status: 'Delivered' } });
	bench.endings.push(async () => await api.deactivate(id));
	return id;
}

/** Receipts for a workflow, with executions saved as n8n does it on its own. */
export async function contestReceipts(bench: Bench): Promise<Row[]> {
	const { api, items, rounds, report } = bench;
	const count = Math.max(20, Math.round(items / 20));
	const create = async (receiver: Receiver): Promise<Contestant> => {
		const { name, path } = receiver;
		const id = await publishReceiver(bench, receiver);
		const run = async () => {
			report(name);
			const ms = await postReceipts(`${api.url}/webhook/${path}`, count);
			await waitForExecutions(api, id);
			return { ms };
		};
		return { name, run };
	};
	const contestants = await Promise.all(planReceivers().map(create));
	// A short race with much else going on in n8n: more rounds than elsewhere.
	const measured = await runInTurn(contestants, rounds * 2);
	const perSecond = (ms: number) => `${((count / ms) * 1000).toFixed(0)} per second`;
	return [measured.compare(trigger, webhook, perSecond)];
}
