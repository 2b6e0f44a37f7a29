import { Agent, request } from 'node:http';
import { makeCalls } from '../calls';
import {
	compare,
	formatSeconds,
	medianMs,
	runInTurn,
	worstTraffic,
	type Contestant,
	type Row,
	type Rounds,
} from '../measure';
import { createItems, httpHelper, httpSend, mappedFields, ourNode } from '../nodes';
import { createContestant, idealMs, type Run, type Bench } from '../contestant';

const parallels = [5, 20, 50];
const sendName = (parallel: number) => `SMS Send, ${parallel} parallel requests`;
const helperName = (parallel: number) => `n8n's HTTP helper, ${parallel} parallel requests`;
const plainName = (parallel: number) => `Plain Node program, ${parallel} parallel requests`;
const httpName = (batchSize: number) => `HTTP Request, batches of ${batchSize}`;

/** One request on a connection of its own, as n8n does it. */
async function post(url: string, authorization: string, body: string): Promise<void> {
	const headers = {
		authorization,
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	};
	await new Promise<void>((resolve, reject) => {
		const sending = request(url, { method: 'POST', agent: new Agent(), headers }, (answer) => {
			answer.resume().once('end', resolve).once('error', reject);
		});
		sending.once('error', reject).end(body);
	});
}

/** The same requests from a program that does nothing else: what the machine allows at this moment. */
function createPlainSender(
	{ sandbox, report }: Bench,
	name: string,
	count: number,
	parallel: number,
): Contestant {
	const { authorization, credential } = sandbox;
	const bodies = createItems(count).map(({ to, message, from }) =>
		JSON.stringify({ to, message, from }),
	);
	return {
		name,
		run: async () => {
			report(name);
			await sandbox.prepare();
			const url = `${credential.baseUrl}/rest/send`;
			const send = async (_: unknown, index: number) =>
				await post(url, authorization, bodies[index]);
			const ms = await makeCalls(count, send, parallel);
			const { requests, peakInFlight } = await sandbox.stats();
			return { ms, requests, peakInFlight };
		},
	};
}

function planRuns({ credential, sandbox, hasHttpHelper }: Bench, count: number): Run[] {
	const all = { items: createItems(count), itemsOut: count };
	const { baseUrl } = sandbox.credential;
	return [
		...parallels.flatMap((parallel) => {
			const parameters = { ...mappedFields, options: { parallelRequests: parallel } };
			const batching = { batchSize: parallel, batchInterval: 0 };
			return [
				{
					name: sendName(parallel),
					nodes: [ourNode('smsSend', credential, parameters)],
					...all,
				},
				...(hasHttpHelper
					? [{ name: helperName(parallel), nodes: [httpHelper(credential, parallel)], ...all }]
					: []),
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

/** Next to one who sends the same, and does nothing else: n8n's HTTP helper, or a program without n8n. */
function toRivalRow(rounds: Rounds, rival: string, count: number, parallel: number): Row {
	const name = sendName(parallel);
	return compare(rounds, name, rival, {
		work: `${name}, ${count} messages`,
		reach: { atMost: 1.1 },
	});
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
	return parallels.flatMap((parallel) => [
		toRivalRow(rounds, plainName(parallel), count, parallel),
		...(bench.hasHttpHelper ? [toRivalRow(rounds, helperName(parallel), count, parallel)] : []),
		toRow(rounds, plainName(parallel), count, parallel),
		toRow(rounds, httpName(parallel), count, parallel),
	]);
}
