import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devDependencies } from '../../../package.json';
import { findFreePort } from '../../../scripts/n8n/freePort';
import manifest from '../../../sandbox/package.json';
import { onPosix, projectFolder, sleep, useStarts } from '../../support/sandbox/harness';

const read = (...names: string[]) => readFileSync(join(projectFolder, ...names), 'utf8');

describe('the sandbox as a package of its own', () => {
	/** Where it is packed and installed: nothing else is there, and no network is asked. */
	let app: string;
	/** What was built and nothing else: no other node_modules is above it. */
	let folder: string;
	const options = { encoding: 'utf8', stdio: 'pipe' } as const;
	const shell = process.platform === 'win32';
	/** A command in the app. */
	const run = (command: string, args: string[], further = {}) =>
		execFileSync(command, args, { ...options, shell, cwd: app, ...further });
	const runNode = (...args: string[]) => run(process.execPath, args, { shell: false });

	beforeAll(() => {
		app = mkdtempSync(join(tmpdir(), 'sandbox-app-'));
		folder = join(app, 'node_modules', manifest.name, 'dist');
		const pack = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', app];
		run('npm', pack, { cwd: join(projectFolder, 'sandbox') });
		writeFileSync(join(app, 'package.json'), '{"private":true}');
		const tarball = `./messaging-service-sandbox-${manifest.version}.tgz`;
		run('npm', ['install', '--offline', '--silent', tarball]);
	}, 120_000);
	afterAll(() => rmSync(app, { recursive: true }));

	test('is one file that starts alone', async () => {
		const alone = mkdtempSync(join(app, 'alone-'));
		copyFileSync(join(folder, 'sandbox.js'), join(alone, 'sandbox.js'));
		const args = ['sandbox.js', '--port', '0', '--json'];
		const program = spawn(process.execPath, args, { cwd: alone });
		const [line] = (await once(program.stdout, 'data')) as [Buffer];
		const { url } = JSON.parse(line.toString()) as { url: string };
		const answer = await fetch(`${url}/_sandbox/livez`);
		expect(await answer.json()).toEqual({ status: 'ok' });
		expect(statSync(join(alone, 'sandbox.js')).size).toBeLessThan(230_000);
		program.kill();
	});

	test('is run by npx', () => {
		const help = run('npx', ['--offline', 'messaging-service-sandbox', '--help']);
		expect(help).toContain('--seed FILE');
	});

	test('holds its license, and the schema of seed files for editors', () => {
		const packed = readFileSync(join(app, 'node_modules', manifest.name, 'LICENSE'), 'utf8');
		expect(packed).toBe(read('LICENSE'));
		const schema = JSON.parse(readFileSync(join(folder, 'seed.schema.json'), 'utf8')) as object;
		expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
		const names = ['$schema', 'balance', 'numbers', 'messages', 'faults'];
		expect(Object.keys((schema as { properties: object }).properties)).toEqual(names);
	});

	describe('in a project with nothing else and no network', () => {
		const start = useStarts();

		onPosix(
			'checks a service; Ctrl-C completes the request in flight, and the report is written',
			async () => {
				const sandbox = await start({ latencyMs: 200 });
				const { baseUrl, apiKey, apiSecret } = sandbox;
				const env = {
					...{ ...process.env, CHECK_BASE_URL: baseUrl, CHECK_API_KEY: apiKey },
					...{ CHECK_API_SECRET: apiSecret, CHECK_NUMBER: '09779123456' },
					...{ CHECK_EMAIL: '', CHECK_SENDER: 'Shop' },
				};
				const args = [join(folder, 'sandbox.js'), 'check', '--yes'];
				const checking = spawn(process.execPath, args, { cwd: app, env });
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
			},
		);

		const readBlock = (language: string) =>
			new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(read('sandbox/README.md'))![1]!;

		const programs = ['sh', 'curl'];
		const hasShell = programs.every((one) => spawnSync(one, ['--version']).error === undefined);
		const inShell = hasShell && !shell ? test : test.skip;
		inShell('runs by the lines of the README for a shell, from start to stop', async () => {
			const port = await findFreePort();
			const lines = `set -e\n${readBlock('sh')}`.replaceAll('4010', String(port));
			expect(lines.split(String(port))).toHaveLength(6);
			const env = { ...process.env, npm_config_offline: 'true' };
			const output = run('sh', ['-c', lines], { env });
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
		});

		const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');
		const typeRoots = join(projectFolder, 'node_modules/@types');
		const compile = (...args: string[]) => {
			const strict = ['--strict', '--target', 'es2022', '--types', 'node'];
			runNode(compiler, ...strict, '--typeRoots', typeRoots, ...args);
		};
		const wrong = '// @ts-expect-error There is no such setting.';

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
				${wrong}
				void (() => sandbox.configure({ pase: 1 }));
				console.log(mail.subject);
				await sandbox.close();`,
			);
			compile('--module', 'nodenext', 'use.mts', 'readme.mts');
			expect(runNode('use.mjs')).toBe('s\n');
			expect(runNode('readme.mjs')).toBe('');
		});
	});

	test.each(['20.20.2', '22.15.1', '23.11.1'])(
		'on Node %s ends with how to get a newer one',
		(version) => {
			const set = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
			const args = ['--import', `data:text/javascript,${set}`, 'sandbox.js', '--port', '0'];
			const { status, stderr } = spawnSync(process.execPath, args, { ...options, cwd: folder });
			const words = `except Node 23. This is Node ${version}.\nInstall Node 24 from`;
			expect([status, stderr]).toEqual([1, expect.stringContaining(words)]);
			expect(stderr).toMatch(/^ +npx --yes --package node@24 /m);
		},
	);

	test('is built with the versions of the whole project', () => {
		expect(devDependencies).toMatchObject(manifest.devDependencies);
		expect(manifest).not.toHaveProperty('dependencies');
	});
});
