import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpClient } from '../../../scripts/http';
import { findFreePort } from '../../../scripts/n8n/freePort';
import { parse } from 'yaml';
import { startSandbox } from '../../../sandbox';
import manifest from '../../../sandbox/package.json';
import { devDependencies } from '../../../package.json';

const root = join(__dirname, '..', '..', '..');
const sandboxFolder = join(root, 'sandbox');
const onPosix = process.platform === 'win32' ? test.skip : test;

describe('the sandbox as a package of its own', () => {
	/** Where it is packed and installed: nothing else is there, and no network is asked. */
	let app: string;
	/** What was built and nothing else: no other node_modules is above it. */
	let folder: string;
	const options = {
		encoding: 'utf8',
		stdio: 'pipe',
		shell: process.platform === 'win32',
	} as const;

	beforeAll(() => {
		app = mkdtempSync(join(tmpdir(), 'sandbox-app-'));
		folder = join(app, 'node_modules', manifest.name, 'dist');
		const pack = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', app];
		execFileSync('npm', pack, { ...options, cwd: sandboxFolder });
		writeFileSync(join(app, 'package.json'), '{"private":true}');
		const tarball = `./messaging-service-sandbox-${manifest.version}.tgz`;
		execFileSync('npm', ['install', '--offline', '--silent', tarball], { ...options, cwd: app });
	}, 120_000);
	afterAll(() => rmSync(app, { recursive: true }));

	test('is one file that starts alone', async () => {
		const alone = mkdtempSync(join(app, 'alone-'));
		copyFileSync(join(folder, 'sandbox.js'), join(alone, 'sandbox.js'));
		const args = ['sandbox.js', '--port', '0', '--json'];
		const program = spawn(process.execPath, args, { cwd: alone });
		const [line] = (await once(program.stdout, 'data')) as [Buffer];
		const { url } = JSON.parse(line.toString()) as { url: string };
		const { data } = await httpClient.get(`${url}/_sandbox/livez`);
		expect(data).toEqual({ status: 'ok' });
		expect(statSync(join(alone, 'sandbox.js')).size).toBeLessThan(230_000);
		program.kill();
	}, 30_000);

	test('starts in the tests of any project', () => {
		const script = `
			const { startSandbox } = require('./index.js');
			startSandbox({ pace: 0 }).then(async (sandbox) => {
				const body = JSON.stringify({ to: '09779123456', message: 'Hello', from: 'Shop' });
				const headers = { authorization: 'Bearer ' + sandbox.token, 'content-type': 'application/json' };
				await fetch(sandbox.baseUrl + '/rest/send', { method: 'POST', headers, body });
				console.log(sandbox.messages().length);
				await sandbox.close();
			});`;
		const options = { cwd: folder, encoding: 'utf8' } as const;
		expect(execFileSync(process.execPath, ['-e', script], options).trim()).toBe('1');
	}, 30_000);

	describe('packed, and installed where there is nothing else and no network', () => {
		test('is run by npx', () => {
			const args = ['--offline', 'messaging-service-sandbox', '--help'];
			const help = execFileSync('npx', args, { ...options, cwd: app });
			expect(help).toContain('--data FOLDER');
		}, 60_000);

		onPosix(
			'checks a service; Ctrl-C completes the request in flight, and the report is written',
			async () => {
				const sandbox = await startSandbox({ latencyMs: 200 });
				const program = join(app, 'node_modules', manifest.name, 'dist', 'sandbox.js');
				const { baseUrl, apiKey, apiSecret } = sandbox;
				const env = {
					...{ ...process.env, CHECK_BASE_URL: baseUrl, CHECK_API_KEY: apiKey },
					...{ CHECK_API_SECRET: apiSecret, CHECK_NUMBER: '09779123456' },
					...{ CHECK_EMAIL: '', CHECK_SENDER: 'Shop' },
				};
				const checking = spawn(process.execPath, [program, 'check', '--yes'], { cwd: app, env });
				const ended = once(checking, 'close');
				await new Promise<void>((resolve) => {
					checking.stdout.on('data', (chunk) => /history \.\.\./.test(String(chunk)) && resolve());
				});
				checking.kill('SIGINT');
				expect(await ended).toEqual([0, null]);
				expect(readFileSync(join(app, 'report.md'), 'utf8')).toContain('- send: interrupted');
				const { calls } = JSON.parse(readFileSync(join(app, 'exchanges.json'), 'utf8')) as {
					calls: Array<{ status: number }>;
				};
				expect(calls).toHaveLength(sandbox.requests().length);
				expect(calls.filter(({ status }) => status === 0)).toEqual([]);
				await sandbox.close();
			},
			60_000,
		);

		const readme = readFileSync(join(sandboxFolder, 'README.md'), 'utf8');
		const readBlock = (language: string) =>
			new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(readme)![1]!;

		const hasShell = ['sh', 'curl'].every(
			(one) => spawnSync(one, ['--version']).error === undefined,
		);
		const inShell = hasShell && process.platform !== 'win32' ? test : test.skip;
		inShell(
			'runs by the lines of the README for a shell, from start to stop',
			async () => {
				const port = await findFreePort();
				const lines = `set -e\n${readBlock('sh')}`.replaceAll('4010', String(port));
				expect(lines.split(String(port))).toHaveLength(6);
				const env = { ...process.env, npm_config_offline: 'true' };
				const output = execFileSync('sh', ['-c', lines], { ...options, cwd: app, env });
				expect(output.replace(/\s/g, '')).toBe(
					'{"status":"ok"}{"balance":1000000,"currency":"MMK"}{"count":1}',
				);
				const isAlive = () =>
					fetch(`http://localhost:${port}`).then(
						() => true,
						() => false,
					);
				for (let waited = 0; waited < 50 && (await isAlive()); waited += 1) await sleep(100);
				expect(await isAlive()).toBe(false);
			},
			60_000,
		);

		test('is imported by its name, with its types, as in the README', () => {
			writeFileSync(join(app, 'readme.mts'), readBlock('ts'));
			writeFileSync(
				join(app, 'use.mts'),
				`import { startSandbox, type FaultRule, type StoredMail } from 'messaging-service-sandbox';
				const sandbox = await startSandbox({ pace: 0 });
				const draft = { from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' };
				const mail: StoredMail = sandbox.addMail(draft);
				const rule: FaultRule = { effect: 'cut', when: 'later', laterMs: 5 };
				sandbox.addFault(rule);
				// @ts-expect-error There is no such setting.
				void (() => sandbox.configure({ pase: 1 }));
				console.log(mail.subject);
				await sandbox.close();`,
			);
			const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
			const strict = ['--strict', '--target', 'es2022', '--module', 'nodenext'];
			const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
			const run = (...args: string[]) =>
				execFileSync(process.execPath, args, { ...options, shell: false, cwd: app });
			run(compiler, ...strict, ...types, 'use.mts', 'readme.mts');
			expect(run('use.mjs')).toBe('s\n');
			expect(run('readme.mjs')).toBe('');
		}, 60_000);

		test('has types for a project that resolves modules as Node 10 did, too', () => {
			writeFileSync(
				join(app, 'older.ts'),
				`import { startSandbox, type Settings } from 'messaging-service-sandbox';
				export const pace: Partial<Settings> = { pace: 0 };
				// @ts-expect-error There is no such setting.
				void (() => startSandbox({ pase: 1 }));`,
			);
			const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
			const node10 = ['--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'];
			const older = ['--module', 'commonjs', ...node10, '--target', 'es2022'];
			const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
			const args = [compiler, '--strict', '--noEmit', ...older, ...types, 'older.ts'];
			execFileSync(process.execPath, args, { ...options, shell: false, cwd: app });
		}, 60_000);

		test('holds the schema of seed files, for editors', () => {
			const file = join(app, 'node_modules', manifest.name, 'dist', 'seed.schema.json');
			const schema = JSON.parse(readFileSync(file, 'utf8')) as { properties: object };
			const names = ['$schema', 'balance', 'numbers', 'messages', 'faults'];
			expect(Object.keys(schema.properties)).toEqual(names);
			expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
		});

		test('holds its license', () => {
			const packed = readFileSync(join(app, 'node_modules', manifest.name, 'LICENSE'), 'utf8');
			expect(packed).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
		});
	});

	test('is never mistaken for its build by the tests beside it', () => {
		// A folder that is imported by its path is led by main and types, past index.ts.
		expect(manifest).not.toHaveProperty('main');
		expect(manifest).not.toHaveProperty('types');
		expect(require.resolve('../../../sandbox')).toBe(join(sandboxFolder, 'index.ts'));
	});

	describe('on a Node that is too old', () => {
		test.each(['20.20.2', '22.15.1', '23.11.1'])(
			'%s ends with how to get a newer one',
			(version) => {
				const set = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
				const args = ['--import', `data:text/javascript,${set}`, 'sandbox.js', '--port', '0'];
				const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder });
				expect([status, stderr.toString()]).toEqual([
					1,
					expect.stringContaining(`except Node 23. This is Node ${version}.\nInstall Node 24 from`),
				]);
				expect(stderr.toString()).toMatch(/^ +npx --yes --package node@24 /m);
			},
		);

		test('names the oldest one everywhere, and CI runs the tests of the sandbox on it', () => {
			const read = (file: string) => readFileSync(join(root, file), 'utf8');
			expect(manifest.engines.node).toBe('>=22.16 <23 || >=24');
			expect(read('sandbox/README.md')).toContain('Node 22.16 or later (except Node 23)');
			const { jobs } = parse(read('.github/workflows/ci.yml')) as {
				jobs: Record<string, { steps: Array<{ with?: object }> }>;
			};
			const versions = jobs.sandbox!.steps.map((step) => step.with);
			expect(versions).toContainEqual({ 'node-version': '22.16.0' });
		});
	});

	test('is built with the versions of the whole project', () => {
		expect(devDependencies).toMatchObject(manifest.devDependencies);
		expect(manifest).not.toHaveProperty('dependencies');
	});
});
