import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSupervised } from '../../../scripts/n8n/supervisedProcess';
import { until } from '../../../scripts/n8n/until';

const supervisor = join(__dirname, '../../../scripts/n8n/supervise.mjs');
/** Writes its process id into a file and then lives on, whatever it is asked. */
const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6);`;

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

describe('a supervised process', () => {
	let folder: string;

	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'supervised-'))));
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	/** A program that notes its process id, so that a test can look whether it lives. */
	const program = (rest: string) => {
		const file = JSON.stringify(join(folder, 'pid'));
		return `require('node:fs').writeFileSync(${file}, String(process.pid)); ${rest}`;
	};
	const readPid = async () =>
		await until(
			async () => {
				const file = join(folder, 'pid');
				return existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
			},
			{ what: 'the program to start', timeoutMs: 10_000 },
		);
	const isGone = async (pid: number) =>
		await until(async () => !isAlive(pid) || undefined, { what: 'its end', timeoutMs: 15_000 });
	const start = (code: string) =>
		startSupervised({
			args: ['-e', program(code)],
			env: process.env,
			logFile: join(folder, 'log'),
		});

	test('keeps what it prints and tells the code it ends with', async () => {
		const child = start(`console.log('hello'); process.exit(3);`);
		expect(await child.ended).toBe(3);
		expect(child.log()).toBe('hello\n');
	});

	test('ends in order when it is stopped', async () => {
		const child = start(
			`process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); setInterval(() => {}, 1e6);`,
		);
		const pid = await readPid();
		await child.stop();
		expect(isAlive(pid)).toBe(false);
		expect(child.log()).toBe('bye\n');
	});

	test('gets no chance to end in order when it is killed', async () => {
		const child = start(
			`process.on('SIGTERM', () => { console.log('bye'); process.exit(0); }); setInterval(() => {}, 1e6);`,
		);
		const pid = await readPid();
		await child.kill();
		await isGone(pid);
		expect(child.log()).toBe('');
	});

	test('leaves nothing of its own behind', async () => {
		const grandchild = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(program(stubborn))}]); setInterval(() => {}, 1e6);`;
		const child = startSupervised({
			args: ['-e', grandchild],
			env: process.env,
			logFile: join(folder, 'log'),
		});
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
