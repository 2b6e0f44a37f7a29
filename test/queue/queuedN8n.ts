import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findFreePort } from '../../scripts/n8n/freePort';
import { connectToN8n, type N8nApi } from '../../scripts/n8n/n8nApi';
import { startN8nProcess, type N8nProcess } from '../../scripts/n8n/n8nProcess';
import { buildPackage, installPackage, packPackage } from '../../scripts/n8n/packageInstall';
import { logFolder, stateFolder } from '../../scripts/n8n/paths';
import { startPostgres, startRedis, type Server } from './services';

/** n8n in queue mode: every program has the package, as every container of a real one has to. */
export interface QueuedN8n {
	/** Logged in at the main process; calls of production webhooks go to the webhook processor. */
	api: N8nApi;
	/** Where production webhooks and resumed executions are called. */
	webhookUrl: string;
	worker: N8nProcess;
	close(): Promise<void>;
}

const commands = ['start', 'worker', 'webhook'] as const;
type Command = (typeof commands)[number];

const owner = { email: 'owner@example.com', password: 'Queue-mode-1' };

function makeSharedSettings(redis: Server, postgres: Server, webhookUrl: string) {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_PASSWORD: 'none',
		N8N_ENCRYPTION_KEY: 'the same for every process',
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
		WEBHOOK_URL: `${webhookUrl}/`,
	};
}

/** Starts Redis, Postgres and the three programs of n8n; whatever was started ends with `close`. */
export async function startQueuedN8n(): Promise<QueuedN8n> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-queue-'));
	const closers: Array<() => Promise<void>> = [
		async () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
	];
	const close = async () => {
		for (const closer of closers.splice(0).reverse()) await closer();
	};
	try {
		return { ...(await startAll(folder, closers)), close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function startAll(folder: string, closers: Array<() => Promise<void>>) {
	const keep = async <T extends Server>(starting: Promise<T>) => {
		const server = await starting;
		closers.push(async () => await server.close());
		return server;
	};
	const [redis, postgres] = await Promise.all([
		keep(startRedis()),
		keep(startPostgres()),
		installEverywhere(folder),
	]);
	const webhookPort = await findFreePort();
	const webhookUrl = `http://localhost:${webhookPort}`;
	const shared = makeSharedSettings(redis, postgres, webhookUrl);
	const start = async (command: Command, port: number, env = {}) => {
		const userFolder = join(folder, command);
		const logFile = join(logFolder, 'queue', `${command}.log`);
		const launch = { command, userFolder, port, logFile, env: { ...shared, ...env } };
		const program = await startN8nProcess(launch);
		closers.push(async () => await program.stop());
		return program;
	};
	// The main process comes first: it makes the tables.
	const main = await start('start', await findFreePort());
	const workerPort = await findFreePort();
	const health = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(workerPort),
	};
	const [worker] = await Promise.all([
		start('worker', workerPort, health),
		start('webhook', webhookPort),
	]);
	const api = await connectToN8n(main.url, owner);
	api.http.interceptors.request.use((config) =>
		config.url?.startsWith('/webhook/') ? { ...config, baseURL: webhookUrl } : config,
	);
	return { api, webhookUrl, worker };
}

async function installEverywhere(folder: string): Promise<void> {
	await buildPackage();
	const tarball = await packPackage(join(stateFolder, 'queue'));
	for (const command of commands) await installPackage(tarball, join(folder, command));
}
