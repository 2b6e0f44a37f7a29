import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeBinary } from './paths';

export interface SupervisedProcess {
	/** Resolves with the exit code when the process ends, for whatever reason. */
	ended: Promise<number>;
	/** Everything it has printed so far. */
	log(): string;
	/** Asks it to end and waits for that; it is killed when it does not. */
	stop(): Promise<void>;
	/** Ends it at once, with all of its group, as a crash does. On Windows, which has no groups, it is stopped. */
	kill(): Promise<void>;
}

interface Launch {
	/** Arguments of the project's own Node: a file and what follows it. */
	args: string[];
	env: NodeJS.ProcessEnv;
	logFile: string;
}

/** Whatever a process has left behind in its group (n8n starts a task runner) goes with it. */
function killGroup(child: ChildProcess): void {
	if (process.platform === 'win32' || child.pid === undefined) return;
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
}

/**
 * Starts a Node program that cannot outlive us, in a process group of its own: a Ctrl-C in the
 * terminal reaches only us, and we end it in order.
 */
export function startSupervised({ args, env, logFile }: Launch): SupervisedProcess {
	mkdirSync(dirname(logFile), { recursive: true });
	const log = openSync(logFile, 'w');
	const child = spawn(nodeBinary, [join(__dirname, 'supervise.mjs'), nodeBinary, ...args], {
		env,
		stdio: ['pipe', log, log],
		detached: process.platform !== 'win32',
	});
	closeSync(log);
	const ended = new Promise<number>((resolve) => {
		child.once('error', () => resolve(1));
		child.once('exit', (code) => {
			killGroup(child);
			resolve(code ?? 1);
		});
	});
	const stop = async () => {
		child.stdin?.destroy();
		await ended;
	};
	const kill = async () => {
		killGroup(child);
		await stop();
	};
	return { ended, log: () => readFileSync(logFile, 'utf8'), stop, kill };
}
