import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	hostFolder,
	nodeBinary,
	npmCommand,
	projectFolder,
	readNodeVersion,
	readPinnedNodeVersion,
} from './project.mjs';
import { readLogTail, runStep } from './steps.mjs';

/*
 * Install scripts of dependencies stay off, but for the two that are named below: `node` (fetches the
 * Node for this machine) and `sqlite3` (n8n's database). Every option is given on the command line,
 * since there it wins over the settings of the machine; the registry stays the user's own.
 */
const common = ['--no-audit', '--no-fund', '--loglevel=warn'];
const npmCi = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', ...common];
const npmRebuild = (name) => ['rebuild', name, '--ignore-scripts=false', ...common];

const tools = {
	folder: projectFolder,
	steps: [
		{
			name: 'install-tools',
			label: 'Installing the development tools (about half a minute)',
			args: npmCi,
		},
		{
			name: 'install-node',
			label: `Installing Node ${readPinnedNodeVersion()} into node_modules`,
			args: npmRebuild('node'),
		},
	],
	isUsable: () => readNodeVersion(nodeBinary) === readPinnedNodeVersion(),
};

const host = {
	folder: hostFolder,
	steps: [
		{
			name: 'install-n8n',
			label: 'Installing n8n (about two minutes, 2 GB)',
			args: [...npmCi, '--legacy-peer-deps'],
		},
		{
			name: 'install-sqlite',
			label: "Installing n8n's database driver (up to a minute)",
			args: npmRebuild('sqlite3'),
		},
	],
	isUsable: async () => {
		const check = { command: nodeBinary, args: ['-e', "require('sqlite3')"], cwd: hostFolder };
		const label = "Trying n8n's database driver";
		return (await runStep({ name: 'install-check', label, ...check })).passed;
	},
};

/** The stamp lives in node_modules, which `npm ci` removes first: an interrupted install has none. */
const stampFile = (part) => join(part.folder, 'node_modules', '.installed');

function fingerprint(part) {
	const lockfile = readFileSync(join(part.folder, 'package-lock.json'));
	const machine = `${process.platform} ${process.arch}`;
	return createHash('sha256').update(lockfile).update(machine).digest('hex');
}

function isInstalled(part) {
	try {
		return readFileSync(stampFile(part), 'utf8') === fingerprint(part);
	} catch {
		return false;
	}
}

async function install(part) {
	rmSync(stampFile(part), { force: true });
	for (const { name, label, args } of part.steps) {
		const result = await runStep({ name, label, ...npmCommand(args), cwd: part.folder });
		if (!result.passed) fail(`${label} did not work.`, result.logFile);
	}
	if (!(await part.isUsable())) {
		fail(`What was installed in ${part.folder} does not run on this machine.`);
	}
	mkdirSync(join(part.folder, 'node_modules'), { recursive: true });
	writeFileSync(stampFile(part), fingerprint(part));
}

function fail(sentence, logFile) {
	if (logFile) console.error(`\n${readLogTail(logFile)}\n`);
	console.error(`${sentence} Check the network and free disk space (3 GB), then run it again.`);
	if (logFile) console.error(`The whole output is in ${logFile}`);
	process.exit(1);
}

/**
 * Installs what is missing or no longer what the lockfiles say; milliseconds when nothing is.
 * @param {{ withN8n: boolean }} options `withN8n`: the n8n of n8n-host as well
 */
export async function ensureInstalled({ withN8n }) {
	const missing = [tools, ...(withN8n ? [host] : [])].filter((part) => !isInstalled(part));
	if (missing.length === 0) return;
	console.log('Installing what is missing. This happens once.');
	for (const part of missing) await install(part);
	console.log('');
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	await ensureInstalled({ withN8n: true });
}
