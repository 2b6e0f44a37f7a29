import {
	compare,
	formatSeconds,
	medianMs,
	runInTurn,
	type Contestant,
	type Row,
	type Rounds,
} from '../measure';
import {
	computedFields,
	createItems,
	editFields,
	httpSend,
	loopOverItems,
	mappedFields,
	noOperation,
	ourNode,
} from '../nodes';
import { bulkBound, createContestant, idealBulkMs, type Bench } from '../contestant';

const bulk = 'SMS Bulk Send, fields mapped';
const computed = 'SMS Bulk Send, fields computed';
const edit = 'Edit Fields, 3 fields mapped';
const editComputed = 'Edit Fields, 3 fields computed';
const handingOver = 'No Operation';
const http = 'HTTP Request, single sends, batches of 5';
const loop = 'Loop Over Items with HTTP Request';

/** One item after the other, back to the loop each time. */
const loopConnections = {
	'Loop Over Items': { main: [[], [{ node: 'HTTP Request', type: 'main' as const, index: 0 }]] },
	'HTTP Request': { main: [[{ node: 'Loop Over Items', type: 'main' as const, index: 0 }]] },
};

async function createContestants(bench: Bench): Promise<Contestant[]> {
	const { credential, items: count, sandbox } = bench;
	const { baseUrl } = sandbox.credential;
	const items = createItems(count);
	const all = { items, itemsOut: count };
	const inLoop = Math.max(10, Math.round(count / 200));
	const runs = [
		{ name: bulk, nodes: [ourNode('smsBulkSend', credential, mappedFields)], ...all },
		{ name: edit, nodes: [editFields(mappedFields)], ...all },
		{ name: handingOver, nodes: [noOperation], ...all },
		{ name: computed, nodes: [ourNode('smsBulkSend', credential, computedFields)], ...all },
		{ name: editComputed, nodes: [editFields(computedFields)], ...all },
		{
			name: http,
			nodes: [httpSend(credential, baseUrl, { batchSize: 5, batchInterval: 0 })],
			...all,
		},
		{
			name: loop,
			nodes: [loopOverItems, httpSend(credential, baseUrl)],
			connections: loopConnections,
			items: items.slice(0, inLoop),
			itemsOut: inLoop,
			share: count / inLoop,
		},
	];
	return await Promise.all(runs.map(async (run) => await createContestant(bench, run)));
}

/** Next to the time of the requests themselves, with the allowed number in flight. */
function toIdealRow(rounds: Rounds, count: number): Row {
	const ideal = idealBulkMs(count);
	const ms = medianMs(rounds, bulk);
	return {
		work: `${bulk}, ${count} messages`,
		measured: formatSeconds(ms),
		comparedTo: `requests / 5 x latency (${formatSeconds(ideal)})`,
		ratio: ms / ideal,
		reach: { atMost: bulkBound(count, medianMs(rounds, handingOver)) },
	};
}

/** Many messages with different texts. */
export async function contestBulk(bench: Bench): Promise<Row[]> {
	const rounds = await runInTurn(await createContestants(bench), bench.rounds);
	const of = `${bench.items} messages`;
	return [
		compare(rounds, bulk, edit, { work: `${bulk}, ${of}`, reach: { atMost: 0.25 } }),
		toIdealRow(rounds, bench.items),
		compare(rounds, computed, editComputed, { work: `${computed}, ${of}`, reach: { atMost: 1.1 } }),
		compare(rounds, http, edit, { work: `${http}, ${of}` }),
		compare(rounds, loop, edit, { work: `${loop}, ${of} (extrapolated)` }),
	];
}
