import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	findHostFolder,
	nodeBinary,
	npmCommand,
	projectFolder,
	readNodeVersion,
	readPinnedNodeVersion,
} from './project.mjs';
import { findObstacles, inspectMachine } from './preflight.mjs';
import { readLogTail, runStep } from './steps.mjs';

/*
 * Install scripts of dependencies stay off, but for the two that are named below: `node` (fetches the
 * Node for this machine) and `sqlite3` (n8n's database). Every option is given on the command line,
 * since there it wins over the settings of the machine; the registry stays the user's own.
 */
const common = ['--no-audit', '--no-fund', '--loglevel=warn'];
const npmCi = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', ...common];
const npmRebuild = (name) => ['rebuild', name, '--ignore-scripts=false', ...common];

const nodeVersion = readPinnedNodeVersion();

/** In this order: the later ones need the earlier ones. */
const listParts = () => [
	{
		name: 'install-tools',
		label: 'Installing the development tools (about a minute)',
		folder: projectFolder,
		args: npmCi,
		bytes: 1.1e9,
	},
	{
		name: 'install-node',
		label: `Installing Node ${nodeVersion} into node_modules`,
		folder: projectFolder,
		args: npmRebuild('node'),
		isUsable: () => readNodeVersion(nodeBinary) === nodeVersion,
	},
	{
		name: 'install-n8n',
		label: 'Installing n8n (about two minutes, 2 GB)',
		folder: findHostFolder(),
		args: [...npmCi, '--legacy-peer-deps'],
		bytes: 2.4e9,
		isPartOfN8n: true,
	},
	{
		name: 'install-sqlite',
		label: "Installing n8n's database driver (about a minute where it must be compiled)",
		folder: findHostFolder(),
		args: npmRebuild('sqlite3'),
		isUsable: canLoadDatabaseDriver,
		isPartOfN8n: true,
	},
];

function canLoadDatabaseDriver() {
	const check = spawnSync(nodeBinary, ['-e', "require('sqlite3')"], { cwd: findHostFolder() });
	return check.status === 0;
}

/** The stamps live in node_modules, which `npm ci` removes first: an interrupted install has none. */
const stampFile = ({ folder, name }) => join(folder, 'node_modules', `.${name}`);

function fingerprint({ folder }) {
	const lockfile = readFileSync(join(folder, 'package-lock.json'));
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
	const { name, label, folder, args, isUsable = () => true } = part;
	const { passed, logFile } = await runStep({ name, label, ...npmCommand(args), cwd: folder });
	if (!passed || !isUsable()) fail(logFile);
	writeFileSync(stampFile(part), fingerprint(part));
}

function fail(logFile) {
	console.error(`\n${readLogTail(logFile, 40)}\n`);
	console.error(`The whole output is in ${logFile}`);
	console.error('Check the network and the free disk space, then run it again.');
	process.exit(1);
}

/** Says what would fail before anything is downloaded. */
async function checkMachine(missing) {
	const neededBytes = missing.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
	const needsDriver = missing.some(({ name }) => name === 'install-sqlite');
	const { obstacles, doubts } = findObstacles(await inspectMachine({ neededBytes, needsDriver }));
	for (const doubt of doubts) console.log(doubt);
	if (obstacles.length === 0) return;
	console.error(`This cannot work yet:\n  - ${obstacles.join('\n  - ')}`);
	process.exit(1);
}

/**
 * Installs what is missing or no longer what the lockfiles say; milliseconds when nothing is.
 * @param {{ withN8n: boolean }} options `withN8n`: the n8n of n8n-host as well, or of the folder that `E2E_N8N_HOST` names
 */
export async function ensureInstalled({ withN8n }) {
	const wanted = listParts().filter(({ isPartOfN8n }) => withN8n || !isPartOfN8n);
	const missing = wanted.filter((part) => !isInstalled(part));
	if (missing.length === 0) return;
	await checkMachine(missing);
	console.log('Installing what is missing. This happens once.');
	for (const part of wanted) {
		if (!isInstalled(part)) await install(part);
	}
	console.log('');
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	await ensureInstalled({ withN8n: true });
}
