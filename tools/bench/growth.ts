import type { OwnN8n } from '../harness';
import { createItems, editFields, mappedFields, noOperation, ourNode } from './nodes';
import { createContestant, type Bench } from './contestant';
import { readMetric } from './calls';

/** What a number of items costs, for the node and for Edit Fields over the same items. */
export interface Growth {
	items: number;
	costs: Array<{
		name: string;
		ms: number;
		/** Resident memory of the n8n process in MB: after its start, and the highest during the run. */
		memoryBefore: number;
		memoryAtMost: number;
	}>;
}

export const bulkName = 'SMS Bulk Send';

/** Seldom: n8n works on the answer in the same thread as on the node. */
const sampleEveryMs = 1_000;

/** Resident memory in MB. */
async function readMemory({ api }: Bench): Promise<number> {
	return (await readMetric(api.url, 'n8n_process_resident_memory_bytes')) / 1e6;
}

async function watchMemory<T>(
	bench: Bench,
	work: Promise<T>,
): Promise<{ result: T; atMost: number }> {
	let hasEnded = false;
	let atMost = 0;
	const watch = async () => {
		while (!hasEnded) {
			// A sample that n8n is too busy to give may be missing.
			atMost = Math.max(atMost, await readMemory(bench).catch(() => 0));
			await new Promise((resolve) => setTimeout(resolve, sampleEveryMs));
		}
	};
	const watching = watch();
	const result = await work.finally(() => (hasEnded = true));
	await watching;
	return { result, atMost };
}

/** Every size in an n8n that has just been started, so that none sees the memory of another. */
export async function measureGrowth(bench: Bench, n8n: OwnN8n): Promise<Growth[]> {
	const bulkSend = ourNode('smsBulkSend', bench.credential, mappedFields);
	const nodes = [{ ...bulkSend, name: bulkName }, editFields(mappedFields), noOperation];
	const growth: Growth[] = [];
	for (const count of [bench.items / 10, bench.items, bench.items * 5, bench.items * 10].map(
		Math.round,
	)) {
		const costs: Growth['costs'] = [];
		for (const node of nodes) {
			const items = createItems(count);
			const run = { name: `${node.name}, ${count} items`, nodes: [node], items, itemsOut: count };
			const contestant = await createContestant(bench, run);
			await n8n.restart();
			const memoryBefore = await readMemory(bench);
			const { result, atMost } = await watchMemory(bench, contestant.run());
			costs.push({ name: node.name, ms: result.ms, memoryBefore, memoryAtMost: atMost });
		}
		growth.push({ items: count, costs });
	}
	return growth;
}
