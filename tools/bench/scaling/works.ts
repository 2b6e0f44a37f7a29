import type { IDataObject } from 'n8n-workflow';
import { callWebhook, createWorkflow, type NodeUnderTest } from '../../harness';
import { makeCalls, waitForExecutions } from '../calls';
import type { Bench } from '../contestant';
import { ourReceiver, postReceipts, publishReceiver } from '../receipts';
import { createItems, mappedFields, ourNode } from '../nodes';

/** Something that n8n is given to do, and of which it does so many a second. */
export interface Work {
	name: string;
	/** Messages or receipts of one run. */
	count: number;
	/** Runs it until n8n has ended and saved all of it. @returns milliseconds */
	run(): Promise<number>;
}

interface Plan {
	name: string;
	node: NodeUnderTest;
	executions: number;
	itemsOfEach: number;
}

/** Each call starts an execution of the node with so many items. */
async function planItems(bench: Bench, webhookUrl: string, plan: Plan): Promise<Work> {
	const { api, sandbox } = bench;
	const { name, node, executions, itemsOfEach } = plan;
	const count = executions * itemsOfEach;
	const { workflowId, path } = await createWorkflow(api, [node]);
	await api.activate(workflowId);
	await callWebhook(api, path, { body: { items: [] } });
	bench.endings.push(async () => await api.deactivate(workflowId));
	const items: IDataObject[] = createItems(count);
	const url = `${webhookUrl}/webhook/${path}`;
	return {
		name,
		count,
		run: async () => {
			await sandbox.prepare();
			const begin = performance.now();
			await makeCalls(executions, async (http, index) => {
				const part = items.slice(index * itemsOfEach, (index + 1) * itemsOfEach);
				await http.post(url, { items: part });
			});
			await waitForExecutions(api, workflowId);
			const ms = performance.now() - begin;
			const sent = (await sandbox.messages()).length;
			if (sent !== count) throw new Error(`${name}: ${sent} messages, and not ${count}.`);
			return ms;
		},
	};
}

async function planReceipts(bench: Bench, webhookUrl: string, count: number): Promise<Work> {
	const receiver = ourReceiver('Receipts');
	const id = await publishReceiver(bench, receiver);
	const url = `${webhookUrl}/webhook/${receiver.path}`;
	return {
		name: receiver.name,
		count,
		run: async () => {
			const begin = performance.now();
			await postReceipts(url, count);
			await waitForExecutions(bench.api, id);
			return performance.now() - begin;
		},
	};
}

/** Publishes the workflows of all works. */
export async function planWorks(bench: Bench, webhookUrl: string): Promise<Work[]> {
	const { credential, items } = bench;
	const part = (share: number) => Math.max(20, Math.round(items * share));
	const parameters = { ...mappedFields, options: {} };
	return [
		await planItems(bench, webhookUrl, {
			...{ executions: part(0.05), itemsOfEach: 1 },
			name: 'SMS Send, one message in each execution',
			node: ourNode('smsSend', credential, parameters),
		}),
		await planItems(bench, webhookUrl, {
			name: `SMS Bulk Send, ${part(0.1)} messages in each execution`,
			node: ourNode('smsBulkSend', credential, parameters),
			executions: 40,
			itemsOfEach: part(0.1),
		}),
		await planReceipts(bench, webhookUrl, part(0.1)),
	];
}
