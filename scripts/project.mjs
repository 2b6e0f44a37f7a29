import { spawnSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	linkSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * What every script needs before anything is installed: where things are, and how npm and the
 * project's own Node are started. Plain JavaScript without dependencies, for Node 20.19 and later.
 */

export const projectFolder = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** The n8n that the demo and the tests run with: a folder with its own lockfile for each line of n8n. */
export const hosts = { 1: 'n8n-host-1', 2: 'n8n-host' };
export const defaultLine = '2';
/** The folder of the n8n that is meant; `E2E_N8N_HOST_FOLDER` names another than the default. */
export const findHostFolder = () =>
	join(projectFolder, process.env.E2E_N8N_HOST_FOLDER ?? hosts[defaultLine]);
export const stateFolder = join(projectFolder, '.state');
/** Another one than the usual is for a run within a run. */
export const logFolder = process.env.TEST_LOG_FOLDER ?? join(stateFolder, 'logs');

const oldestNode = '20.19';

/** @returns {string} a sentence for the user; empty when that Node is new enough */
export function explainOldNode(version) {
	const [major, minor] = version.split('.').map(Number);
	const [oldestMajor, oldestMinor] = oldestNode.split('.').map(Number);
	const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
	return isNewEnough ? '' : `Node ${version} is too old: install ${oldestNode} or later.`;
}

// Before anything runs that an older Node does not know.
if (explainOldNode(process.versions.node) !== '') {
	console.error(explainOldNode(process.versions.node));
	process.exit(1);
}

const isWindows = process.platform === 'win32';

const isMusl =
	process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
/** Such as `linux-x64`, `linuxmusl-x64` (Alpine), `darwin-arm64`, `win32-x64`. */
export const system = `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}`;

/** n8n needs Node 24; the npm package `node` brings one, whatever the machine has. */
export const nodeBinary = join(
	projectFolder,
	'node_modules/node/bin',
	isWindows ? 'node.exe' : 'node',
);

/** @returns {string} the version of a Node executable such as `v24.21.0`; empty when it does not run */
export function readNodeVersion(binary) {
	if (!existsSync(binary)) return '';
	return spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

export function readPinnedNodeVersion() {
	const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
	return `v${manifest.devDependencies.node}`;
}

/** The environment in which a command named `node` is the project's own. */
export function environmentWithPinnedNode(extra = {}) {
	const path = [dirname(nodeBinary), process.env.PATH ?? ''].join(delimiter);
	return { ...process.env, ...extra, PATH: path };
}

/**
 * How to start npm: through the one that runs us, so that no shell is needed, else by its name.
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function npmCommand(args) {
	const running = process.env.npm_execpath ?? '';
	// Under `npm run`, `node` is the project's own where there is one, and an installation removes it.
	const isOurs = process.execPath.startsWith(join(projectFolder, 'node_modules'));
	if (!isOurs && basename(running) === 'npm-cli.js' && existsSync(running)) {
		return { command: process.execPath, args: [running, ...args], shell: false };
	}
	return { command: 'npm', args, shell: isWindows };
}

/*
 * The Node that everything runs on. The npm package `node` fetches it without a hash, so its install
 * script stays off: the packages that it would fetch stand in a lockfile of their own, and the one of
 * this system is put where `node` would have put it. Where the lockfile has none, the Node of the
 * machine is taken, if it is of the same line: nothing is installed whose hash is not known.
 */

export const pinnedNodeFolder = join(projectFolder, 'scripts/node');
const lockfile = join(pinnedNodeFolder, 'package-lock.json');

/** The Node for this system, as a folder in `pinnedNodeFolder`; undefined where the lockfile has none. */
export function findPinnedNode() {
	const packages = Object.entries(JSON.parse(readFileSync(lockfile, 'utf8')).packages);
	return packages.find(([, { os, cpu }]) => `${os}-${cpu}` === system)?.[0];
}

/** Where the headers of that Node are, for compilers; undefined where there are none. */
export function findNodeHeaders(binary = nodeBinary) {
	const folder = findPinnedNode()
		? join(pinnedNodeFolder, findPinnedNode())
		: resolve(dirname(realpathSync(binary)), '..');
	return existsSync(join(folder, 'include/node/node_api.h')) ? folder : undefined;
}

/** A link costs no space; where there can be none, as between disks, a copy does it. */
function place(from, link) {
	mkdirSync(dirname(nodeBinary), { recursive: true });
	rmSync(nodeBinary, { force: true });
	try {
		link(from, nodeBinary);
	} catch {
		copyFileSync(from, nodeBinary);
	}
	// npm makes the command `node` of this file, which on Windows has another name than it expects.
	if (basename(nodeBinary) !== 'node') writeFileSync(join(dirname(nodeBinary), 'node'), '');
	const { command, args, shell } = npmCommand(['rebuild', 'node', '--ignore-scripts']);
	spawnSync(command, args, { cwd: projectFolder, shell });
}

/**
 * Puts Node in its place, after `npm ci` has run in its folder.
 * @returns {string} what went wrong, for the user; empty when it is there and runs
 */
export function placeNode() {
	const folder = findPinnedNode();
	if (folder === undefined) {
		// By its name only: a Node that was installed with libraries finds them from where it lies.
		place(process.execPath, symlinkSync);
		return readNodeVersion(nodeBinary) === process.version ? '' : `${nodeBinary} does not run.`;
	}
	const binary = join(pinnedNodeFolder, folder, 'bin', basename(nodeBinary));
	// npm goes on without an optional package that it did not get, or not with the hash of the lockfile.
	if (!existsSync(binary)) {
		return `npm could not download ${basename(folder)} with the hash in ${lockfile}. Check your network and npm's registry setting.`;
	}
	place(binary, linkSync);
	return readNodeVersion(nodeBinary) === readPinnedNodeVersion()
		? ''
		: `${nodeBinary} does not run on this machine.`;
}
