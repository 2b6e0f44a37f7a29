import {
	formatSeconds,
	medianMs,
	runInTurn,
	worstTraffic,
	type Row,
	type Rounds,
} from '../measure';
import { createItems, editFields, httpSend, mappedFields, ourNode } from '../nodes';
import { createContestant, idealMs, type Run, type Bench } from '../contestant';
import { createPlainSender } from '../plainSender';

const parallels = [5, 20, 50];
const reading = 'Edit Fields, 3 fields mapped';
const sendName = (parallel: number) => `SMS Send, ${parallel} parallel requests`;
const plainName = (parallel: number) => `Plain Node program, ${parallel} parallel requests`;
const httpName = (batchSize: number) => `HTTP Request, batches of ${batchSize}`;

function planRuns({ credential, sandbox }: Bench, count: number): Run[] {
	const all = { items: createItems(count), itemsOut: count };
	const { baseUrl } = sandbox.credential;
	return [
		{ name: reading, nodes: [editFields(mappedFields)], ...all },
		...parallels.flatMap((parallel) => {
			const parameters = { ...mappedFields, options: { parallelRequests: parallel } };
			const batching = { batchSize: parallel, batchInterval: 0 };
			return [
				{
					name: sendName(parallel),
					nodes: [ourNode('smsSend', credential, parameters)],
					...all,
				},
				{
					name: httpName(parallel),
					nodes: [httpSend(credential, baseUrl, batching)],
					...all,
				},
			];
		}),
	];
}

function toRow(rounds: Rounds, name: string, count: number, parallel: number): Row {
	const ideal = idealMs(count, parallel);
	const ms = medianMs(rounds, name);
	return {
		work: `${name}, ${count} messages`,
		measured: formatSeconds(ms),
		comparedTo: `${count} / ${parallel} x latency (${formatSeconds(ideal)})`,
		ratio: ms / ideal,
		...worstTraffic(rounds, name),
	};
}

/** Single messages with a bound on the requests in flight. */
export async function contestSend(bench: Bench): Promise<Row[]> {
	const count = Math.max(10, Math.round(bench.items / 10));
	const contestants = await Promise.all(
		planRuns(bench, count).map(async (run) => await createContestant(bench, run)),
	);
	for (const parallel of parallels) {
		contestants.push(createPlainSender(bench, plainName(parallel), count, parallel));
	}
	const rounds = await runInTurn(contestants, bench.rounds);
	return parallels.flatMap((parallel) => {
		const allowed = 1.15 + medianMs(rounds, reading) / idealMs(count, parallel);
		return [
			{
				...toRow(rounds, sendName(parallel), count, parallel),
				// With the time that n8n needs to read the same three fields of the same items.
				reach: { atMost: allowed },
			},
			toRow(rounds, plainName(parallel), count, parallel),
			toRow(rounds, httpName(parallel), count, parallel),
		];
	});
}
