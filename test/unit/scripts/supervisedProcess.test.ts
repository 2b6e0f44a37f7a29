import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, dirname, relative } from 'node:path';
import { startSupervised } from '../../../scripts/n8n/supervisedProcess';
import { until } from '../../../scripts/n8n/until';
import { httpClient } from '../../../scripts/http';
import { findFreePort } from '../../../scripts/n8n/freePort';
import * as N8nProcess from '../../../scripts/n8n/n8nProcess';
import { projectFolder, stateFolder } from '../../../scripts/n8n/paths';
import { isAlive } from '../../support/unit/processes';
import { useFolder } from '../../support/useFolder';

const supervisor = join(__dirname, '../../../scripts/n8n/supervise.mjs');
/** Writes its process id into a file and then lives on, whatever it is asked. */
const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6);`;

describe('a supervised process', () => {
	const at = useFolder();

	/** A program that notes its process id, so that a test can look whether it lives. */
	const program = (rest: string) => {
		const file = JSON.stringify(at('pid'));
		return `require('node:fs').writeFileSync(${file}, String(process.pid)); ${rest}`;
	};
	const readPid = async () =>
		await until(
			async () => {
				const file = at('pid');
				return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
			},
			{ what: 'the program to start', timeoutMs: 10_000 },
		);
	const isGone = async (pid: number) =>
		await until(async () => !isAlive(pid) || undefined, { what: 'its end', timeoutMs: 15_000 });
	const start = (code: string) =>
		startSupervised({ args: ['-e', code], env: process.env, logFile: at('log') });

	test('keeps what it prints and tells the code it ends with', async () => {
		const child = start(program(`console.log('hello'); process.exit(3);`));
		expect(await child.ended).toBe(3);
		expect(child.log()).toBe('hello\n');
	});

	test.each([
		['gets the chance to end in order when it is stopped', 'stop', 'bye\n'],
		['gets none when it is killed', 'kill', ''],
	] as const)('%s', async (_, end, said) => {
		const child = start(
			program(
				`process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); setInterval(() => {}, 1e6);`,
			),
		);
		const pid = await readPid();
		await child[end]();
		await isGone(pid);
		expect(child.log()).toBe(said);
	});

	test('leaves nothing of its own behind', async () => {
		const grandchild = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(program(stubborn))}]); setInterval(() => {}, 1e6);`;
		const child = start(grandchild);
		const pid = await readPid();
		await child.stop();
		await isGone(pid);
	});

	test('ends when the program that started it is killed', async () => {
		const code = program(`setInterval(() => {}, 1e6);`);
		const args = JSON.stringify([supervisor, process.execPath, '-e', code]);
		const parent = spawn(process.execPath, [
			'-e',
			`require('node:child_process').spawn(process.execPath, ${args}, { stdio: ['pipe', 'ignore', 'ignore'], detached: true }); setInterval(() => {}, 1e6);`,
		]);
		const pid = await readPid();
		parent.kill('SIGKILL');
		await once(parent, 'exit');
		await isGone(pid);
	});
});

describe('n8nProcess', () => {
	/** Answers as n8n does: without its database first, then while it loads its routes, then as it goes on. */
	const slowN8n = `
	const ages = [
		{ untilMs: 700, status: 503, type: 'application/json', body: '{"message":"Database is not ready!"}' },
		{ untilMs: 1400, status: 200, type: 'text/html', body: 'n8n is starting up. Please wait' },
		{ untilMs: Infinity, status: 200, type: 'application/json', body: '{"status":"ok"}' },
	];
	let begun;
	require('node:http').createServer((request, response) => {
		begun ??= Date.now();
		const { status, type, body } = ages.find(({ untilMs }) => Date.now() - begun < untilMs);
		response.writeHead(status, { 'content-type': type }).end(body);
	}).listen(Number(process.env.N8N_PORT), '127.0.0.1');
`;

	describe('a process of n8n', () => {
		let folder: string;
		let startN8nProcess: typeof N8nProcess.startN8nProcess;

		beforeAll(() => {
			mkdirSync(stateFolder, { recursive: true });
			folder = mkdtempSync(join(stateFolder, 'slow-n8n-'));
			const program = join(folder, 'node_modules/n8n/bin/n8n');
			mkdirSync(dirname(program), { recursive: true });
			writeFileSync(program, slowN8n);
			process.env.E2E_N8N_HOST_FOLDER = relative(projectFolder, folder);
			jest.resetModules();
			const path = '../../../scripts/n8n/n8nProcess';
			({ startN8nProcess } = jest.requireActual<typeof N8nProcess>(path));
		});
		afterAll(() => {
			delete process.env.E2E_N8N_HOST_FOLDER;
			rmSync(folder, { recursive: true, force: true });
		});

		test('has started when it responds 200, not with its page for those who wait', async () => {
			const port = await findFreePort();
			const logFile = join(folder, 'log');
			const n8n = await startN8nProcess({ userFolder: folder, port, logFile });
			try {
				const { data } = await httpClient.get<unknown>(`${n8n.url}/rest/settings`);
				expect(data).toEqual({ status: 'ok' });
			} finally {
				await n8n.stop();
			}
		}, 30_000);
	});
});
