import { spawn } from 'node:child_process';

/*
 * Runs one command and ends it when our own parent is gone, however that went (Ctrl-C, kill -9, a
 * crash of the test runner): the parent holds the other end of our standard input, which closes then.
 *
 *   node supervise.mjs <command> <argument> ...
 */

const patienceMs = 8_000;
const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let isEnding = false;

function endChild() {
	if (isEnding) return;
	isEnding = true;
	child.kill('SIGTERM');
	setTimeout(() => child.kill('SIGKILL'), patienceMs).unref();
}

process.stdin.on('end', endChild).on('error', endChild).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, endChild);
child.once('error', (error) => {
	console.error(`${command} could not be started: ${error.message}`);
	process.exit(1);
});
child.once('exit', (code) => process.exit(code ?? 1));
