import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

/** Built once for each worker of jest: to translate the sources at each start takes several times as long. */
const folder = join(tmpdir(), `sandbox-program-${process.env.JEST_WORKER_ID ?? process.pid}`);
const program = [process.execPath, join(folder, 'sandbox.js')];
execFileSync(process.execPath, [join(root, 'sandbox', 'build.mjs'), '--program', folder]);

export interface Run {
	process: ChildProcess;
	output: () => string;
	ended: Promise<number | null>;
}

/** Starts the sandbox in a process of its own. */
export function run(...options: string[]): Run {
	return runThrough([], ...options);
}

/** Exit code after SIGINT or SIGTERM: Windows ends the process without telling it. */
export const codeWhenStopped = process.platform === 'win32' ? null : 0;

/** @param through a command, with its arguments, that is given ours and becomes the sandbox */
export function runThrough(through: string[], ...options: string[]): Run {
	const [command = '', ...args] = [...through, ...program, ...options];
	const child = spawn(command, args, { cwd: root });
	let text = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
	}
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	return { process: child, output: () => text, ended };
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
