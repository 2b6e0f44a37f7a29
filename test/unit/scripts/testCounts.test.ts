import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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

	test('names the skipped tests', () => {
		const tests = ['passed', 'pending'].map((status) => ({ status, fullName: `a ${status} test` }));
		const given = JSON.stringify({ testResults: [{ assertionResults: tests }] });
		expect(call(`m.readSkippedTitles(${given})`)).toEqual(['a pending test']);
	});

	test('is "skipped" if no test ran', () => {
		const isSkipped = (counts: object) => call(`m.isSkippedWhole(${JSON.stringify(counts)})`);
		expect(isSkipped({ passed: 0, failed: 0, skipped: 8 })).toBe(true);
		expect(isSkipped({ passed: 1, failed: 0, skipped: 8 })).toBe(false);
		expect(isSkipped({ passed: 0, failed: 0, skipped: 0 })).toBe(false);
	});

	test('returns each reason once', () => {
		const log = JSON.stringify('a\n  Skipped: no Redis\nSkipped: no Redis\nSkipped: no browser\n');
		expect(call(`m.readSkipReasons(${log})`)).toEqual(['no Redis', 'no browser']);
	});
});
