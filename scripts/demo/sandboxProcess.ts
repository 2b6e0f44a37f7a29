import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient } from '../http';
import { projectFolder, stateFolder } from '../n8n/paths';
import { startSupervised, type SupervisedProcess } from '../n8n/supervisedProcess';
import { until } from '../n8n/until';

export const demoKey = { apiKey: 'demo-key', apiSecret: 'demo-secret' };

export interface SandboxProcess extends SupervisedProcess {
	/** Its own pages: `http://localhost:4010/_sandbox`. */
	pageUrl: string;
	/** What goes into the credential: `http://localhost:4010/api`. */
	baseUrl: string;
}

interface SandboxOptions {
	host: 'localhost' | '127.0.0.1';
	port: number;
	key: typeof demoKey;
	/** More of its options. */
	args: string[];
	logFile: string;
}

/** Starts the sandbox in a process of its own, and waits until it answers. */
export async function startSandboxProcess(options: SandboxOptions): Promise<SandboxProcess> {
	const { host, port, key, logFile } = options;
	const url = `http://${host}:${port}`;
	const args = [
		...['--import', 'tsx', join(projectFolder, 'sandbox/main.ts')],
		...['--port', String(port), ...options.args],
		...['--api-key', key.apiKey, '--api-secret', key.apiSecret],
	];
	const program = startSupervised({ args, env: process.env, logFile });
	let hasEnded = false;
	void program.ended.then(() => (hasEnded = true));
	const isLive = async () => {
		if (hasEnded) throw new Error(`The sandbox did not start:\n${program.log()}`);
		const answer = await httpClient.get(`${url}/_sandbox/livez`).catch(() => undefined);
		return answer && true;
	};
	await until(isLive, { what: 'the sandbox to answer', timeoutMs: 60_000, everyMs: 100 });
	return { ...program, pageUrl: `${url}/_sandbox`, baseUrl: `${url}/api` };
}

/** Registered for the demo's account, which rejects others as the service does. */
export const demoSenders = ['MyShop', 'MyShopInfo', 'MyShopSale'] as const;

const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;
const yangonOffsetMs = 390 * minuteMs;

const [shop, info, sale] = demoSenders;
const texts: Array<[from: string, text: (order: number) => string]> = [
	[shop, (order) => `Your order ${order} is on its way.`],
	[shop, (order) => `Your order ${order} is ready. We are open until 18:00.`],
	[info, (order) => `Reminder: we deliver order ${order} tomorrow between 9:00 and 12:00.`],
	[shop, (order) => `သင့်အော်ဒါ ${order} ကို ပို့ပေးလိုက်ပါပြီ။`],
	[sale, () => 'This week: 20 % off all tea. Show this message in the shop.'],
];

function statusOf(index: number): string {
	if (index % 9 === 4) return 'Failed';
	if (index % 14 === 6) return 'Undelivered';
	return index % 31 === 11 ? 'Expired' : 'Delivered';
}

const isDaytime = (ms: number) => {
	const hour = ((ms + yangonOffsetMs) % dayMs) / (60 * minuteMs);
	return hour >= 8 && hour < 20;
};

/**
 * What the shop of the demo sent in the seven days before: to invented numbers, about 20 a day, oldest first. As the
 * sandbox takes messages from a seed file.
 */
export function listFirstWeek(now: number) {
	const every = 35 * minuteMs;
	const moments = Array.from(
		{ length: Math.floor((7 * dayMs) / every) },
		(_, n) => now - n * every,
	);
	return moments
		.filter(isDaytime)
		.reverse()
		.map((createdAtMs, index) => {
			const [from, text] = texts[(index * 7) % texts.length];
			return {
				to: `0979100${String(1000 + ((index * 37) % 997))}`,
				message: text(2001 + index),
				from,
				clientReference: `demo-${2001 + index}`,
				status: statusOf(index),
				createdAtMs,
			};
		});
}

/** The sandbox of `npm start`: it starts with the messages of a week. */
export async function startDemoSandbox(
	port: number,
	folder = stateFolder,
): Promise<SandboxProcess> {
	const firstWeek = join(folder, 'first-week.json');
	const messages = listFirstWeek(Date.now());
	writeFileSync(firstWeek, JSON.stringify({ messages }), { mode: 0o600 });
	return await startSandboxProcess({
		host: 'localhost',
		port,
		key: demoKey,
		args: [...['--seed', firstWeek], ...['--set', `knownSenders=${JSON.stringify(demoSenders)}`]],
		logFile: join(folder, 'logs', 'sandbox.log'),
	});
}

/** The URL that gets the receipts of every message sent without a receipt URL of its own. */
export async function setDefaultReceiptUrl(
	sandbox: SandboxProcess,
	defaultReceiptUrl: string,
): Promise<void> {
	const url = `${sandbox.pageUrl}/api/settings`;
	await httpClient.put(url, { defaultReceiptUrl });
}
