import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { findFreePort } from '../../../scripts/n8n/freePort';
import { until } from '../../../scripts/n8n/until';
import { copyPostgresFromNpm, hasPostgresFromNpm } from './postgresFromNpm';

/** A server of its own for a test, on a port of 127.0.0.1. */
export interface Server {
	port: number;
	close(): Promise<void>;
}

/** What a credential of n8n for a Redis or a Postgres holds. */
export const redisLogin = ({ port }: Server) => ({
	...{ host: '127.0.0.1', port, password: '', database: 0, ssl: false },
});
export const postgresLogin = ({ port }: Server) => ({
	...{ host: '127.0.0.1', port, ssl: 'disable' },
	...{ user: 'n8n', password: 'not asked for', database: 'postgres' },
});

const debianPostgres = '/usr/lib/postgresql';

/** Where programs lie: PATH, and the versions of Postgres that Debian keeps out of it. */
function listFolders(): string[] {
	const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).sort().reverse() : [];
	const debian = versions.map((version) => join(debianPostgres, version, 'bin'));
	return [...(process.env.PATH ?? '').split(delimiter), ...debian];
}

function findProgram(...names: string[]): string | undefined {
	return names
		.flatMap((name) => listFolders().map((folder) => join(folder, name)))
		.find((path) => existsSync(path));
}

const redis = findProgram('redis-server', 'valkey-server');

/** The one that npm has installed, of a version that is the same for all; else the system's own. */
const installedPostgres = findProgram('pg_ctl');
const hasPostgres = hasPostgresFromNpm || installedPostgres !== undefined;

/** What some tests need and this machine lacks. */
export const missingPrograms = [
	...(redis ? [] : ['redis-server']),
	...(hasPostgres ? [] : ['postgresql']),
];

// `npm test` shows this line.
if (missingPrograms.length > 0) {
	const names = missingPrograms.join(' and ');
	process.stdout.write(
		`Skipped: this machine has no ${names}, which tests of several processes need.\n`,
	);
}

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
	const child = spawn(String(redis), args, { stdio: 'ignore' });
	const ended = once(child, 'exit');
	const kill = closeAtExit(() => {
		child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});
	await until(() => canConnect(port), { what: 'Redis to answer' });
	return {
		port,
		close: async () => {
			kill();
			await ended;
		},
	};
}

/** Postgres refuses to run as root: it is `nobody` then. */
function findUser(): { uid: number; gid: number } | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const read = (option: string) => Number(execFileSync('id', [option, 'nobody']));
	return { uid: read('-u'), gid: read('-g') };
}

/**
 * With one user, `n8n`, who needs no password, and the database `postgres`.
 * @param isDurable writes to the disk before it answers, which takes its time and which no test needs
 */
export async function startPostgres(isDurable = false): Promise<Server> {
	const port = await findFreePort();
	const user = findUser();
	const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
	if (user) chownSync(folder, user.uid, user.gid);
	const programs = hasPostgresFromNpm
		? copyPostgresFromNpm(join(folder, 'programs'))
		: dirname(String(installedPostgres));
	const run = (program: string, args: string[]) =>
		execFileSync(join(programs, program), args, { cwd: folder, stdio: 'ignore', ...user });
	const data = join(folder, 'data');
	const locale = ['--encoding=UTF8', '--locale=C'];
	run('initdb', ['-D', data, '-U', 'n8n', '-A', 'trust', '--no-sync', ...locale]);
	const settings = `-p ${port} -h 127.0.0.1 -c unix_socket_directories= -c fsync=${isDurable ? 'on' : 'off'}`;
	run('pg_ctl', ['-D', data, '-o', settings, '-l', join(folder, 'log'), '-w', 'start']);
	const stop = closeAtExit(() => {
		run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
		rmSync(folder, { recursive: true, force: true });
	});
	return { port, close: async () => stop() };
}
