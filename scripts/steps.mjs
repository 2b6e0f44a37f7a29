import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentWithPinnedNode, logFolder, nodeBinary, projectFolder } from './project.mjs';

const heartbeatMs = 20_000;
const patienceMs = 10_000;
const childrenRunning = new Set();
/** The steps that run, with the time at which each began. */
const running = new Map();
let heartbeat;
let endsEarly = false;

/** Ctrl-C and `kill` end whatever a step has started, then us. */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		endsEarly = true;
		for (const child of childrenRunning) end(child, signal === 'SIGHUP' ? 'SIGTERM' : signal);
		if (childrenRunning.size === 0) process.exit(130);
		if (running.size > 0) process.stdout.write('\n  Ending ...\n');
		void sleep(patienceMs, undefined, { ref: false }).then(() => {
			for (const child of childrenRunning) end(child, 'SIGKILL');
		});
	});
}

/** With all that it has started, where it leads a group of its own: a worker of jest outlives jest. */
function end(child, signal) {
	if (!child.isGroupLeader) return child.kill(signal);
	try {
		process.kill(-child.pid, signal);
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

function inSeconds(ms) {
	return `${(ms / 1000).toFixed(1)} s`;
}

function showRunning() {
	const steps = [...running].map(([label, begun]) => `${label} (${inSeconds(Date.now() - begun)})`);
	console.log(`  ...     ${steps.join(', ')}`);
}

/** Says that a step runs, again and again while it does, so that nobody takes it for hung. */
function showProgress(label) {
	const begun = Date.now();
	running.set(label, begun);
	heartbeat ??= setInterval(showRunning, heartbeatMs);
	showRunning();
	return (word) => {
		running.delete(label);
		if (running.size === 0) heartbeat = clearInterval(heartbeat);
		console.log(`  ${word.padEnd(7)} ${label} (${inSeconds(Date.now() - begun)})`);
	};
}

/** Runs a command to its end. @returns {Promise<number>} its exit code, 1 for a signal */
function run({ command, args, shell = false, cwd = projectFolder, env, stdio }, onOutput) {
	// What has the terminal stays in our group; Windows has no groups.
	const isGroupLeader = Boolean(onOutput) && process.platform !== 'win32';
	const child = spawn(command, args, { cwd, shell, env, stdio, detached: isGroupLeader });
	childrenRunning.add(Object.assign(child, { isGroupLeader }));
	if (onOutput) {
		child.stdout.on('data', onOutput);
		child.stderr.on('data', onOutput);
	}
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve(code ?? 1));
	}).finally(() => childrenRunning.delete(child));
}

/** The last step that was ended ends us; nothing follows any of them. */
async function endTogether() {
	if (childrenRunning.size === 0) process.exit(130);
	await new Promise(() => undefined);
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
	const invocation = { ...step, env: step.env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] };
	const code = await run(invocation, (chunk) => log.write(chunk)).catch((error) => {
		log.write(`${error}\n`);
		return 1;
	});
	await new Promise((resolve) => log.end(resolve));
	if (endsEarly) await endTogether();
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
