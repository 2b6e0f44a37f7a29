import { join } from 'node:path';
import { logInToN8n, N8nClient } from '../n8n/n8nClient';
import { startN8nProcess, type N8nProcess } from '../n8n/n8nProcess';
import { preparePackage, watchSources } from '../n8n/packageInstall';
import { logFolder, stateFolder } from '../n8n/paths';
import type { SupervisedProcess } from '../n8n/supervisedProcess';
import {
	doorCredentials,
	ensureCredentials,
	findReceiptUrl,
	importExamples,
	mailCredential,
	openDemoState,
	saveDemoState,
	serviceCredential,
	type DemoState,
} from './demoContent';
import {
	demoSenders,
	setDefaultReceiptUrl,
	startDemoSandbox,
	type SandboxProcess,
} from './sandboxProcess';
import { type Mailbox, showInInbox, startMailbox } from './mailbox';

/*
 * The second half of `npm start`, on the project's own Node: scripts/start.mjs has read the options,
 * looked at the ports and installed what was missing.
 */

const email = 'demo@example.com';
const running = new Set<SupervisedProcess>();
let isEnding = false;

function say(sentence: string): void {
	console.log(`  ${sentence}`);
}

async function end(code: number): Promise<void> {
	if (isEnding) return;
	isEnding = true;
	if (running.size > 0) say('Stopping n8n and the sandbox ...');
	await Promise.all([...running].map(async (program) => await program.stop()));
	process.exit(code);
}

/** A program that ends while nobody asked it to takes everything down, with its last words. */
function watch(program: SupervisedProcess, name: string): void {
	running.add(program);
	void program.ended.then((code) => {
		if (isEnding || !running.has(program)) return;
		const tail = program.log().trimEnd().split('\n').slice(-30).join('\n');
		console.error(`\n${tail}\n\n${name} stopped unexpectedly (code ${code}).`);
		void end(1);
	});
}

interface DemoOptions {
	n8nPort: number;
	sandboxPort: number;
	/** Whether a change of the package is installed, and n8n started again. */
	watches: boolean;
}

interface Demo {
	state: DemoState;
	sandbox: SandboxProcess;
	mailbox: Mailbox;
}

async function fillN8n(api: N8nClient, { state, sandbox, mailbox }: Demo): Promise<void> {
	try {
		const wanted = [
			serviceCredential(sandbox.baseUrl),
			mailCredential(mailbox.port),
			...doorCredentials(state.password),
		];
		const ready = await ensureCredentials(api, state, wanted);
		const addresses = { n8n: api.url, inbox: sandbox.pageUrl };
		for (const problem of await importExamples(api, state, ready, addresses)) say(problem);
		const receiptUrl = await findReceiptUrl(api, state);
		if (receiptUrl) await setDefaultReceiptUrl(sandbox, receiptUrl);
	} finally {
		saveDemoState(state);
	}
}

/** @returns undefined when the user has changed the login: the account is theirs then */
async function logIn(url: string, password: string): Promise<N8nClient | undefined> {
	try {
		return new N8nClient(url, await logInToN8n(url, { email, password }));
	} catch (error) {
		say('The demo login no longer works, so n8n was left as you set it up.');
		say(`To start over, delete ${stateFolder}`);
		say((error as Error).message);
		return undefined;
	}
}

function tellWhereToClick(url: string, { state, sandbox }: Demo, isDemoLogin: boolean): void {
	const login = isDemoLogin ? `${email}   password ${state.password}` : 'your own login';
	console.log(`
  Everything is running.

    n8n        ${url}/home/workflows
    Log in     ${login}
    Inbox      ${sandbox.pageUrl}   (shows sent messages, one-time codes and emails; at first, a week of an invented shop)
    Sender IDs ${demoSenders.join(', ')}   (registered for the demo's account; others are rejected)

  To begin, open n8n, log in, open the workflow "01 Send one SMS", and choose "Execute workflow".
  Two credentials are ready: "Messaging Service (sandbox)" with the Base URL ${sandbox.baseUrl},
  and "Demo mail server". Examples that ask for a login use the name demo and the password above;
  those that ask for a key use the header X-Api-Key with the same password.

  Your work is saved in ${stateFolder}
  Logs are in ${logFolder}
  Press Ctrl-C to stop.
`);
}

async function startDemoN8n(port: number): Promise<N8nProcess> {
	const logFile = join(logFolder, 'n8n.log');
	// Otherwise 9:00 in a workflow is 9:00 in New York.
	const env = { GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone };
	return await startN8nProcess({ userFolder: stateFolder, port, logFile, env });
}

async function prepareAndStartN8n(port: number): Promise<N8nProcess> {
	const hasChanged = await preparePackage();
	say(hasChanged ? 'Installed the package in n8n.' : 'The package in n8n is up to date.');
	say('Starting n8n (the first start takes up to a minute) ...');
	return await startDemoN8n(port);
}

/** n8n reads its nodes when it starts. Code that does not compile leaves the running one as it is. */
function restartOnChange(first: N8nProcess, port: number): void {
	let n8n = first;
	const restart = async () => {
		say('The code has changed: building and installing the package ...');
		if (!(await preparePackage())) return say('Nothing to do: the package has not changed.');
		running.delete(n8n);
		await n8n.stop();
		if (isEnding) return;
		n8n = await startDemoN8n(port);
		watch(n8n, 'n8n');
		say('n8n now runs the new code. Reload the page in your browser.');
	};
	watchSources(async () => {
		if (!isEnding) await restart().catch((error: Error) => console.error(`\n${error.message}\n`));
	});
	say('Watching nodes, credentials and icons: n8n restarts when they change.');
}

/** What is still starting when another part fails ends with this process. */
async function start(options: DemoOptions): Promise<void> {
	const { n8nPort, sandboxPort, watches } = options;
	const state = openDemoState();
	say('Starting the sandbox, building and installing the package ...');
	const [sandbox, n8n] = await Promise.all([
		startDemoSandbox(sandboxPort),
		prepareAndStartN8n(n8nPort),
	]);
	const mailbox = await startMailbox(showInInbox(sandbox.pageUrl));
	watch(sandbox, 'The sandbox');
	watch(n8n, 'n8n');
	const demo = { state, sandbox, mailbox };
	const api = await logIn(n8n.url, state.password);
	if (api) await fillN8n(api, demo);
	tellWhereToClick(n8n.url, demo, api !== undefined);
	if (watches) restartOnChange(n8n, n8nPort);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
	process.on(signal, () => void end(0));
}
start(JSON.parse(process.argv[2]) as DemoOptions).catch((error: Error) => {
	if (isEnding) return;
	console.error(`\n${error.message}\n`);
	void end(1);
});
