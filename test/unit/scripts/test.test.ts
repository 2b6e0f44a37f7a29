import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeBinary, projectFolder } from '../../../scripts/n8n/paths';
import { useFolder } from '../../support/useFolder';

describe('npm test', () => {
	const logs = useFolder();

	const run = (...args: string[]) => {
		const env = { ...process.env, TEST_LOG_FOLDER: logs() };
		const script = join(projectFolder, 'scripts/test.mjs');
		const { status, stdout, stderr } = spawnSync(nodeBinary, [script, ...args], {
			env,
			encoding: 'utf8',
			// Without an error, it would run all tests.
			timeout: 50_000,
		});
		return { status, output: `${stdout}${stderr}` };
	};

	test.each([
		[['--only', 'units'], '--only has "units", which is not a step: build, format,'],
		[['--only', ''], '--only has "", which is not a step'],
		[['--must-run', 'queue,'], '--must-run has "", which is not a step'],
		[
			['--only', 'build', '--must-run', 'queue'],
			'--must-run includes queue, but this run does not.',
		],
		[['--must-run', 'queue'], '--must-run includes queue, but this run does not.'],
		[['--all', '--only', 'e2e'], 'Use --all or --only, not both.'],
		[['--only', 'lint', 'some/path'], 'Paths work with these steps only: unit, e2e, queue.'],
		[['--n8n', '3'], '"3" is not a version of n8n to test with. Choose 1 or 2.'],
		[['--fast'], "Unknown option '--fast'"],
	])('rejects %j with a sentence and its help', (args, sentence) => {
		const { status, output } = run(...args);
		expect(status).toBe(1);
		expect(output).toContain(sentence);
		expect(output).toContain('npm test -- --only unit path ...');
	});

	test('fails if no test file has the path', () => {
		const { status, output } = run('--only', 'unit', 'no/such/path');
		expect(output).toContain('No test ran: no test file has no/such/path in its path.');
		expect(status).toBe(1);
	}, 60_000);

	describe('--list', () => {
		const list = (...args: string[]) =>
			run('--list', ...args)
				.output.trim()
				.split('\n')
				.sort();
		const testFiles = readdirSync(join(projectFolder, 'test'), {
			recursive: true,
			encoding: 'utf8',
		})
			.map((file) => `test/${file.replaceAll('\\', '/')}`)
			.filter((file) => file.endsWith('.test.ts') && !file.includes('/node_modules/'))
			.sort();
		const endToEnd = testFiles.filter((file) => file.startsWith('test/e2e/'));
		const inProcess = testFiles.filter((file) => !/^test\/(e2e|queue)\//.test(file));

		test('has every test file with --all, except the weeks', () => {
			expect(list('--all')).toEqual(testFiles.filter((file) => !file.includes('/e2e/week/')));
		}, 60_000);

		test('has every end-to-end test with --only e2e', () => {
			expect(list('--only', 'e2e')).toEqual(endToEnd);
		}, 60_000);

		test('begins with tests that exist', () => {
			const sequencer = join(projectFolder, 'test/support/longestFirst.cjs');
			const [table] = /const seconds = {[^}]*}/.exec(readFileSync(sequencer, 'utf8')) ?? [];
			const named = [...String(table).matchAll(/'(.+)'/g)].map(
				([, name]) => `test/${name}.test.ts`,
			);
			expect(named.length).toBeGreaterThan(10);
			expect(testFiles).toEqual(expect.arrayContaining(named));
		});

		test('has the tests in process but three, and the essential end-to-end tests, without options', () => {
			const files = list();
			const essential = files.filter((file) => endToEnd.includes(file));
			const leftOut = ['sandbox/inbox', 'sandbox/package', 'check/check'];
			expect(files.filter((file) => !essential.includes(file))).toEqual(
				inProcess.filter((file) => !leftOut.some((name) => file === `test/unit/${name}.test.ts`)),
			);
			const nodes = ['OtpVerify', 'SmsSend', 'SmsSendAndWait'];
			const named = nodes.map((name) => `nodes/${name[0].toLowerCase()}${name.slice(1)}`);
			const others = [
				'demo',
				'everyNode',
				'examples',
				'largeCampaign',
				'receipts',
				'sendAndWaitForResponse',
				'smoke',
			];
			const wanted = [...named, ...others].map((name) => `test/e2e/${name}.test.ts`);
			expect(essential).toEqual(expect.arrayContaining(wanted));
		}, 60_000);
	});
});
