import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isLoopback } from './guard';
import { startSandbox } from './index';
import { spareMemory } from './memory';
import { settingChanges, type Settings, settingTable, type StartOptions } from './settings';

const helpText = `The messaging service on your desk: sends nothing, shows everything.

Usage: npm run sandbox -- [options]

  --port NUMBER        port to listen on (4010; 0 = a free one)
  --host ADDRESS       address to listen on (127.0.0.1)
  --allow-host NAMES   further names it may be called by, separated by commas (none)
  --api-key KEY        API key (demo-key)
  --api-secret SECRET  API secret (demo-secret)
  --pace MS            time between two status steps (1500; 0 = messages stay as they are)
  --balance NUMBER     balance to start with (1000000)
  --currency CODE      currency of the balance (MMK)
  --receipt-url URL    the account's default delivery receipt URL (none)
  --whitelist IPS      only these IP addresses may use the service, separated by commas (any)
  --set NAME=VALUE     a setting, as often as wanted: --set historyLagMs=5000
  --settings FILE      settings as a JSON object (--set comes on top)
  --data FOLDER        keep messages, codes, mails, balance and clock in this folder over restarts (none)
  --help               show this
`;

const options = {
	port: { type: 'string', default: '4010' },
	host: { type: 'string', default: '127.0.0.1' },
	'allow-host': { type: 'string' },
	'api-key': { type: 'string' },
	'api-secret': { type: 'string' },
	pace: { type: 'string' },
	balance: { type: 'string' },
	currency: { type: 'string' },
	'receipt-url': { type: 'string' },
	whitelist: { type: 'string' },
	set: { type: 'string', multiple: true, default: [] as string[] },
	settings: { type: 'string' },
	data: { type: 'string' },
	help: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof readValues>;

function readValues() {
	return parseArgs({ options }).values;
}

function readOptions(values: Values): StartOptions {
	return {
		port: readNumber('port', values.port),
		host: values.host,
		allowedHosts: readList(values['allow-host']),
		apiKey: values['api-key'],
		apiSecret: values['api-secret'],
		pace: readNumber('pace', values.pace),
		balance: readNumber('balance', values.balance),
		currency: values.currency,
		defaultReceiptUrl: readReceiptUrl(values['receipt-url']),
		whitelist: readList(values.whitelist),
		dataFolder: values.data,
		...readSettingsFile(values.settings),
		...Object.fromEntries(values.set.map(readSetting)),
	};
}

function readSettingsFile(file: string | undefined): Partial<Settings> {
	if (file === undefined) return {};
	try {
		return settingChanges.read(JSON.parse(readFileSync(file, 'utf8')), '');
	} catch (error) {
		throw new Error(`The settings of ${file} cannot be used: ${describeError(error)}`);
	}
}

/** A value is JSON where it can be, else a text: `--set pace=0`, `--set currency=USD`. */
function readSetting(text: string): [string, unknown] {
	const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
	if (!Object.hasOwn(settingTable, name)) {
		throw new Error(
			`--set takes the name of a setting and a value, such as pace=0, not "${text}".`,
		);
	}
	try {
		return [name, JSON.parse(value)];
	} catch {
		return [name, value];
	}
}

function readList(text: string | undefined): string[] | undefined {
	return text?.split(',').map((entry) => entry.trim());
}

function readNumber(name: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (text.trim() === '' || !(value >= 0)) {
		throw new Error(`--${name} must be a number from 0, not "${text}".`);
	}
	return value;
}

function readReceiptUrl(text: string | undefined): string | undefined {
	if (text === undefined || URL.canParse(text)) return text;
	throw new Error(
		`--receipt-url must be a URL such as http://localhost:5678/webhook/sms, not "${text}".`,
	);
}

function describeFailure(error: unknown, { host, port }: Values): string {
	const syscall = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') {
		return `Port ${port} is taken. Stop the program that uses it, or choose another port with --port.`;
	}
	if (syscall === 'listen' || syscall === 'getaddrinfo') {
		return `It cannot listen on ${host}, port ${port} (${String(code)}). Choose others with --host and --port.`;
	}
	return describeError(error);
}

function describeError(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

async function main(): Promise<void> {
	spareMemory();
	const values = readValues();
	if (values.help) return void process.stdout.write(helpText);
	const sandbox = await startSandbox(readOptions(values)).catch((error: unknown) => {
		throw new Error(describeFailure(error, values));
	});
	const stop = () => void sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	const address = sandbox.url.replace('//127.0.0.1:', '//localhost:');
	process.stdout.write(`The sandbox of the messaging service is running (Ctrl-C ends it).

  Messages and codes   ${address}/_sandbox
  Base URL             ${address}/api
  API key              ${sandbox.apiKey}

`);
	if (!isLoopback(values.host)) {
		process.stderr.write(
			`Warning: it listens on ${values.host}. Whoever reaches it there can read every code and steer it.\n\n`,
		);
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${describeError(error)}\n`);
	process.exitCode = 1;
});
