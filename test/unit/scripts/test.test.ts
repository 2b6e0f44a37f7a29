import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeBinary, projectFolder } from '../../../scripts/n8n/paths';

describe('npm test', () => {
	let logs: string;

	beforeAll(() => (logs = mkdtempSync(join(tmpdir(), 'test-logs-'))));
	afterAll(() => rmSync(logs, { recursive: true, force: true }));

	const run = (...args: string[]) => {
		const env = { ...process.env, TEST_LOG_FOLDER: logs };
		const script = join(projectFolder, 'scripts/test.mjs');
		const { status, stdout, stderr } = spawnSync(nodeBinary, [script, ...args], {
			env,
			encoding: 'utf8',
			// What is not refused would test everything.
			timeout: 20_000,
		});
		return { status, output: `${stdout}${stderr}` };
	};

	test.each([
		[['--only', 'units'], 'There is no step "units".'],
		[['--only', ''], '--only takes one of the steps, or several with commas between.'],
		[['--must-run', ','], '--must-run takes one of the steps, or several with commas between.'],
		[
			['--only', 'build', '--must-run', 'queue'],
			'--must-run names queue, which --only leaves out.',
		],
		[['--only', 'lint', 'some/path'], 'Paths are for unit, e2e, queue.'],
		[['--n8n', '3'], 'There is no n8n "3" here.'],
		[['--fast'], "Unknown option '--fast'"],
	])('refuses %j with a sentence and its help', (args, sentence) => {
		const { status, output } = run(...args);
		expect(status).toBe(1);
		expect(output).toContain(sentence);
		expect(output).toContain('npm test -- --only unit path ...');
	});

	test('fails where no test has the path that was asked for', () => {
		const { status, output } = run('--only', 'unit', 'no/such/path');
		expect(output).toContain('No test ran: no path of a test file holds no/such/path.');
		expect(status).toBe(1);
	}, 60_000);
});
