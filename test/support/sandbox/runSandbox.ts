import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from './harness';

/** Built once for each worker of jest: to translate the sources at each start takes several times as long. */
const folder = join(tmpdir(), `sandbox-program-${process.env.JEST_WORKER_ID ?? process.pid}`);
const program = [process.execPath, join(folder, 'sandbox.js')];
execFileSync(process.execPath, [join(projectFolder, 'sandbox/build.mjs'), '--program', folder]);

export interface Run {
	process: ChildProcess;
	output: () => string;
	ended: Promise<number | null>;
}

const runs: Run[] = [];
afterAll(() => Promise.all(runs.map((one) => stop(one))));

/** Starts the sandbox in a process of its own, which ends with the tests of the file at the latest. */
export function run(...options: string[]): Run {
	return runThrough([], ...options);
}

/** Exit code after SIGINT or SIGTERM: Windows ends the process without telling it. */
export const codeWhenStopped = process.platform === 'win32' ? null : 0;

/** @param through a command, with its arguments, that is given ours and becomes the sandbox */
export function runThrough(through: string[], ...options: string[]): Run {
	const [command = '', ...args] = [...through, ...program, ...options];
	const child = spawn(command, args, { cwd: projectFolder });
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	}
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	const started = { process: child, output: () => text, ended };
	runs.push(started);
	return started;
}

/** @returns the exit code */
export async function stop(started: Run, signal?: NodeJS.Signals): Promise<number | null> {
	started.process.kill(signal);
	return await started.ended;
}

/** The URL of a sandbox that has started. */
export async function waitForUrl(started: Run): Promise<string> {
	const [, url = ''] = await waitForOutput(started, /Base URL +(\S+)\/api/);
	return url;
}

export async function waitForOutput(started: Run, pattern: RegExp): Promise<RegExpExecArray> {
	for (;;) {
		const found = pattern.exec(started.output());
		if (found) return found;
		if (started.process.exitCode !== null) throw new Error(`Ended: ${started.output()}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

/** What a sandbox with `--json` writes when it is ready. */
export async function waitForJson(started: Run): Promise<Record<string, string>> {
	const [line] = await waitForOutput(started, /^\{.+\}\n/m);
	return JSON.parse(line) as Record<string, string>;
}
