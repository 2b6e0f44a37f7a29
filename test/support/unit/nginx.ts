import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

import { httpClient } from '../../../scripts/http';
import { findFreePort } from '../../../scripts/n8n/freePort';
import { projectFolder } from '../../../scripts/n8n/paths';
import { until } from '../../../scripts/n8n/until';

const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));
if (!nginx) process.stdout.write('Skipped: nginx is not installed\n');
export const hasNginx = nginx !== undefined;

export interface Proxy {
	url: string;
	close(): Promise<void>;
}

/** Starts nginx with a file, and waits until it answers. */
async function run(folder: string, file: string, port: number): Promise<Proxy> {
	const program: ChildProcess = spawn(nginx ?? '', ['-c', file, '-e', `${folder}/error.log`]);
	const close = async () => {
		if (program.exitCode === null && program.kill('SIGTERM')) await once(program, 'exit');
		rmSync(folder, { recursive: true, force: true });
	};
	const url = `http://127.0.0.1:${port}`;
	const answers = until(
		async () => (await httpClient.get(`${url}/healthz`).catch(() => null)) ?? undefined,
		{ what: 'nginx to answer' },
	);
	const ended = once(program, 'exit').then(() => {
		throw new Error(`nginx has ended: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
	});
	ended.catch(() => undefined);
	try {
		await Promise.race([answers, ended]);
	} catch (error) {
		await close();
		throw error;
	}
	return { url, close };
}

/**
 * The published configuration in front of one program, with the addresses that this machine has.
 * @param pathOf what a path of an example is in this n8n
 */
export async function startProxy(target: string, pathOf = (path: string) => path): Promise<Proxy> {
	const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
	const port = await findFreePort();
	const server = readFileSync(join(projectFolder, 'docs/scaling/nginx.conf'), 'utf8')
		.replace('listen 80;', `listen 127.0.0.1:${port};`)
		.replace('/var/cache', folder)
		.replace(/sign-in-(page|code)/g, pathOf)
		.replace('set_real_ip_from 172.16.0.0/12', 'set_real_ip_from 127.0.0.0/8')
		// Names are asked of Docker's resolver, which is not there.
		.replace(/(main|webhook):5678/g, new URL(target).host.replace('localhost', '127.0.0.1'));
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map((name) => `${name}_temp_path ${folder}/${name};`)
		.join('\n');
	const file = join(folder, 'nginx.conf');
	// As many connections as in nginx's image: a call that waits for n8n needs two.
	writeFileSync(
		file,
		`daemon off; user ${userInfo().username}; pid ${folder}/pid; error_log ${folder}/error.log;
		events { worker_connections 1024; }
		http { access_log off; ${temporary}\n${server} }`,
	);
	return await run(folder, file, port);
}

/** Debian's configuration, changed by the commands of docs/scaling.md, in a folder of its own. */
export async function startStockProxy(target: string): Promise<Proxy> {
	const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
	const port = await findFreePort();
	const etc = join(folder, 'etc');
	cpSync('/etc/nginx', etc, { recursive: true, dereference: true });
	const page = readFileSync(join(projectFolder, 'docs/scaling.md'), 'utf8');
	const [, block = ''] = /```sh\n([^`]*sites-enabled[^`]*)```/.exec(page) ?? [];
	const commands = block
		.replace(/^\s*sudo systemctl .*$/m, '')
		.replaceAll('sudo ', '')
		.replaceAll('/etc/nginx', etc)
		.replaceAll('127.0.0.1:5678', new URL(target).host);
	execFileSync('sh', ['-ec', commands], { cwd: join(projectFolder, 'docs/scaling') });
	const own = join(etc, 'conf.d/n8n.conf');
	const server = readFileSync(own, 'utf8')
		.replace('listen 80;', `listen 127.0.0.1:${port};`)
		.replace('/var/cache', folder);
	writeFileSync(own, server);
	const file = join(etc, 'nginx.conf');
	const stock = readFileSync(file, 'utf8')
		.replaceAll('/etc/nginx', etc)
		.replace(/^pid .*$/m, `pid ${folder}/pid;`)
		.replace(/^user .*$/m, `user ${userInfo().username};`)
		.replace(/^(\s*)access_log .*$/m, '$1access_log off;')
		.replace(/^error_log .*$/m, '');
	writeFileSync(file, `daemon off; error_log ${folder}/error.log;\n${stock}`);
	return await run(folder, file, port);
}
