import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
