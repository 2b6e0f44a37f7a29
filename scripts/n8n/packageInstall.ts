import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	watch,
	writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { hostFolder, nodeBinary, projectFolder, stateFolder } from './paths';

const runFile = promisify(execFile);
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/** @returns what npm printed. @throws {Error} with npm's own words */
async function runNpm(args: string[], cwd: string): Promise<string> {
	const running = process.env.npm_execpath ?? '';
	const isNpm = basename(running) === 'npm-cli.js' && existsSync(running);
	const [command, first] = isNpm ? [nodeBinary, [running]] : ['npm', []];
	const shell = !isNpm && process.platform === 'win32';
	const { stdout } = await runFile(command, [...first, ...args], { cwd, shell });
	return stdout;
}

/**
 * `gulp build`: makes `dist` whole. `npm test` has done it before its tests, which run side by side, and says so.
 * @throws {Error} with what the compiler said
 */
export async function buildPackage(): Promise<void> {
	if (process.env.PACKAGE_IS_BUILT === 'true') return;
	const gulp = join(projectFolder, 'node_modules/gulp/bin/gulp.js');
	await runFile(nodeBinary, [gulp, 'build'], { cwd: projectFolder }).catch(
		(error: Error & { stdout?: string }) => {
			throw new Error(`The package could not be built:\n${error.stdout ?? error.message}`);
		},
	);
}

/**
 * Packs the built package as it would be published. Its content is part of the name of the file, since
 * npm takes a tarball of the same name and version for the one it has.
 * @returns the path of the tarball
 */
export async function packPackage(folder: string): Promise<string> {
	// The published one, which publish.yml tests.
	if (process.env.PACKAGE_TO_TEST) return resolve(process.env.PACKAGE_TO_TEST);
	mkdirSync(folder, { recursive: true });
	const printed = await runNpm(
		['pack', '--json', '--pack-destination', folder, ...quiet],
		projectFolder,
	);
	const [{ filename }] = JSON.parse(printed) as [{ filename: string }];
	const packed = join(folder, filename);
	const hash = createHash('sha256').update(readFileSync(packed)).digest('hex').slice(0, 12);
	const tarball = packed.replace(/\.tgz$/, `-${hash}.tgz`);
	renameSync(packed, tarball);
	return tarball;
}

/**
 * Installs the tarball as n8n does when a user installs a community package. Other packages that are
 * there stay. Without a package.json npm would go up and install into a parent folder.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<void> {
	const folder = join(userFolder, '.n8n/nodes');
	mkdirSync(folder, { recursive: true });
	const manifest = join(folder, 'package.json');
	if (!existsSync(manifest)) {
		const empty = { name: 'installed-nodes', private: true, dependencies: {} };
		writeFileSync(manifest, JSON.stringify(empty, null, 2));
	}
	rmSync(join(folder, 'node_modules/n8n-nodes-messaging-service'), {
		recursive: true,
		force: true,
	});
	await runNpm(['install', '--legacy-peer-deps', '--prefer-offline', ...quiet, tarball], folder);
}

/* The package in the n8n of the demo. */
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
