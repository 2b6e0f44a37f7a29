import { join } from 'node:path';
import { connectToN8n, type N8nApi } from '../n8n/n8nApi';
import { startN8nProcess, type N8nProcess } from '../n8n/n8nProcess';
import { logFolder, stateFolder } from '../n8n/paths';
import type { SupervisedProcess } from '../n8n/supervisedProcess';
import { ensureCredential, findReceiptUrl, importExamples } from './demoContent';
import { readDemoState, saveDemoState } from './demoState';
import { preparePackage } from './preparePackage';
import { setDefaultReceiptUrl, startDemoSandbox, type SandboxProcess } from './sandboxProcess';

/*
 * The second half of `npm start`, on the project's own Node: scripts/start.mjs has read the options,
 * looked at the ports and installed what was missing.
 */

const owner = { email: 'demo@example.com', password: 'Demo-12345' };
const running: SupervisedProcess[] = [];
let isEnding = false;

function say(sentence: string): void {
	console.log(`  ${sentence}`);
}

async function end(code: number): Promise<void> {
	if (isEnding) return;
	isEnding = true;
	if (running.length > 0) say('Ending n8n and the sandbox ...');
	await Promise.all(running.map(async (program) => await program.stop()));
	process.exit(code);
}

/** A program that ends while nobody asked it to takes everything down, with its last words. */
function watch(program: SupervisedProcess, name: string): void {
	running.push(program);
	void program.ended.then((code) => {
		if (isEnding) return;
		const tail = program.log().trimEnd().split('\n').slice(-30).join('\n');
		console.error(`\n${tail}\n\n${name} has ended by itself (code ${code}).`);
		void end(1);
	});
}

async function fillN8n(api: N8nApi, sandbox: SandboxProcess): Promise<void> {
	const state = readDemoState();
	try {
		const credential = await ensureCredential(api, state, sandbox.baseUrl);
		for (const problem of await importExamples(api, state, credential)) say(problem);
		const receiptUrl = await findReceiptUrl(api, state);
		if (receiptUrl) await setDefaultReceiptUrl(sandbox, receiptUrl);
	} finally {
		saveDemoState(state);
	}
}

/** @returns undefined when the user has changed the login: the account is theirs then */
async function logIn(url: string): Promise<N8nApi | undefined> {
	return await connectToN8n(url, owner).catch((error: Error) => {
		say(`The demo login does not work (any more), so n8n stays as you have set it up.`);
		say(error.message);
		return undefined;
	});
}

function tellWhereToClick(url: string, sandbox: SandboxProcess, isDemoLogin: boolean): void {
	const login = isDemoLogin ? `${owner.email}   password ${owner.password}` : 'your own login';
	console.log(`
  Everything runs.

    n8n        ${url}
    Log in     ${login}
    Sandbox    ${sandbox.pageUrl}   (sent messages and one-time codes show up here)

  First steps: open n8n, log in, open one of the workflows in the list and click "Execute workflow".
  The credential "Messaging Service (sandbox)" is ready; its base address is ${sandbox.baseUrl}

  Your work is kept in ${stateFolder}
  Logs are in ${logFolder}
  Ctrl-C ends n8n and the sandbox.
`);
}

async function prepareAndStartN8n(port: number): Promise<N8nProcess> {
	const hasChanged = await preparePackage();
	say(hasChanged ? 'The package is installed in n8n.' : 'The package in n8n is up to date.');
	say('Starting n8n (the first time it prepares its database, up to a minute) ...');
	const logFile = join(logFolder, 'n8n.log');
	return await startN8nProcess({ userFolder: stateFolder, port, logFile });
}

/** What is still starting when another part fails ends with this process. */
async function start(n8nPort: number, sandboxPort: number): Promise<void> {
	say('Starting the sandbox, building and installing the package ...');
	const [sandbox, n8n] = await Promise.all([
		startDemoSandbox(sandboxPort),
		prepareAndStartN8n(n8nPort),
	]);
	watch(sandbox, 'The sandbox');
	watch(n8n, 'n8n');
	const api = await logIn(n8n.url);
	if (api) await fillN8n(api, sandbox);
	tellWhereToClick(n8n.url, sandbox, api !== undefined);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
	process.on(signal, () => void end(0));
}
const [n8nPort, sandboxPort] = process.argv.slice(2).map(Number);
start(n8nPort, sandboxPort).catch((error: Error) => {
	if (isEnding) return;
	console.error(`\n${error.message}\n`);
	void end(1);
});
