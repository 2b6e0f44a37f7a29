import { parseArgs } from 'node:util';

export const startHelp = `Starts n8n with this package and all examples, a sandbox of the messaging service, and a mail server.

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

function readPort(text, option) {
	const port = Number(text);
	if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
	throw new Error(`${option} must be a port from 1 to 65535, not "${text}".`);
}

/**
 * @param {string[]} args what follows `npm start --`
 * @returns {{ help: boolean, n8nPort: number, sandboxPort: number, watches: boolean }}
 * @throws {Error} with a sentence for the user
 */
export function readStartOptions(args) {
	const { values } = parseArgs({ args, options, strict: true });
	const n8nPort = readPort(values['n8n-port'], '--n8n-port');
	const sandboxPort = readPort(values['sandbox-port'], '--sandbox-port');
	if (n8nPort === sandboxPort) {
		throw new Error('--n8n-port and --sandbox-port must be different ports.');
	}
	return { help: values.help, n8nPort, sandboxPort, watches: values.watch };
}
