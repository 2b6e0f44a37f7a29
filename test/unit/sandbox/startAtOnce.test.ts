import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const sandboxFolder = join(__dirname, '..', '..', '..', 'sandbox');

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
	execFileSync(process.execPath, [join(sandboxFolder, 'build.mjs'), '--program', folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether the program has started; otherwise it has ended, for this reason. */
async function start() {
	const args = ['--port', '0', '--json', '--data', join(folder, 'data')];
	const program = spawn(process.execPath, [join(folder, 'sandbox.js'), ...args]);
	const ended = once(program, 'close');
	let reason = '';
	program.stderr.on('data', (chunk) => (reason += String(chunk)));
	const isStarted = await Promise.race([
		once(program.stdout, 'data').then(() => true),
		ended.then(() => false),
	]);
	const kill = async () => {
		program.kill('SIGKILL');
		await ended;
	};
	return { isStarted, reason: isStarted ? '' : reason, kill };
}

test('of two sandboxes that start on one data folder at once, one starts', async () => {
	for (let round = 1; round <= 30; round += 1) {
		const both = await Promise.all([start(), start()]);
		await Promise.all(both.map(({ kill }) => kill()));
		expect(both.filter(({ isStarted }) => isStarted)).toHaveLength(1);
		expect(both.map(({ reason }) => reason).join('')).toMatch(/^.* is used by another sandbox\./);
	}
}, 60_000);
