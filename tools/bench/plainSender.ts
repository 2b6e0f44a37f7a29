import { Agent, request } from 'node:http';
import type { Contestant } from './measure';
import { createItems } from './nodes';
import type { Bench } from './contestant';

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
export function createPlainSender(
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
			const begin = performance.now();
			let next = 0;
			const sendInTurn = async () => {
				while (next < count)
					await post(`${credential.baseUrl}/rest/send`, authorization, bodies[next++]);
			};
			await Promise.all(Array.from({ length: parallel }, sendInTurn));
			const ms = performance.now() - begin;
			const { requests, peakInFlight } = await sandbox.stats();
			return { ms, requests, peakInFlight };
		},
	};
}
