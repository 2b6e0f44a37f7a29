import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findHostFolder, npmCommand, projectFolder, readPinnedNodeVersion } from './project.mjs';

/*
 * What would fail minutes into the installation is found out first, in seconds: `inspectMachine` asks,
 * `findObstacles` judges.
 */

const gigabyte = 1e9;
const oldestNode = [20, 15];
const registryPatienceMs = 15_000;
const downloadPatienceMs = 8_000;

/** Codes of npm and Node for a registry that was not reached at all. An answer of any kind is none of them. */
const unreachable =
	/\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EPROTO|SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_\w+)\b/;

function readProxy(env) {
	const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'npm_config_https_proxy', 'npm_config_proxy'];
	const name = names.flatMap((n) => [n, n.toLowerCase()]).find((n) => env[n]);
	return name ? { name, address: withoutLogin(env[name]) } : undefined;
}

function withoutLogin(address) {
	return address.replace(/\/\/[^/@]*@/, '//');
}

/** @returns {string} the code with which the registry could not be reached; empty when it answered */
function askRegistry() {
	const patience = [`--fetch-timeout=${registryPatienceMs}`, '--fetch-retries=0'];
	const pinned = `node@${readPinnedNodeVersion().slice(1)}`;
	const npm = npmCommand(['view', pinned, 'version', '--prefer-online', ...patience]);
	const options = { cwd: projectFolder, shell: npm.shell, encoding: 'utf8' };
	const answer = spawnSync(npm.command, npm.args, { ...options, timeout: 2 * registryPatienceMs });
	if (answer.error?.code === 'ENOENT') return 'npm was not found';
	return answer.status === 0 ? '' : (unreachable.exec(answer.stderr ?? '')?.[1] ?? '');
}

/** Where the database driver looks for a compiled copy of itself before it compiles. */
function readDriverAddress() {
	const lockfile = JSON.parse(readFileSync(join(findHostFolder(), 'package-lock.json'), 'utf8'));
	const { version } = lockfile.packages['node_modules/sqlite3'];
	const isMusl =
		process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
	const system = `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}`;
	const file = `sqlite3-v${version}-napi-v6-${system}.tar.gz`;
	return `https://github.com/TryGhost/node-sqlite3/releases/download/v${version}/${file}`;
}

async function canDownloadDriver() {
	const signal = AbortSignal.timeout(downloadPatienceMs);
	return await fetch(readDriverAddress(), { method: 'HEAD', signal }).then(
		({ ok }) => ok,
		() => false,
	);
}

function isOnPath(program) {
	const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
	return folders.some((folder) => existsSync(join(folder, program)));
}

/** The compiler of Windows lies outside of PATH, where it cannot be looked for. */
function findMissingCompilerParts() {
	if (process.platform === 'win32') return [];
	const wanted = [
		['Python 3', ['python3', 'python']],
		['make', ['make', 'gmake']],
		['a C++ compiler', ['c++', 'g++', 'clang++']],
	];
	return wanted.filter(([, programs]) => !programs.some(isOnPath)).map(([name]) => name);
}

/**
 * @param {{ neededBytes: number, needsDriver: boolean }} plan what is going to be installed
 */
export async function inspectMachine({ neededBytes, needsDriver }) {
	const { bavail, bsize } = statfsSync(projectFolder);
	const missingCompilerParts = findMissingCompilerParts();
	const proxy = readProxy(process.env);
	const isHardToCompile = projectFolder.includes(' ') || missingCompilerParts.length > 0;
	// Node's own fetch knows no proxy: whether the download goes through it cannot be told from here.
	const driver = !needsDriver || !isHardToCompile ? 'fine' : proxy ? 'unknown' : 'asked';
	return {
		node: process.versions.node,
		folder: projectFolder,
		neededBytes,
		freeBytes: bavail * bsize,
		registryCode: askRegistry(),
		proxy,
		missingCompilerParts,
		driver: driver !== 'asked' ? driver : (await canDownloadDriver()) ? 'fine' : 'mustCompile',
	};
}

function explainNode({ node }) {
	const [major, minor] = node.split('.').map(Number);
	const [oldestMajor, oldestMinor] = oldestNode;
	if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return [];
	return [`Node ${node} is too old: take ${oldestNode.join('.')} or later.`];
}

function explainDisk({ freeBytes, neededBytes, folder }) {
	if (freeBytes >= neededBytes) return [];
	const [free, needed] = [freeBytes, neededBytes].map((n) => `${(n / gigabyte).toFixed(1)} GB`);
	return [`The disk of ${folder} has ${free} free, and ${needed} are needed. Make room first.`];
}

function explainRegistry({ registryCode, proxy }) {
	if (registryCode === '') return [];
	const way = proxy
		? `Requests go through the proxy ${proxy.address} (${proxy.name}): check that it runs and lets npm through.`
		: 'Check the network. Behind a proxy, set HTTPS_PROXY to its address, or npm config set https-proxy.';
	return [`npm cannot reach its registry (${registryCode}). ${way}`];
}

/** What stands in the way when n8n's database driver is compiled. */
function explainCompiling({ folder, missingCompilerParts }) {
	const sentences = [];
	if (folder.includes(' ')) {
		sentences.push(
			`The path ${folder} has a space in it, which the compiler does not take. Move the project to a path without spaces.`,
		);
	}
	if (missingCompilerParts.length > 0) {
		const missing = missingCompilerParts.join(', ');
		sentences.push(`This machine lacks: ${missing}. Install that first.`);
	}
	return sentences;
}

/**
 * @param {Awaited<ReturnType<typeof inspectMachine>>} machine
 * @returns {{ obstacles: string[], doubts: string[] }} sentences for the user: what will fail, and what may
 */
export function findObstacles(machine) {
	const { driver } = machine;
	const compiling = driver === 'fine' ? [] : explainCompiling(machine);
	const reason =
		driver === 'mustCompile'
			? "n8n's database driver has to be compiled here, since no compiled copy can be downloaded from github.com."
			: "n8n's database driver has to be compiled if the proxy does not let github.com through.";
	const driverSentences = compiling.length > 0 ? [[reason, ...compiling].join(' ')] : [];
	return {
		obstacles: [
			...explainNode(machine),
			...explainDisk(machine),
			...explainRegistry(machine),
			...(driver === 'mustCompile' ? driverSentences : []),
		],
		doubts: driver === 'unknown' ? driverSentences : [],
	};
}
