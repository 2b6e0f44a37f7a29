import { parseArgs } from 'node:util';
import { isLoopback } from './guard';
import { type Sandbox, startSandbox } from './index';
import { demo, isSettingName, type StartOptions } from './settings';

const helpText = `A local stand-in for the messaging service: it sends nothing and shows everything.

Usage: npm run sandbox -- [options]
       npx --no -- messaging-service-sandbox [options]
       npx --no -- messaging-service-sandbox check [options]   checks a real service: see check --help

  --port NUMBER        port to listen on (4010; 0 = any free port)
  --host ADDRESS       IP address to listen on (127.0.0.1)
  --allow-host NAMES   other host names to accept, separated by commas (none)
  --allow-receiver NAMES
                       with --host: receivers on loopback, such as localhost:5678 (none)
  --control-token TOKEN
                       with --host: token for inbox and control API (generated)
  --api-key KEY        API key (demo-key)
  --api-secret SECRET  API secret (demo-secret)
  --pace MS            time between two statuses (1500; 0 = change them yourself)
  --balance NUMBER     balance to start with (1000000)
  --receipt-url URL    the account's default delivery receipt URL (none)
  --set NAME=VALUE     a setting; repeatable: --set historyLagMs=5000
  --deviate IDS        break assumptions of SUPPORTED.md, separated by commas (none)
  --seed FILE          load balance, numbers, messages and faults from this file (none)
  --json               write one line of JSON when ready: url, baseUrl, inbox, key, secret, pid
  --help               show this help
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
	...{ port: { ...text, default: '4010' }, host: { ...text, default: '127.0.0.1' } },
	...{ 'allow-receiver': text, 'control-token': text },
	...{ 'allow-host': text, 'api-key': text, 'api-secret': text, pace: text, balance: text },
	...{ 'receipt-url': text, seed: text, deviate: text },
	...{ json: flag, help: flag },
	set: { ...text, multiple: true, default: [] as string[] },
} as const;

const readValues = () => parseArgs({ options }).values;
type Values = ReturnType<typeof readValues>;

/** `startSandbox` validates the options. */
function readOptions(values: Values): StartOptions {
	const { port, pace, balance, set } = values;
	const numbers = Object.entries({ port, pace, balance }).filter(([, text]) => text !== undefined);
	const settings = set.map((text) => {
		const [name = '', ...value] = text.split('=');
		if (isSettingName(name) && value.length > 0) return [name, value.join('=')];
		throw new Error(
			`--set requires the name of a setting and a value, such as pace=0, not "${text}".`,
		);
	});
	const read = [...numbers, ...settings].map(([name = '', text = '']) => [name, readValue(text)]);
	return {
		host: values.host,
		allowedHosts: values['allow-host']?.split(',').map((name) => name.trim()),
		allowedReceivers: values['allow-receiver']?.split(',').map((name) => name.trim()),
		controlToken: values['control-token'],
		apiKey: values['api-key'],
		apiSecret: values['api-secret'],
		defaultReceiptUrl: values['receipt-url'],
		deviate: values.deviate?.split(',').map((id) => id.trim()) as StartOptions['deviate'],
		seedFile: values.seed,
		...Object.fromEntries(read),
	};
}

/** JSON if it parses, otherwise a text: `--set pace=0`, `--set currency=USD`. */
function readValue(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function describeFailure(error: NodeJS.ErrnoException, { host, port }: Values): string {
	const { code, syscall, message } = error;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`;
	}
	if (syscall !== 'listen' && syscall !== 'getaddrinfo') return message;
	return `The sandbox cannot listen on ${host}, port ${port} (${code}). Choose others with --host and --port.`;
}

function describeAsJson(sandbox: Sandbox): string {
	const { url, baseUrl, apiKey: key, apiSecret: secret, controlToken } = sandbox;
	const { pid } = process;
	const described = { url, baseUrl, inbox: findInbox(sandbox, url), key, secret, pid };
	return `${JSON.stringify({ ...described, controlToken })}\n`;
}

const findInbox = ({ controlToken }: Sandbox, address: string): string =>
	`${address}/_sandbox${controlToken === undefined ? '' : `?token=${controlToken}`}`;

function describeForPeople(sandbox: Sandbox): string {
	const { url, apiKey, apiSecret, controlToken } = sandbox;
	const address = url.replace(/\/\/(127\.0\.0\.1|0\.0\.0\.0):/, '//localhost:');
	const isDemo = apiSecret === demo.apiSecret;
	const body = JSON.stringify({ to: '09779123456', message: 'Hello', from: 'Shop' });
	// Without the secret, curl prompts for it.
	const user = `-u '${apiKey}${isDemo ? `:${apiSecret}` : ''}'`;
	return `The sandbox of the messaging service is running. Press Ctrl-C to stop.

  Messages and codes   ${findInbox(sandbox, address)}
  Base URL             ${address}/api
  API key              ${apiKey}
${controlToken ? `  Control token        ${controlToken}\n` : ''}${isDemo ? `  API secret           ${apiSecret}\n` : ''}
Send a message:

  curl ${user} -H 'Content-Type: application/json' -d '${body}' ${address}/api/rest/send

`;
}

/** npm starts us through a shell; when npm is told to end, it ends only that shell. */
function endWithParent(stop: () => void): void {
	const { ppid } = process;
	setInterval(() => process.ppid !== ppid && stop(), 200).unref();
}

/** Docker's image is built without the check, which is beside the sandbox. */
async function runCheck(args: string[]): Promise<void> {
	const loaded = await import('../check/main.js').catch(() => undefined);
	if (!loaded) throw new Error('The check is not in this program: run npm run check in a clone.');
	process.exitCode = await loaded.check(args);
}

async function main(): Promise<void> {
	const [, , command, ...args] = process.argv;
	if (command === 'check') return await runCheck(args);
	const values = readValues();
	if (values.help) return void process.stdout.write(helpText);
	const sandbox = await startSandbox(readOptions(values)).catch((error: Error) => {
		throw new Error(describeFailure(error, values));
	});
	const stop = () => void sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	if (/^(npx|sandbox)$/.test(process.env.npm_lifecycle_event ?? '')) endWithParent(stop);
	process.stdout.write(values.json ? describeAsJson(sandbox) : describeForPeople(sandbox));
	if (!isLoopback(values.host)) {
		process.stderr.write(
			`Warning: it listens on ${values.host}. Anyone who can reach it there can use the service; inbox and control need the token.\n\n`,
		);
	}
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
});
