import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { runProgram } from './steps.mjs';

const help = `Starts n8n with this package and all examples, a sandbox of the messaging service, and a mail server.

  npm start -- --n8n-port 5678 --sandbox-port 4010

  --n8n-port      port of n8n (default: 5678)
  --sandbox-port  port of the sandbox (default: 4010)
  --watch         rebuilds the package and restarts n8n when the code changes (npm run dev)
  --help          shows this help
`;

const options = {
	'n8n-port': { type: 'string', default: '5678' },
	'sandbox-port': { type: 'string', default: '4010' },
	watch: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};
const highestPort = 65_535;

function exitWith(sentence) {
	console.error(sentence);
	process.exit(1);
}

function readPort(text, option) {
	const port = Number(text);
	if (/^\d{1,5}$/.test(text) && port >= 1 && port <= highestPort) return port;
	throw new Error(`${option} must be a port from 1 to ${highestPort}, not "${text}".`);
}

/** @throws {Error} with a sentence for the user */
function readOptions() {
	const { values } = parseArgs({ options });
	const n8nPort = readPort(values['n8n-port'], '--n8n-port');
	const sandboxPort = readPort(values['sandbox-port'], '--sandbox-port');
	if (n8nPort !== sandboxPort) {
		return { help: values.help, n8nPort, sandboxPort, watches: values.watch };
	}
	throw new Error('--n8n-port and --sandbox-port must be different ports.');
}

/** Binding would be no proof: some systems let two programs listen, one on all addresses, one on loopback. */
function isAnswering(port, host) {
	return new Promise((resolve) => {
		const socket = connect({ port, host, timeout: 500 });
		const end = (answer) => {
			socket.destroy();
			resolve(answer);
		};
		socket.once('connect', () => end(true));
		socket.once('error', () => end(false));
		socket.once('timeout', () => end(false));
	});
}

/** @returns {Promise<string>} sentences when a port is in use; empty when none is */
async function explainTakenPorts(wanted) {
	const sentences = [];
	for (const { port, option, use } of wanted) {
		const answers = await Promise.all([isAnswering(port, '127.0.0.1'), isAnswering(port, '::1')]);
		if (answers.includes(true))
			sentences.push(
				`Port ${port} (for ${use}) is in use by another program. Choose another with ${option}.`,
			);
	}
	if (sentences.length === 0) return '';
	const example = 'For example: npm start -- --n8n-port 15678 --sandbox-port 14010';
	return [...sentences, example].join('\n');
}

let given;
try {
	given = readOptions();
} catch (error) {
	exitWith(`${error.message}\n\n${help}`);
}
if (given.help) {
	console.log(help);
	process.exit(0);
}
const problem = await explainTakenPorts([
	{ port: given.n8nPort, option: '--n8n-port', use: 'n8n' },
	{ port: given.sandboxPort, option: '--sandbox-port', use: 'the sandbox' },
]);
if (problem) exitWith(problem);
await ensureInstalled({ withN8n: true });
process.exitCode = await runProgram('scripts/demo/main.ts', [JSON.stringify(given)]);
