import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { nodeBinary, projectFolder } from '../../../scripts/n8n/paths';
import { startPackageRegistry, type PackageRegistry } from '../../support/e2e/packageRegistry';

interface Lockfile {
	packages: Record<string, { version: string; integrity: string }>;
}

const runFile = promisify(execFile);
const name = `node-${process.platform}-${process.arch}`;
const lockfile = join(projectFolder, 'scripts/node/package-lock.json');
const readLockfile = () => JSON.parse(readFileSync(lockfile, 'utf8')) as Lockfile;
const pinned = readLockfile().packages[`node_modules/${name}`];
/** What poses as Node here is a shell script. */
const describeWhereScriptsRun = process.platform === 'linux' && pinned ? describe : describe.skip;

describeWhereScriptsRun('a Node from the registry that is not the one of the lockfile', () => {
	let folder: string;
	let registry: PackageRegistry;
	let tarball: string;

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'pinned-node-'));
		const forged = join(folder, 'package');
		mkdirSync(join(forged, 'bin'), { recursive: true });
		const manifest = { name, version: pinned.version, bin: { node: 'bin/node' } };
		writeFileSync(join(forged, 'package.json'), JSON.stringify(manifest));
		const script = `#!/bin/sh\necho v${pinned.version}\n`;
		writeFileSync(join(forged, 'bin/node'), script, { mode: 0o755 });
		tarball = join(folder, `${name}-${pinned.version}.tgz`);
		spawnSync('tar', ['-czf', tarball, 'package'], { cwd: folder });
		registry = await startPackageRegistry();
		await registry.publish(tarball);
	});
	afterAll(async () => {
		await registry.close();
		rmSync(folder, { recursive: true });
	});

	/** Installs Node into a copy of the project. @returns what the user is told, and the Node that is there */
	async function installNode(content: Lockfile) {
		const project = mkdtempSync(join(folder, 'project-'));
		const filter = (path: string) => !path.includes('node_modules');
		cpSync(join(projectFolder, 'scripts'), join(project, 'scripts'), { recursive: true, filter });
		cpSync(join(projectFolder, 'package.json'), join(project, 'package.json'));
		writeFileSync(join(project, 'scripts/node/package-lock.json'), JSON.stringify(content));
		const node = join(project, 'node_modules/node');
		mkdirSync(node, { recursive: true });
		const manifest = { name: 'node', version: pinned.version, bin: { node: 'bin/node' } };
		writeFileSync(join(node, 'package.json'), JSON.stringify(manifest));
		const env = { ...process.env, ...registry.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
		const cwd = join(project, 'scripts/node');
		await runFile('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd, env });
		const module = JSON.stringify(`file://${join(project, 'scripts/project.mjs')}`);
		const program = `import(${module}).then(({ placeNode }) => console.log(placeNode()))`;
		const { stdout } = await runFile(nodeBinary, ['-e', program]);
		const placed = join(project, 'node_modules/.bin/node');
		return { told: stdout.trim(), node: existsSync(placed) ? readFileSync(placed, 'utf8') : '' };
	}

	test('is not installed, and the user is told', async () => {
		const { told, node } = await installNode(readLockfile());
		expect(told).toContain(`npm could not download ${name} with the hash in`);
		expect(node).toBe('');
	}, 60_000);

	test('is used if the lockfile has its hash', async () => {
		const content = readLockfile();
		const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64');
		content.packages[`node_modules/${name}`].integrity = `sha512-${hash}`;
		const { told, node } = await installNode(content);
		expect(told).toBe('');
		expect(node).toContain(`echo v${pinned.version}`);
	}, 60_000);
});
