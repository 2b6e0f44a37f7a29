import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { parse } from 'yaml';

import manifest from '../../package.json';
import { buildPackage, packPackage } from '../../scripts/n8n/packageInstall';
import { nodeBinary, projectFolder } from '../../scripts/n8n/paths';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

describe("n8n's scanner", () => {
	let folder: string;
	let unpacked: string;
	let source: string;

	const scan = (ofSource: string, ofPackage: string) => {
		const folders = ['source', ofSource, 'package', ofPackage];
		const args = [join(projectFolder, 'scripts/scan.mjs'), ...folders];
		// In a test of its own, one of the plugins does not look at the names of files.
		const env = { ...process.env, NODE_ENV: '' };
		const { status, stdout, stderr } = spawnSync(nodeBinary, args, { env, encoding: 'utf8' });
		return { status, output: `${stdout}${stderr}` };
	};

	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), 'scan-'));
		[unpacked, source] = [join(folder, 'unpacked'), join(folder, 'source')];
		if (!existsSync(join(projectFolder, 'dist'))) await buildPackage();
		const tarball = await packPackage(folder);
		mkdirSync(unpacked);
		execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
		// What it would take from GitHub, with the icons that its rules look for.
		for (const part of ['package.json', 'nodes', 'credentials', 'icons']) {
			cpSync(join(projectFolder, part), join(source, part), { recursive: true });
		}
	}, 120_000);
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	test('finds nothing in the source and in the packed tarball', () => {
		const output = 'source: passed\npackage: passed\n';
		expect(scan(source, unpacked)).toEqual({ status: 0, output });
	}, 120_000);

	test('finds what a comment would hide, in both', () => {
		const fault = '/* eslint-disable */\nconsole.log(process.env.HOME);\n';
		const faulty = join(folder, 'faulty');
		for (const path of ['nodes/SmsSend/SmsSend.node.ts', 'dist/fault.js']) {
			mkdirSync(dirname(join(faulty, path)), { recursive: true });
			writeFileSync(join(faulty, path), fault);
		}
		cpSync(join(unpacked, 'package.json'), join(faulty, 'package.json'));
		const { status, output } = scan(faulty, faulty);
		expect(status).toBe(1);
		for (const found of output.split(/^(?=package: )/m)) {
			expect(found).toContain('no-restricted-globals');
			expect(found).toContain('no-console');
		}
		expect(output).toMatch(/^source: [^]*^package: /m);
	}, 120_000);
});

describe('the frame of the project', () => {
	interface Step {
		uses?: string;
		run?: string;
	}
	interface Workflow {
		permissions: Record<string, string>;
		jobs: Record<string, { permissions?: Record<string, string>; steps: Step[] }>;
	}
	const workflows = readdirSync(join(projectFolder, '.github/workflows'));
	const readWorkflow = (name: string) => parse(read(`.github/workflows/${name}`)) as Workflow;

	test.each(workflows)('%s reads only, unless a job says more', (name) => {
		expect(readWorkflow(name).permissions).toEqual({ contents: 'read' });
	});

	test.each(workflows)('%s uses actions by commit', (name) => {
		const steps = Object.values(readWorkflow(name).jobs).flatMap((job) => job.steps);
		for (const { uses } of steps.filter((step) => step.uses))
			expect(uses).toMatch(/@[0-9a-f]{40}$/);
	});

	test.each(workflows)('%s runs only scripts and files that are there', (name) => {
		const steps = Object.values(readWorkflow(name).jobs).flatMap((job) => job.steps);
		const commands = steps.map(({ run = '' }) => run).join('\n');
		for (const [, script] of commands.matchAll(/npm run ([\w:]+)/g)) {
			expect(Object.keys(manifest.scripts)).toContain(script);
		}
		for (const [path] of commands.matchAll(/(scripts|\.ci)\/[\w./-]+/g))
			expect(read(path)).not.toBe('');
	});

	test('publishes with provenance, from the one job that may', () => {
		const { jobs } = readWorkflow('publish.yml');
		const mayProve = Object.keys(jobs).filter((name) => jobs[name].permissions?.['id-token']);
		expect(mayProve).toEqual(['publish']);
		const commands = jobs.publish.steps.map(({ run = '' }) => run).join('\n');
		expect(commands).toMatch(/npm publish \S+ --provenance/);
		expect(JSON.stringify(jobs)).not.toContain('secrets.');
	});

	test('uses the same Node everywhere', () => {
		expect(read('.nvmrc').trim()).toBe(manifest.devDependencies.node);
		const { optionalDependencies } = JSON.parse(read('scripts/node/package.json')) as {
			optionalDependencies: Record<string, string>;
		};
		expect(new Set(Object.values(optionalDependencies))).toEqual(
			new Set([manifest.devDependencies.node]),
		);
	});

	test("knows the hashes of that version of n8n's database driver that n8n has", () => {
		const known = /driverVersion = '([^']+)'/.exec(read('scripts/databaseDriver.mjs'))?.[1];
		for (const host of ['n8n-host', 'n8n-host-1']) {
			const { packages } = JSON.parse(read(`${host}/package-lock.json`)) as {
				packages: Record<string, { version: string }>;
			};
			expect(packages['node_modules/sqlite3'].version).toBe(known);
		}
	});

	test("has n8n's own lint configuration untouched, as its strict mode demands", () => {
		expect(manifest.n8n.strict).toBe(true);
		expect(read('eslint.config.mjs').replace(/\s+/g, ' ').trim()).toBe(
			"import { config } from '@n8n/node-cli/eslint'; export default config;",
		);
	});

	test('is installed by a lockfile with a hash for everything, and no address of a registry', () => {
		for (const path of [
			'package-lock.json',
			'n8n-host/package-lock.json',
			'n8n-host-1/package-lock.json',
			'scripts/node/package-lock.json',
			'sandbox/package-lock.json',
			'test/n8nMcp/package-lock.json',
		]) {
			const { packages } = JSON.parse(read(path)) as {
				packages: Record<string, { integrity?: string; resolved?: string; inBundle?: boolean }>;
			};
			const installed = Object.entries(packages).filter(([name]) => name !== '');
			const bare = installed.filter(([, entry]) => !entry.integrity && !entry.inBundle);
			expect(bare.map(([name]) => name)).toEqual([]);
			expect(installed.filter(([, { resolved }]) => resolved)).toEqual([]);
		}
	});
});
