import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentWithPinnedNode, logFolder, nodeBinary, projectFolder } from './project.mjs';

const isTerminal = Boolean(process.stdout.isTTY);
const heartbeatMs = isTerminal ? 1_000 : 20_000;
const patienceMs = 10_000;
const childrenRunning = new Set();
let endsEarly = false;
let isInStep = false;

/** Ctrl-C and `kill` end whatever a step has started, then us. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		endsEarly = true;
		for (const child of childrenRunning) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
		if (childrenRunning.size === 0) process.exit(130);
		if (isInStep) process.stdout.write('\n  Ending ...\n');
		void sleep(patienceMs, undefined, { ref: false }).then(() => {
			for (const child of childrenRunning) child.kill('SIGKILL');
		});
	});
}

function inSeconds(ms) {
	return `${(ms / 1000).toFixed(1)} s`;
}

/** Says that a step runs, again and again while it does, so that nobody takes it for hung. */
function showProgress(label) {
	const startedAt = Date.now();
	const tell = () => {
		const line = `  ...     ${label} (${Math.round((Date.now() - startedAt) / 1000)} s)`;
		process.stdout.write(isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
	};
	if (isTerminal) tell();
	const timer = setInterval(tell, heartbeatMs);
	return (word) => {
		clearInterval(timer);
		const line = `  ${word.padEnd(7)} ${label} (${inSeconds(Date.now() - startedAt)})`;
		process.stdout.write(isTerminal ? `\r${line}\u001b[K\n` : `${line}\n`);
	};
}

/** Runs a command to its end. @returns {Promise<number>} its exit code, 1 for a signal */
function run({ command, args, shell = false, cwd = projectFolder, env, stdio }, onOutput) {
	const child = spawn(command, args, { cwd, shell, env, stdio });
	childrenRunning.add(child);
	if (onOutput) {
		child.stdout.on('data', onOutput);
		child.stderr.on('data', onOutput);
	}
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve(code ?? 1));
	}).finally(() => childrenRunning.delete(child));
}

/**
 * Runs one command as a step: its output goes to a log file, its name, result and time to the screen.
 * @param {{ name: string, label: string, command: string, args: string[], shell?: boolean,
 *   cwd?: string, env?: NodeJS.ProcessEnv, judge?: () => string }} step `judge`: the word for a step
 *   that ended well, when it is not `ok`
 * @returns {Promise<{ name: string, label: string, passed: boolean, logFile: string }>}
 */
export async function runStep(step) {
	mkdirSync(logFolder, { recursive: true });
	const logFile = join(logFolder, `${step.name}.log`);
	const log = createWriteStream(logFile);
	const finish = showProgress(step.label);
	isInStep = true;
	const invocation = { ...step, env: step.env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] };
	const code = await run(invocation, (chunk) => log.write(chunk)).catch((error) => {
		log.write(`${error}\n`);
		return 1;
	});
	isInStep = false;
	await new Promise((resolve) => log.end(resolve));
	if (endsEarly) process.exit(130);
	finish(code === 0 ? (step.judge?.() ?? 'ok') : 'FAILED');
	return { name: step.name, label: step.label, passed: code === 0, logFile };
}

/** The last lines of a log, which is where tools say what went wrong. */
export function readLogTail(logFile, lines = 80) {
	return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/**
 * Hands over to a TypeScript program on the project's own Node, with our terminal.
 * It is told of our end, however that comes, by the closing of its IPC channel.
 * @returns {Promise<number>} its exit code
 */
export async function runProgram(file, args) {
	return await run({
		command: nodeBinary,
		args: ['--import', 'tsx', join(projectFolder, file), ...args],
		env: environmentWithPinnedNode(),
		stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
	});
}
