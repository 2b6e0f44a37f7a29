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
import { basename, dirname, join, resolve } from 'node:path';
import {
	nodeBinary,
	npmCommand,
	projectFolder,
	readNodeVersion,
	readPinnedNodeVersion,
	system,
} from './project.mjs';

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
