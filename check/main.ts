import { accessSync, constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { hasDifference, render, tellsLittle } from './report';
import { type Results, runSteps, type User } from './run';
import type { Given } from './Service';
import { type Step, steps } from './steps';

const helpText = `Checks a messaging service with your account, and reports where it differs from what the nodes assume.

Usage: npm run check -- [options]
       npx --no -- messaging-service-sandbox check [options]

  --dry             list the steps and what each can cost, and stop
  --only NAMES      only these steps, separated by commas
  --messages NUMBER budget of messages (5)
  --codes NUMBER    budget of one-time codes (2)
  --public-url URL  public URL of this computer, to receive receipts; with ...
  --receive PORT    ... the local port that it forwards to (4011)
  --out FOLDER      where report.md and exchanges.json are written (.)
  --from FILE       print the report of a saved exchanges.json
  --yes             do not ask before a step that costs something
  --help            show this help

It asks for Base URL, key, secret, number, email and sender ID, or reads them from CHECK_BASE_URL, CHECK_API_KEY,
CHECK_API_SECRET, CHECK_NUMBER, CHECK_EMAIL and CHECK_SENDER. They are not options, since other users can read the options of a running program.

Exit codes: 0 nothing is different, 2 something is, 3 most rows could not tell, 1 it ended early.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
	...{ dry: flag, yes: flag, help: flag, only: text, from: text, 'public-url': text },
	messages: { ...text, default: '5' },
	codes: { ...text, default: '2' },
	receive: { ...text, default: '4011' },
	out: { ...text, default: '.' },
} as const;
const readValues = (args: string[]) => parseArgs({ args, options }).values;
type Values = ReturnType<typeof readValues>;

const questions: Array<[name: keyof Given, variable: string, question: string]> = [
	['baseUrl', 'CHECK_BASE_URL', 'Base URL, such as https://sms.example.com/api: '],
	['apiKey', 'CHECK_API_KEY', 'API key: '],
	['apiSecret', 'CHECK_API_SECRET', 'API secret (not shown): '],
	['number', 'CHECK_NUMBER', 'Your own phone number, such as 09791234567: '],
	['email', 'CHECK_EMAIL', 'Your own email address (empty: no code by email): '],
	['sender', 'CHECK_SENDER', 'Sender ID that is registered for your account: '],
];

type Ask = (question: string, hides?: boolean) => Promise<string>;

/** A prompt on the terminal, which can hide what is typed. Once `signal` is aborted or Ctrl-D closed it, it rejects. */
function openPrompt(signal: AbortSignal, stop: () => void) {
	const closed = new AbortController();
	const ends = AbortSignal.any([signal, closed.signal]);
	let isHidden = false;
	const output = new Writable({
		write: (chunk: Buffer, _, done) => {
			if (!isHidden) process.stdout.write(chunk);
			done();
		},
	});
	const { isTTY } = process.stdin;
	const prompt = createInterface({ input: process.stdin, output, terminal: isTTY });
	prompt.on('SIGINT', stop).on('close', () => closed.abort());
	const ask: Ask = async (question, hides = false) => {
		ends.throwIfAborted();
		process.stdout.write(question);
		isHidden = hides;
		const line = await prompt.question('', { signal: ends }).finally(() => (isHidden = false));
		if (hides) process.stdout.write('\n');
		return line.trim();
	};
	return { ask, close: () => prompt.close() };
}

const toNumber = (name: string, given: string): number => {
	if (/^\d{1,5}$/.test(given)) return Number(given);
	throw new Error(`--${name} must be a whole number, not "${given}".`);
};

const describeStep = ({ name, does, messages = 0, codes = 0 }: Step): string => {
	const cost = [messages && `up to ${messages} messages`, codes && `${codes} code`];
	return `  ${name.padEnd(11)} ${does} Cost: ${cost.filter(Boolean).join(', ') || 'none'}.`;
};

/** Of the environment, or typed in. @throws Error when it is not complete */
async function readGiven(values: Values, ask: Ask): Promise<Given> {
	const given: Record<string, string | undefined> = { receiptUrl: values['public-url'] };
	for (const [name, variable, question] of questions) {
		const value = process.env[variable] ?? (await ask(question, name === 'apiSecret'));
		if (value === '' && name !== 'email')
			throw new Error(`Nothing was sent: ${variable} is empty.`);
		given[name] = value || undefined;
	}
	if (/^https?:\/\//.test(given.baseUrl ?? '') && URL.canParse(given.baseUrl ?? '')) {
		return given as unknown as Given;
	}
	throw new Error('Nothing was sent: the Base URL must begin with https:// or http://.');
}

/** A full disk leaves what was written before. */
function write(file: string, text: string): void {
	writeFileSync(`${file}.part`, text);
	renameSync(`${file}.part`, file);
}

/** Where results are saved as they come. @throws Error when a file cannot be written, before anything is sent */
function openFiles(folder: string) {
	const [report, exchanges] = [join(folder, 'report.md'), join(folder, 'exchanges.json')];
	try {
		accessSync(join(folder, '.'), constants.W_OK);
	} catch (error) {
		const why = (error as Error).message;
		throw new Error(`Nothing was sent: --out ${folder} cannot be written (${why}).`);
	}
	let problem = '';
	// The run goes on: its report is printed at the end.
	const tell = ({ message }: Error): void => {
		if (message !== problem) process.stderr.write(`Not saved: ${message}\n`);
		problem = message;
	};
	const save = (results: Results): void => {
		try {
			write(report, render(results));
			write(exchanges, `${JSON.stringify(results, null, '\t')}\n`);
		} catch (error) {
			tell(error as Error);
		}
	};
	return { report, save };
}

function readSteps({ only }: Values): string[] {
	const names = only?.split(',').map((name) => name.trim()) ?? [];
	const unknown = names.find((name) => !steps.some((step) => step.name === name));
	if (unknown === undefined) return names;
	throw new Error(`--only: "${unknown}" is not a step. --dry lists them.`);
}

/** @throws Error when nothing was sent */
async function meet(values: Values): Promise<Results> {
	const only = readSteps(values);
	const budget = {
		messages: toNumber('messages', values.messages),
		codes: toNumber('codes', values.codes),
	};
	const port = toNumber('receive', values.receive);
	const { report, save } = openFiles(values.out);
	const interrupted = new AbortController();
	const { signal } = interrupted;
	let isUnderWay = false;
	const stop = (): void => {
		if (signal.aborted) return;
		const rest = `Finishing the request in flight. The results are in ${report}.`;
		process.stdout.write(`\nInterrupted. ${isUnderWay ? rest : 'Nothing was sent.'}\n`);
		interrupted.abort();
	};
	// A closed pipe, too, ends it: what was seen is saved.
	process.stdout.on('error', stop);
	process.on('SIGINT', stop).on('SIGTERM', stop);
	const { ask, close } = openPrompt(signal, stop);
	try {
		const given = await readGiven(values, ask);
		const user: User = {
			ask: (question) => ask(question).catch(() => ''),
			tell: (line) => void process.stdout.write(`${line}\n`),
			confirm: async (step) =>
				values.yes ||
				/^y/i.test(await ask(`${describeStep(step)}\n  Run it? (y/N) `).catch(() => '')),
		};
		const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
		isUnderWay = true;
		const wanted = { budget, only, port, signal, pause, now: Date.now, save };
		return await runSteps(given, user, wanted);
	} catch (error) {
		throw signal.aborted ? new Error('Run it again to start from the beginning.') : error;
	} finally {
		close();
	}
}

/**
 * @returns 0 if nothing is different, 2 if something is, 3 if most rows could not tell, 1 if it ended early
 * @throws Error if nothing was learned
 */
export async function check(args: string[]): Promise<number> {
	const values = readValues(args);
	if (values.help) process.stdout.write(helpText);
	if (values.dry) process.stdout.write(`${steps.map(describeStep).join('\n')}\n`);
	if (values.help || values.dry) return 0;
	const { from } = values;
	const results =
		from === undefined ? await meet(values) : (JSON.parse(readFileSync(from, 'utf8')) as Results);
	process.stdout.write(`\n${render(results)}`);
	if (from === undefined) {
		process.stdout.write(`\nSaved ${join(values.out, 'report.md')} and exchanges.json.\n`);
	}
	if (results.ended !== undefined) return 1;
	if (tellsLittle(results)) return 3;
	return hasDifference(results) ? 2 : 0;
}
