import { setTimeout as pause } from 'node:timers/promises';
import type { INodeExecutionData } from 'n8n-workflow';
import {
	compare,
	formatSeconds,
	medianMs,
	medianRatio,
	runInTurn,
	type Contestant,
	type Row,
} from '../measure';
import { httpPages, ourNode } from '../nodes';
import { createContestant, type Bench } from '../contestant';

const ours = 'SMS History, Return All';
const busy = 'SMS History, Return All, while messages come in front';
const pages = 'HTTP Request, pages of 100 in turn';

/** More pages than this are extrapolated. */
const mostPages = 100;

/** Somebody else sends a message every few milliseconds. */
async function keepSending({ sandbox }: Bench, hasEnded: () => boolean): Promise<void> {
	for (let sent = 0; !hasEnded(); sent += 1) {
		await sandbox.send(`0979${1_000_000 + sent}`);
		await pause(5);
	}
}

/** Every message that was there at the beginning, and no message twice. */
async function checkIsWhole(
	{ sandbox }: Bench,
	count: number,
	items: INodeExecutionData[],
): Promise<void> {
	const read = new Set(items.map(({ json }) => json.messageId));
	const seeded = (await sandbox.messages()).slice(0, count);
	const missing = seeded.filter(({ messageId }) => !read.has(messageId)).length;
	const repeated = items.length - read.size;
	if (missing > 0 || repeated > 0) {
		throw new Error(`${busy}: ${missing} records are missing, ${repeated} came twice.`);
	}
}

async function createContestants(bench: Bench, records: number): Promise<Contestant[]> {
	const { credential, sandbox } = bench;
	const allPages = Math.ceil(records / 100);
	const somePages = Math.min(allPages, mostPages);
	const node = ourNode('smsHistory', credential, { returnAll: true });
	const all = { items: [{}], seed: records, path: '/api/rest/messages' };
	return await Promise.all([
		createContestant(bench, {
			name: ours,
			nodes: [node],
			itemsOut: records,
			check: async (items) => await checkIsWhole(bench, records, items),
			...all,
		}),
		createContestant(bench, {
			name: pages,
			nodes: [httpPages(credential, sandbox.credential.baseUrl, somePages)],
			itemsOut: somePages,
			share: allPages / somePages,
			...all,
		}),
		createContestant(bench, {
			name: busy,
			nodes: [node],
			check: async (items) => await checkIsWhole(bench, records, items),
			meanwhile: async (hasEnded) => await keepSending(bench, hasEnded),
			...all,
		}),
	]);
}

/** All of a long history. The ratio says how many times as fast it is as pages of 100 in turn. */
export async function contestHistory(bench: Bench): Promise<Row[]> {
	const records = bench.items * 5;
	const rounds = await runInTurn(await createContestants(bench, records), bench.rounds);
	const isWhole = records <= mostPages * 100;
	const time = `${formatSeconds(medianMs(rounds, pages))}${isWhole ? '' : ', extrapolated'}`;
	const rival = `${pages} (${time})`;
	return [ours, busy].map((name) =>
		compare(rounds, name, pages, {
			work: `${name}, ${records} records`,
			comparedTo: `${rival}: times as fast`,
			ratio: 1 / medianRatio(rounds, name, pages),
			reach: { atLeast: 20 },
		}),
	);
}
