import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	watch,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPackage, installPackage, packPackage } from '../n8n/packageInstall';
import { hostFolder, projectFolder, stateFolder } from '../n8n/paths';

const sources = ['package.json', 'tsconfig.json', 'gulpfile.js', 'icons', 'credentials', 'nodes'];
const nodesFolder = join(stateFolder, '.n8n/nodes');
const installed = join(nodesFolder, 'node_modules/n8n-nodes-messaging-service/package.json');
const stampFile = join(nodesFolder, 'installed-from.txt');

/** Changes with everything that the packed package is made of. */
function hashSources(): string {
	const hash = createHash('sha256');
	for (const source of sources) {
		const path = join(projectFolder, source);
		const inside = statSync(path).isFile() ? [] : readdirSync(path, { recursive: true }).sort();
		for (const file of [path, ...inside.map((name) => join(path, String(name)))]) {
			if (statSync(file).isFile()) hash.update(file).update(readFileSync(file));
		}
	}
	return hash.digest('hex');
}

/**
 * The package that is installed here lies below this project, where it would find the project's own
 * n8n-workflow. A user's finds the one that n8n runs with, and so shall this one.
 */
function linkN8nWorkflow(): void {
	const link = join(nodesFolder, 'node_modules/n8n-workflow');
	rmSync(link, { recursive: true, force: true });
	mkdirSync(dirname(link), { recursive: true });
	symlinkSync(join(hostFolder, 'node_modules/n8n-workflow'), link, 'junction');
}

/**
 * Builds, packs and installs the package for n8n the way users install it, when it has changed.
 * @returns whether there was anything to do
 */
export async function preparePackage(): Promise<boolean> {
	const hash = hashSources();
	const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
	const isCurrent = stamp === hash && existsSync(installed);
	if (!isCurrent) {
		rmSync(join(stateFolder, 'package'), { recursive: true, force: true });
		await buildPackage();
		await installPackage(await packPackage(join(stateFolder, 'package')), stateFolder);
		writeFileSync(stampFile, hash);
	}
	linkN8nWorkflow();
	return !isCurrent;
}

const quietMs = 300;

/**
 * Calls `onChange` after files of the package have changed and a moment passed in which none did: editors
 * write a file in several steps. A change while `onChange` is at work is followed by another call.
 */
export function watchSources(onChange: () => Promise<void>): void {
	let timer: NodeJS.Timeout | undefined;
	let isAtWork = false;
	const work = async () => {
		if (isAtWork) return onEvent();
		isAtWork = true;
		await onChange();
		isAtWork = false;
	};
	const onEvent = () => {
		clearTimeout(timer);
		timer = setTimeout(() => void work(), quietMs);
	};
	for (const folder of ['nodes', 'credentials', 'icons']) {
		watch(join(projectFolder, folder), { recursive: true }, onEvent);
	}
}
