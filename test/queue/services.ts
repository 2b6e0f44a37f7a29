import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { findFreePort } from '../../scripts/n8n/freePort';
import { until } from '../../scripts/n8n/until';

/** A server of its own for a test, on a port of 127.0.0.1. */
export interface Server {
	port: number;
	close(): Promise<void>;
}

const debianPostgres = '/usr/lib/postgresql';

/** Where programs lie: PATH, and the versions of Postgres that Debian keeps out of it. */
function listFolders(): string[] {
	const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).sort().reverse() : [];
	const debian = versions.map((version) => join(debianPostgres, version, 'bin'));
	return [...(process.env.PATH ?? '').split(delimiter), ...debian];
}

function findProgram(name: string): string | undefined {
	return listFolders()
		.map((folder) => join(folder, name))
		.find((path) => existsSync(path));
}

const programs = {
	redis: findProgram('redis-server'),
	initdb: findProgram('initdb'),
	pgCtl: findProgram('pg_ctl'),
};

/** What queue mode needs and this machine lacks. */
export const missingPrograms = [
	...(programs.redis ? [] : ['redis-server']),
	...(programs.initdb && programs.pgCtl ? [] : ['postgresql']),
];

/** Ends a server when the test run itself is ended. */
function closeAtExit(close: () => void): () => void {
	process.once('exit', close);
	return () => {
		process.off('exit', close);
		close();
	};
}

async function canConnect(port: number): Promise<true | undefined> {
	const socket = createConnection({ port, host: '127.0.0.1' });
	return await once(socket, 'connect').then(
		() => (socket.destroy(), true as const),
		() => undefined,
	);
}

export async function startRedis(): Promise<Server> {
	const port = await findFreePort();
	const folder = mkdtempSync(join(tmpdir(), 'redis-'));
	const nothingKept = ['--save', '', '--appendonly', 'no', '--dir', folder];
	const args = ['--port', String(port), '--bind', '127.0.0.1', ...nothingKept];
	const child = spawn(String(programs.redis), args, { stdio: 'ignore' });
	const ended = once(child, 'exit');
	const kill = closeAtExit(() => {
		child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});
	await until(() => canConnect(port), { what: 'Redis to answer', timeoutMs: 20_000 });
	return {
		port,
		close: async () => {
			kill();
			await ended;
		},
	};
}

/** Postgres refuses to run as root. */
function runAsPostgres(program: string | undefined, args: string[]): void {
	const command = [String(program), ...args];
	const isRoot = process.getuid?.() === 0;
	const [first, ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
	execFileSync(first, rest, { cwd: tmpdir(), stdio: 'ignore' });
}

/** With one user, `n8n`, who needs no password, and the database `postgres`. */
export async function startPostgres(): Promise<Server> {
	const port = await findFreePort();
	const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
	chmodSync(folder, 0o777);
	const data = join(folder, 'data');
	runAsPostgres(programs.initdb, ['-D', data, '-U', 'n8n', '-A', 'trust', '--no-sync']);
	const settings = `-p ${port} -h 127.0.0.1 -k ${folder} -c fsync=off`;
	const log = join(folder, 'log');
	runAsPostgres(programs.pgCtl, ['-D', data, '-o', settings, '-l', log, '-w', 'start']);
	const stop = closeAtExit(() => {
		runAsPostgres(programs.pgCtl, ['-D', data, '-m', 'immediate', '-w', 'stop']);
		rmSync(folder, { recursive: true, force: true });
	});
	return { port, close: async () => stop() };
}
