import { ensureInstalled } from './install.mjs';
import { explainTakenPorts } from './ports.mjs';
import { readStartOptions, startHelp } from './startOptions.mjs';
import { runProgram } from './steps.mjs';

function exitWith(sentence) {
	console.error(sentence);
	process.exit(1);
}

function readOptions() {
	try {
		return readStartOptions(process.argv.slice(2));
	} catch (error) {
		return exitWith(`${error.message}\n\n${startHelp}`);
	}
}

const options = readOptions();
if (options.help) {
	console.log(startHelp);
	process.exit(0);
}

const problem = await explainTakenPorts([
	{ port: options.n8nPort, option: '--n8n-port', use: 'n8n' },
	{ port: options.sandboxPort, option: '--sandbox-port', use: 'the sandbox' },
]);
if (problem) exitWith(problem);

await ensureInstalled({ withN8n: true });
process.exitCode = await runProgram('scripts/demo/main.ts', [JSON.stringify(options)]);
