import type { INodeExecutionData } from 'n8n-workflow';
import { createContestant, type Bench, type Run } from './contestant';
import { runInTurn, type Row, type Rounds } from './measure';
import { createItems, editFields, httpPages, httpSend, mappedFields, ourNode } from './nodes';

async function runAll(bench: Bench, runs: Run[]): Promise<Rounds> {
	const contestants = runs.map(async (run) => await createContestant(bench, run));
	return await runInTurn(await Promise.all(contestants), bench.rounds);
}

/** Many messages with different texts, next to single sends, and to three fields that n8n sets. */
export async function contestBulk(bench: Bench): Promise<Row[]> {
	const { credential, sandbox, items: count } = bench;
	const all = { items: createItems(count), itemsOut: count };
	const [bulk, http, edit] = ['SMS Bulk Send', 'HTTP Request', 'Edit Fields'].map(
		(name) => `${name}, ${count} messages`,
	);
	const { baseUrl } = sandbox.credential;
	const rounds = await runAll(bench, [
		{
			...{ name: bulk, path: '/api/rest/send/bulk', ...all },
			node: ourNode('smsBulkSend', credential, mappedFields),
		},
		{ name: http, path: '/api/rest/send', node: httpSend(credential, baseUrl, 5), ...all },
		{ name: edit, node: editFields(), ...all },
	]);
	return [rounds.compare(bulk, http), rounds.compare(bulk, edit)];
}

/** Single messages with a bound on the requests in flight. */
export async function contestSend(bench: Bench): Promise<Row[]> {
	const { credential, sandbox } = bench;
	const count = Math.max(10, Math.round(bench.items / 10));
	const all = { items: createItems(count), itemsOut: count, path: '/api/rest/send' };
	const { baseUrl } = sandbox.credential;
	const pairs = [5, 20].map((parallel) => {
		const options = { parallelRequests: parallel };
		const ours = {
			name: `SMS Send, ${parallel} parallel requests, ${count} messages`,
			node: ourNode('smsSend', credential, { ...mappedFields, options }),
		};
		const http = {
			name: `HTTP Request, batches of ${parallel}`,
			node: httpSend(credential, baseUrl, parallel),
		};
		return [ours, http];
	});
	const rounds = await runAll(
		bench,
		pairs.flat().map((one) => ({ ...one, ...all })),
	);
	return pairs.map(([ours, http]) => rounds.compare(ours.name, http.name));
}

/** More pages than this are extrapolated. */
const mostPages = 100;

/** All of a long history. */
export async function contestHistory(bench: Bench): Promise<Row[]> {
	const { credential, sandbox } = bench;
	const records = bench.items * 5;
	const allPages = Math.ceil(records / 100);
	const somePages = Math.min(allPages, mostPages);
	const ours = `SMS History, Return All, ${records} records`;
	const pages = 'HTTP Request, pages of 100 in turn';
	const all = { items: [{}], seed: records, path: '/api/rest/messages' };
	/** Every message, and none twice. */
	const check = async (items: INodeExecutionData[]) => {
		const read = new Set(items.map(({ json }) => json.messageId));
		const missing = (await sandbox.messages()).filter(({ messageId }) => !read.has(messageId));
		const repeated = items.length - read.size;
		if (missing.length === 0 && repeated === 0) return;
		throw new Error(`${ours}: ${missing.length} are missing, ${repeated} came twice.`);
	};
	const rounds = await runAll(bench, [
		{
			...{ name: ours, itemsOut: records, check, ...all },
			node: ourNode('smsHistory', credential, { returnAll: true }),
		},
		{
			...{ name: pages, itemsOut: somePages, share: allPages / somePages, ...all },
			node: httpPages(credential, sandbox.credential.baseUrl, somePages),
		},
	]);
	return [rounds.compare(ours, pages)];
}
