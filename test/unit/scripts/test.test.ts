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
		[['--only', 'units'], '"units" is not a step.'],
		[['--only', ''], '--only requires a step, or several separated by commas'],
		[['--must-run', ','], '--must-run requires a step, or several separated by commas'],
		[['--only', 'build', '--must-run', 'queue'], '--must-run includes queue, but --only does not.'],
		[['--only', 'lint', 'some/path'], 'Paths work with these steps only: unit, e2e, queue.'],
		[['--n8n', '3'], '"3" is not a version of n8n to test with. Choose 1 or 2.'],
		[['--fast'], "Unknown option '--fast'"],
	])('refuses %j with a sentence and its help', (args, sentence) => {
		const { status, output } = run(...args);
		expect(status).toBe(1);
		expect(output).toContain(sentence);
		expect(output).toContain('npm test -- --only unit path ...');
	});

	test('fails where no test has the path that was asked for', () => {
		const { status, output } = run('--only', 'unit', 'no/such/path');
		expect(output).toContain('No test ran: no test file has no/such/path in its path.');
		expect(status).toBe(1);
	}, 60_000);
});
