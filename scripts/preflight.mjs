import { accessSync, constants, statfsSync } from 'node:fs';
import { findPinnedNode, projectFolder, readPinnedNodeVersion, system } from './project.mjs';

/*
 * What would fail minutes into the installation is found out first: `inspectMachine` looks, `findObstacles` judges.
 */

function isWritable(folder) {
	try {
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

/** @param {{ neededBytes: number }} plan what is going to be installed */
export function inspectMachine({ neededBytes }) {
	const { bavail, bsize } = statfsSync(projectFolder);
	return {
		system,
		node: process.versions.node,
		pinnedNode: readPinnedNodeVersion().slice(1),
		hasPinnedNode: findPinnedNode() !== undefined,
		folder: projectFolder,
		isWritable: isWritable(projectFolder),
		neededBytes,
		freeBytes: bavail * bsize,
	};
}

/**
 * @param {ReturnType<typeof inspectMachine>} machine
 * @returns {string[]} sentences for the user: what will fail
 */
export function findObstacles({ folder, ...machine }) {
	const [major, pinnedMajor] = [machine.node, machine.pinnedNode].map((text) => parseInt(text));
	const inGigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;
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
