import axios from 'axios';
import { join } from 'node:path';
import { logFolder, projectFolder, stateFolder } from '../n8n/paths';
import { startSupervised, type SupervisedProcess } from '../n8n/supervisedProcess';
import { until } from '../n8n/until';

export const demoKey = { apiKey: 'demo-key', apiSecret: 'demo-secret' };

export interface SandboxProcess extends SupervisedProcess {
	/** Its own pages: `http://localhost:4010/_sandbox`. */
	pageUrl: string;
	/** What goes into the credential: `http://localhost:4010/api`. */
	baseUrl: string;
}

/** Starts the sandbox, which keeps its messages over restarts, and waits until it answers. */
export async function startSandboxProcess(port: number): Promise<SandboxProcess> {
	const url = `http://localhost:${port}`;
	const args = [
		...['--import', 'tsx', join(projectFolder, 'sandbox/main.ts')],
		...['--port', String(port), '--data', join(stateFolder, 'sandbox.json')],
		...['--api-key', demoKey.apiKey, '--api-secret', demoKey.apiSecret],
	];
	const logFile = join(logFolder, 'sandbox.log');
	const program = startSupervised({ args, env: process.env, logFile });
	let hasEnded = false;
	void program.ended.then(() => (hasEnded = true));
	const isLive = async () => {
		if (hasEnded) throw new Error(`The sandbox did not start:\n${program.log()}`);
		const answer = await axios
			.get(`${url}/_sandbox/livez`, { proxy: false })
			.catch(() => undefined);
		return answer && true;
	};
	await until(isLive, { what: 'the sandbox to answer', timeoutMs: 60_000, everyMs: 100 });
	return { ...program, pageUrl: `${url}/_sandbox`, baseUrl: `${url}/api` };
}

/** The URL that gets the receipts of every message sent without a receipt URL of its own. */
export async function setDefaultReceiptUrl(
	sandbox: SandboxProcess,
	defaultReceiptUrl: string,
): Promise<void> {
	const url = `${sandbox.pageUrl}/api/settings`;
	await axios.put(url, { defaultReceiptUrl }, { proxy: false });
}
