import { parseArgs } from 'node:util';

export const startHelp = `Starts the sandbox and n8n with this package, an example account and example workflows.

  npm start -- --n8n-port 5678 --sandbox-port 4010

  --n8n-port      where n8n listens (5678)
  --sandbox-port  where the sandbox of the messaging service listens (4010)
  --watch         builds and installs the package again when its code changes, and starts n8n again (npm run dev)
  --help          this text
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
	throw new Error(`${option} takes a port from 1 to 65535, not "${text}".`);
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
