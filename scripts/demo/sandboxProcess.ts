import { httpClient } from '../http';
import { join } from 'node:path';
import { projectFolder, stateFolder } from '../n8n/paths';
import { startSupervised, type SupervisedProcess } from '../n8n/supervisedProcess';
import { until } from '../n8n/until';
import { demoSenders, writeFirstWeek } from './firstWeek';

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

/** The sandbox of `npm start`: it keeps its messages over restarts, and starts with those of a week. */
export async function startDemoSandbox(
	port: number,
	folder = stateFolder,
): Promise<SandboxProcess> {
	const firstWeek = join(folder, 'first-week.json');
	writeFirstWeek(firstWeek);
	return await startSandboxProcess({
		host: 'localhost',
		port,
		key: demoKey,
		args: [
			...['--data', join(folder, 'sandbox-data'), '--seed', firstWeek],
			...['--set', `knownSenders=${JSON.stringify(demoSenders)}`],
		],
		logFile: join(folder, 'logs', 'sandbox.log'),
	});
}

/** What the sandbox charges for a message part within the country. */
export async function readPricePerPart({ pageUrl }: SandboxProcess): Promise<number> {
	const { data } = await httpClient.get<{ prices: { domestic: number } }>(
		`${pageUrl}/api/settings`,
		{},
	);
	return data.prices.domestic;
}

/** The URL that gets the receipts of every message sent without a receipt URL of its own. */
export async function setDefaultReceiptUrl(
	sandbox: SandboxProcess,
	defaultReceiptUrl: string,
): Promise<void> {
	const url = `${sandbox.pageUrl}/api/settings`;
	await httpClient.put(url, { defaultReceiptUrl });
}
