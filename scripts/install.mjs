import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
	findHostFolder,
	nodeBinary,
	npmCommand,
	pinnedNodeFolder,
	placeNode,
	projectFolder,
	readPinnedNodeVersion,
} from './project.mjs';
import { findObstacles, inspectMachine } from './preflight.mjs';
import { readLogTail, runStep } from './steps.mjs';

/*
 * Install scripts of dependencies stay off, since what they download has no hash in a lockfile. What is
 * needed of it, Node and n8n's database driver, is installed here. Every option is given on the command
 * line, since there it wins over the settings of the machine; the registry stays the user's own.
 */
const common = ['--no-audit', '--no-fund', '--loglevel=warn'];
const npmCi = (...args) =>
	npmCommand(['ci', '--ignore-scripts', '--include=dev', '--include=optional', ...common, ...args]);

/** In this order: the later ones need the earlier ones. A part that could not be used says why in `finish`. */
const listParts = () => [
	{
		name: 'install-tools',
		label: 'Installing the development tools (about a minute)',
		folder: projectFolder,
		...npmCi(),
		bytes: 1.1e9,
	},
	{
		name: 'install-node',
		label: `Installing Node ${readPinnedNodeVersion()} into node_modules`,
		folder: projectFolder,
		cwd: pinnedNodeFolder,
		...npmCi(),
		finish: placeNode,
	},
	{
		name: 'install-n8n',
		label: 'Installing n8n (about two minutes, 2 GB)',
		folder: findHostFolder(),
		...npmCi('--legacy-peer-deps'),
		bytes: 2.4e9,
		isPartOfN8n: true,
	},
	{
		name: 'install-sqlite',
		label: "Installing n8n's database driver (about a minute if it must be compiled)",
		folder: findHostFolder(),
		command: nodeBinary,
		args: [join(projectFolder, 'scripts/databaseDriver.mjs')],
		finish: tryDatabaseDriver,
		isPartOfN8n: true,
	},
	{
		name: 'install-n8n-mcp',
		label: 'Installing n8n-mcp for a test (80 MB)',
		folder: join(projectFolder, 'test/n8nMcp'),
		...npmCi(),
		isForAll: true,
	},
];

function tryDatabaseDriver() {
	const options = { cwd: findHostFolder(), encoding: 'utf8' };
	const { status, stderr } = spawnSync(nodeBinary, ['-e', "require('sqlite3')"], options);
	return status === 0 ? '' : `n8n's database driver does not load:\n${stderr}`;
}

/** The stamps live in node_modules, which `npm ci` removes first: an interrupted install has none. */
const stampFile = ({ folder, name }) => join(folder, 'node_modules', `.${name}`);

function fingerprint({ folder, cwd = folder }) {
	const lockfile = readFileSync(join(cwd, 'package-lock.json'));
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

const whatToCheck =
	'Check the free disk space and your network. Behind a proxy, set HTTPS_PROXY to its URL, or run npm config set https-proxy.';

async function install(part) {
	rmSync(stampFile(part), { force: true });
	const { folder, cwd = folder, finish = () => '' } = part;
	const { passed, logFile } = await runStep({ ...part, cwd });
	const problem = passed ? finish() : whatToCheck;
	if (problem !== '') fail(logFile, problem);
	writeFileSync(stampFile(part), fingerprint(part));
}

function fail(logFile, problem) {
	console.error(`\n${readLogTail(logFile, 40)}\n`);
	console.error(`Full output: ${logFile}`);
	console.error(`${problem} Then run the command again.`);
	process.exit(1);
}

/** Says what would fail before anything is downloaded. */
function checkMachine(missing) {
	console.log('Checking whether everything can be installed ...');
	const neededBytes = missing.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
	const obstacles = findObstacles(inspectMachine({ neededBytes }));
	if (obstacles.length === 0) return;
	console.error(`The installation can't start yet:\n  - ${obstacles.join('\n  - ')}`);
	process.exit(1);
}

/**
 * Installs what is missing or no longer what the lockfiles say; milliseconds when nothing is.
 * @param {{ withN8n: boolean, withAll?: boolean }} options `withN8n`: the n8n of n8n-host as well, or of the folder
 * that `E2E_N8N_HOST_FOLDER` names; `withAll`: also what only `npm test -- --all` needs
 */
export async function ensureInstalled({ withN8n, withAll = false }) {
	const wanted = listParts().filter(
		({ isPartOfN8n, isForAll }) => (withN8n || !isPartOfN8n) && (withAll || !isForAll),
	);
	const missing = wanted.filter((part) => !isInstalled(part));
	if (missing.length === 0) return;
	checkMachine(missing);
	console.log('Installing what is missing (only once).');
	for (const part of wanted) {
		if (!isInstalled(part)) await install(part);
	}
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	await ensureInstalled({ withN8n: true });
}
