import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { nodeBinary, projectFolder } from '../../../scripts/n8n/paths';

const script = JSON.stringify(`file://${join(projectFolder, 'scripts/testCounts.mjs')}`);

/** The scripts are ES modules of Node, which jest does not load. */
function call(expression: string): unknown {
	const program = `import(${script}).then((m) => console.log(JSON.stringify(${expression})))`;
	return JSON.parse(spawnSync(nodeBinary, ['-e', program], { encoding: 'utf8' }).stdout);
}

const report = (passed: number, failed: number, skipped: number) => ({
	...{ numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped },
	...{ numTodoTests: 0, numRuntimeErrorTestSuites: 0, testResults: [] },
});

describe('the count of a step', () => {
	test.each([
		['tests that were skipped', report(3, 0, 2), true, { passed: 3, failed: 0, skipped: 2 }],
		['a run that broke down', report(3, 0, 0), false, { passed: 3, failed: 1, skipped: 0 }],
		['a run without a report', undefined, true, { passed: 0, failed: 1, skipped: 0 }],
	])('knows %s', (_, of, hasPassed, expected) => {
		const given = JSON.stringify(of) ?? 'undefined';
		expect(call(`m.countTests(${given}, ${hasPassed})`)).toMatchObject(expected);
	});

	test('takes a step for skipped in which nothing else happened', () => {
		const isSkipped = (counts: object) => call(`m.isSkippedWhole(${JSON.stringify(counts)})`);
		expect(isSkipped({ passed: 0, failed: 0, skipped: 8 })).toBe(true);
		expect(isSkipped({ passed: 1, failed: 0, skipped: 8 })).toBe(false);
		expect(isSkipped({ passed: 0, failed: 0, skipped: 0 })).toBe(false);
	});

	test('gives each reason once', () => {
		const log = JSON.stringify('a\n  Skipped: no Redis\nSkipped: no Redis\nSkipped: no browser\n');
		expect(call(`m.readSkipReasons(${log})`)).toEqual(['no Redis', 'no browser']);
	});
});

/** Redis is on PATH or nowhere. */
describe('npm test where there is no Redis', () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'no-redis-'));
		mkdirSync(join(folder, 'bin'));
		for (const name of ['npm', 'sh', 'id'].filter(() => process.platform !== 'win32')) {
			const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
			symlinkSync(found.stdout.trim(), join(folder, 'bin', name));
		}
	});
	afterAll(() => rmSync(folder, { recursive: true }));

	const runQueueStep = (...options: string[]) => {
		const script = join(projectFolder, 'scripts/test.mjs');
		const path = [join(folder, 'bin'), dirname(nodeBinary)].join(
			process.platform === 'win32' ? ';' : ':',
		);
		const { status, stdout } = spawnSync(nodeBinary, [script, '--only', 'queue', ...options], {
			encoding: 'utf8',
			env: { ...process.env, PATH: path },
		});
		return { status, lines: stdout.trimEnd().split('\n') };
	};

	test('says that queue mode was skipped, why, and how many tests that are', () => {
		const { status, lines } = runQueueStep();
		expect(status).toBe(0);
		expect(lines.at(-1)).toMatch(/^0 passed, 0 failed, [1-9]\d* skipped$/);
		expect(lines[0]).toMatch(/^ {2}skipped Queue mode/);
		expect(lines[1]).toContain('this machine has no redis-server');
	}, 120_000);

	test('fails where queue mode has to run', () => {
		const { status, lines } = runQueueStep('--must-run', 'queue');
		expect(status).toBe(1);
		expect(lines.at(-1)).toMatch(/^0 passed, [1-9]\d* failed, 0 skipped$/);
	}, 120_000);
});
