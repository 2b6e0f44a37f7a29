import { randomUUID } from 'node:crypto';
import type { AxiosInstance } from '../../../scripts/http';
import { callWebhook, completeNode, connectInLine, type NodeUnderTest } from '../../harness';
import { makeCalls, waitForExecutions } from '../calls';
import { medianMs, medianRatio, runInTurn, type Contestant, type Row } from '../measure';
import type { Bench } from '../contestant';

const trigger = 'SMS Delivery Receipt Trigger';
const webhook = 'Webhook';

/** Receipts that come one by one, each after the response to the one before. */
const lone = 30;
const alone = (name: string) => `${name}, one by one`;

export interface Receiver {
	name: string;
	node: NodeUnderTest;
	/** Behind /webhook/ */
	path: string;
}

export function ourReceiver(name: string): Receiver {
	const webhookId = randomUUID();
	const node = { name, type: 'smsReceiptTrigger', typeVersion: 2, webhookId };
	return {
		name,
		path: `${webhookId}/webhook`,
		node,
	};
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
export async function postReceipts(
	url: string,
	count: number,
	callsAtOnce?: number,
): Promise<number> {
	const post = async (http: AxiosInstance, index: number) => {
		const { data } = await http.post(url, toReceipt(index));
		if (data !== 'OK') throw new Error(`${url} answered ${JSON.stringify(data)}`);
	};
	return await makeCalls(count, post, callsAtOnce);
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

/** One that gets many receipts at once, and one that gets them one by one. */
async function createContestants(
	bench: Bench,
	receiver: Receiver,
	count: number,
): Promise<Contestant[]> {
	const { api } = bench;
	const id = await publishReceiver(bench, receiver);
	const create = (name: string, receipts: number, callsAtOnce?: number): Contestant => ({
		name,
		run: async () => {
			bench.report(name);
			const ms = await postReceipts(`${api.url}/webhook/${receiver.path}`, receipts, callsAtOnce);
			await waitForExecutions(api, id);
			return { ms };
		},
	});
	return [create(receiver.name, count), create(alone(receiver.name), lone, 1)];
}

/** Receipts for a workflow, with executions saved as n8n does it on its own. */
export async function contestReceipts(bench: Bench): Promise<Row[]> {
	const count = Math.max(20, Math.round(bench.items / 20));
	const contestants = await Promise.all(
		planReceivers().map(async (receiver) => await createContestants(bench, receiver, count)),
	);
	// A short race with much else going on in n8n: more rounds than elsewhere.
	const rounds = await runInTurn(contestants.flat(), bench.rounds * 2);
	const perSecond = (name: string) => ((count / medianMs(rounds, name)) * 1000).toFixed(0);
	const answer = (name: string) => `${(medianMs(rounds, alone(name)) / lone).toFixed(0)} ms`;
	return [
		{
			work: `${trigger}, ${count} receipts`,
			measured: `${perSecond(trigger)} per second`,
			comparedTo: `n8n's Webhook node (${perSecond(webhook)} per second)`,
			ratio: 1 / medianRatio(rounds, trigger, webhook),
			reach: { atLeast: 0.95 },
		},
		{
			work: alone(trigger),
			measured: answer(trigger),
			comparedTo: `n8n's Webhook node (${answer(webhook)})`,
			ratio: medianRatio(rounds, alone(trigger), alone(webhook)),
		},
	];
}
