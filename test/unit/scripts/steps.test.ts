import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../../scripts/n8n/until';

const steps = pathToFileURL(join(__dirname, '../../../scripts/steps.mjs')).href;

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** Windows has no signals, nor groups that one could be sent to. */
const testWithSignals = process.platform === 'win32' ? test.skip : test;

describe('a step of npm test', () => {
	let folder: string;

	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'steps-'))));
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	/** Runs a step of which a worker lives on when the step itself has ended, as those of jest do. */
	const startStep = () => {
		const file = join(folder, 'pid');
		const worker = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1e6);`;
		const step = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(worker)}], { stdio: 'ignore' }); setInterval(() => {}, 1e6);`;
		const runner = `
			import { runStep } from ${JSON.stringify(steps)};
			const args = ['-e', ${JSON.stringify(step)}];
			await runStep({ name: 'test-of-steps', label: 'Step', command: process.execPath, args });
		`;
		const args = ['--input-type=module', '--eval', runner];
		const child = spawn(process.execPath, args, { stdio: 'ignore' });
		const readPid = async () =>
			existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
		return { child, findWorker: () => until(readPid, { what: 'a worker', timeoutMs: 20_000 }) };
	};

	testWithSignals.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
		'ends on %s with all that it has started',
		async (signal) => {
			const { child, findWorker } = startStep();
			const worker = await findWorker();
			child.kill(signal);
			await once(child, 'exit');
			const isGone = async () => !isAlive(worker) || undefined;
			await until(isGone, { what: 'the end of the worker', timeoutMs: 15_000 });
		},
		60_000,
	);
});
