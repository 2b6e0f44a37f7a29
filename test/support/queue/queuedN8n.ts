import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { findFreePort } from '../../../scripts/n8n/freePort';
import { connectToN8n } from '../../../tools/harness/N8nApi';
import { startN8nProcess, type N8nLaunch } from '../../../scripts/n8n/n8nProcess';
import { buildPackage, installPackage, packPackage } from '../../../scripts/n8n/packageInstall';
import { logFolder, projectFolder, stateFolder } from '../../../scripts/n8n/paths';
import type { N8n } from '../../../tools/harness';
import { startBalancer } from './balancer';
import { startPostgres, startRedis, type Server } from './services';

/** One of n8n's programs. */
export interface QueuedProgram {
	url: string;
	/** What it has printed since its last start. */
	log(): string;
	/** Ends it in the middle of whatever it does. */
	kill(): Promise<void>;
	/** Starts it again, on the same port. */
	start(): Promise<void>;
}

/** n8n in queue mode. Its `api` is that of the main process; calls of production webhooks go to the balancer. */
export interface QueuedN8n extends N8n {
	main: QueuedProgram;
	workers: QueuedProgram[];
	webhookProcessors: QueuedProgram[];
	/** Of the balancer, which hands each call to the next webhook processor. */
	webhookUrl: string;
	redis: Server;
	postgres: Server;
	close(): Promise<void>;
}

export interface QueueSize {
	workers?: number;
	webhookProcessors?: number;
	/** The packed package; packed again if omitted. */
	tarball?: string;
	/** Postgres writes to the disk before it answers. */
	isDurable?: boolean;
	/** More settings of n8n. */
	env?: Record<string, string>;
}

type Closer = () => Promise<void>;
type Keep = <T extends { close: Closer }>(starting: Promise<T>) => Promise<T>;

const owner = { email: 'owner@example.com', password: 'Queue-mode-1' };
const composeFile = join(projectFolder, 'docs/scaling/compose.yaml');

/** What every program of n8n gets in the compose file that users are shown, but the owner: the tests make their own. */
function readComposeSettings(): Record<string, string> {
	const compose = parse(readFileSync(composeFile, 'utf8'), { merge: true }) as {
		'x-n8n': { environment: Record<string, unknown> };
	};
	const { environment } = compose['x-n8n'];
	return Object.fromEntries(
		Object.entries(environment)
			.filter(([name]) => !name.startsWith('N8N_INSTANCE_OWNER_'))
			.map(([name, value]) => [name, String(value)]),
	);
}

/** Settings of n8n for a database of `startPostgres`. */
export function postgresSettings({ port }: Server): Record<string, string> {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_PASSWORD: 'none',
	};
}

function makeSettings(redis: Server, postgres: Server, webhookUrl: string) {
	return {
		...readComposeSettings(),
		...postgresSettings(postgres),
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		N8N_ENCRYPTION_KEY: 'the same for every process',
		N8N_WEBHOOK_URL: `${webhookUrl}/`,
		// Nobody waits a minute for the end of a test.
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '6',
	};
}

async function startProgram(launch: N8nLaunch): Promise<QueuedProgram & { close: Closer }> {
	let program = await startN8nProcess(launch);
	return {
		url: program.url,
		log: () => program.log(),
		kill: async () => await program.kill(),
		start: async () => void (program = await startN8nProcess(launch)),
		close: async () => await program.stop(),
	};
}

/** Starts Redis, Postgres, a balancer and n8n's programs; whatever was started ends with `close`. */
export async function startQueuedN8n(size: QueueSize = {}): Promise<QueuedN8n> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-queue-'));
	const programs: Closer[] = [];
	const servers: Closer[] = [];
	const keepIn =
		(closers: Closer[]): Keep =>
		async (starting) => {
			const started = await starting;
			closers.push(async () => await started.close());
			return started;
		};
	const close = async () => {
		await Promise.all(programs.splice(0).map(async (end) => await end()));
		await Promise.all(servers.splice(0).map(async (end) => await end()));
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	};
	try {
		const n8n = await startAll(folder, size, keepIn(servers), keepIn(programs));
		return { ...n8n, close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function startAll(folder: string, size: QueueSize, keepServer: Keep, keepProgram: Keep) {
	const { workers: workerCount = 2, webhookProcessors: processorCount = 2, env } = size;
	const installed = join(folder, 'installed');
	const [redis, postgres, tarball] = await Promise.all([
		keepServer(startRedis()),
		keepServer(startPostgres(size.isDurable)),
		installOnce(installed, size.tarball),
	]);
	const processorPorts = await findFreePorts(processorCount);
	const balancer = await keepServer(startBalancer(processorPorts));
	const webhookUrl = `http://localhost:${balancer.port}`;
	const shared = { ...makeSettings(redis, postgres, webhookUrl), ...env };
	const start = async (command: N8nLaunch['command'], name: string, port: number) => {
		const userFolder = join(folder, name);
		cpSync(installed, userFolder, { recursive: true });
		const logFile = join(logFolder, 'queue', `${name}.log`);
		// A worker takes the port for its health check only.
		const settings = { ...shared, QUEUE_HEALTH_CHECK_PORT: String(port) };
		return await keepProgram(startProgram({ command, userFolder, port, logFile, env: settings }));
	};
	// The main process comes first: it makes the tables.
	const main = await start('start', 'main', await findFreePort());
	const workerPorts = await findFreePorts(workerCount);
	const [workers, webhookProcessors] = await Promise.all([
		Promise.all(workerPorts.map((port, n) => start('worker', `worker-${n + 1}`, port))),
		Promise.all(processorPorts.map((port, n) => start('webhook', `webhook-${n + 1}`, port))),
	]);
	const api = await connectToN8n(main.url, owner);
	api.http.interceptors.request.use((config) =>
		config.url?.startsWith('/webhook/') ? { ...config, baseURL: webhookUrl } : config,
	);
	const own = { url: main.url, tarball, api, log: () => main.log() };
	return { ...own, main, workers, webhookProcessors, webhookUrl, redis, postgres };
}

async function findFreePorts(count: number): Promise<number[]> {
	const ports = new Set<number>();
	while (ports.size < count) ports.add(await findFreePort());
	return [...ports];
}

/** Every program has the package, as every container of a real one has to. */
async function installOnce(folder: string, packed?: string): Promise<string> {
	if (!packed && process.env.PACKAGE_IS_BUILT !== 'true') await buildPackage();
	const tarball = packed ?? (await packPackage(join(stateFolder, 'queue')));
	await installPackage(tarball, folder);
	return tarball;
}
