import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPackage, installPackage, packPackage } from '../n8n/packageInstall';
import { hostFolder, projectFolder, stateFolder } from '../n8n/paths';

const sources = ['package.json', 'tsconfig.json', 'gulpfile.js', 'icons', 'credentials', 'nodes'];
const nodesFolder = join(stateFolder, '.n8n/nodes');
const installed = join(nodesFolder, 'node_modules/n8n-nodes-messaging-service/package.json');
const stampFile = join(nodesFolder, 'installed-from.txt');

function listFiles(path: string): string[] {
	if (!existsSync(path)) return [];
	if (statSync(path).isFile()) return [path];
	return readdirSync(path)
		.sort()
		.flatMap((name) => listFiles(join(path, name)));
}

/** Changes with everything that the packed package is made of. */
function hashSources(): string {
	const hash = createHash('sha256');
	for (const file of sources.flatMap((name) => listFiles(join(projectFolder, name)))) {
		hash.update(file).update(readFileSync(file));
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
