import { httpClient } from '../http';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findFreePort } from './freePort';
import { n8nProgram, nodeBinary, stateFolder } from './paths';
import { startSupervised, type SupervisedProcess } from './supervisedProcess';
import { until } from './until';

export interface N8nLaunch {
	/** Which of n8n's programs; in queue mode there are three. A worker answers only with its health check on. */
	command?: 'start' | 'worker' | 'webhook';
	/** n8n keeps everything in `.n8n` in this folder. */
	userFolder: string;
	port: number;
	logFile: string;
	/** More settings of n8n, which win over ours. */
	env?: Record<string, string>;
}

export interface N8nProcess extends SupervisedProcess {
	/** Such as `http://localhost:5678`. */
	url: string;
}

/** n8n calls nobody, asks nothing and shows nothing that has no part in a demo or a test. */
const quietN8n = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	// Without it, n8n 3 loads no package that n8n has not verified.
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '6',
	// Of n8n 2 this is the default; n8n 1 confuses the transactions of requests that come at once without it.
	DB_SQLITE_POOL_SIZE: '3',
	// After 5 s without an answer of its database, n8n responds 503 to everything: on a busy machine, it comes later.
	DB_PING_TIMEOUT_MS: '60000',
	// One that n8n tries again and again, before it gives up, holds up no other.
	N8N_WORKFLOW_PUBLICATION_CONCURRENCY: '20',
};

/** Settings of another n8n on this machine, of npm and of the test runner are not for ours. */
const foreign = /^(npm_|N8N_|DB_|QUEUE_|EXECUTIONS_|GENERIC_|WEBHOOK_URL$|JEST_|NODE_|E2E_)/i;

function inheritEnvironment(): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
	const path = [dirname(nodeBinary), process.env.PATH ?? ''].join(delimiter);
	const noProxy = [process.env.NO_PROXY, 'localhost', '127.0.0.1'].filter(Boolean).join(',');
	return { ...Object.fromEntries(own), PATH: path, NO_PROXY: noProxy, no_proxy: noProxy };
}

async function isReady(url: string, command: string): Promise<true | undefined> {
	const anyStatus = { validateStatus: () => true, timeout: 5_000 };
	const paths = ['/healthz/readiness', ...(command === 'start' ? ['/rest/login'] : [])];
	const answers = await Promise.all(
		paths.map(async (path) => await httpClient.get(`${url}${path}`, anyStatus)),
	).catch(() => []);
	// While it starts, n8n answers any path with 503, or with 200 and a page that asks to wait; then login with 401.
	return answers.length > 0 &&
		answers.every(({ status, data }) => status < 500 && typeof data === 'object')
		? true
		: undefined;
}

/**
 * Starts n8n and waits until it answers.
 * @throws {Error} with the end of its log when it does not
 */
export async function startN8nProcess(launch: N8nLaunch): Promise<N8nProcess> {
	if (!existsSync(n8nProgram)) {
		throw new Error('n8n is not installed yet. Run: node scripts/install.mjs');
	}
	const { command = 'start' } = launch;
	mkdirSync(join(launch.userFolder, '.n8n'), { recursive: true });
	const url = `http://localhost:${launch.port}`;
	const env = {
		...inheritEnvironment(),
		...quietN8n,
		// A start takes a fifth less of a processor with what an earlier one has compiled.
		NODE_COMPILE_CACHE: join(stateFolder, 'compiled'),
		N8N_USER_FOLDER: launch.userFolder,
		N8N_HOST: 'localhost',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(launch.port),
		N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_WEBHOOK_URL: `${url}/`,
		// The name that n8n 1 knows.
		WEBHOOK_URL: `${url}/`,
		...launch.env,
	};
	const program = startSupervised({ args: [n8nProgram, command], env, logFile: launch.logFile });
	const died = program.ended.then((code): never => {
		const tail = program.log().split('\n').slice(-40).join('\n');
		throw new Error(`n8n ended with code ${code} before it was ready:\n${tail}`);
	});
	died.catch(() => undefined);
	const ready = until(() => isReady(url, command), { what: 'n8n to answer', everyMs: 200 });
	try {
		await Promise.race([ready, died]);
	} catch (error) {
		await program.stop();
		throw error;
	}
	return { ...program, url };
}
