import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '../../../scripts/n8n/until';
import { callScript, isAlive } from '../../support/unit/processes';
import { useFolder } from '../../support/useFolder';

const steps = pathToFileURL(join(__dirname, '../../../scripts/steps.mjs')).href;

/** Windows has no signals, nor groups that one could be sent to. */
const testWithSignals = process.platform === 'win32' ? test.skip : test;

describe('a step of npm test', () => {
	const at = useFolder();

	/** Runs a step of which a worker lives on when the step itself has ended, as those of jest do. */
	const startStep = () => {
		const file = at('pid');
		const worker = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1e6);`;
		const step = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(worker)}], { stdio: 'ignore' }); setInterval(() => {}, 1e6);`;
		const runner = `
			import { runStep } from ${JSON.stringify(steps)};
			const args = ['-e', ${JSON.stringify(step)}];
			await runStep({ name: 'test-of-steps', label: 'Step', command: process.execPath, args });
		`;
		const args = ['--input-type=module', '--eval', runner];
		const child = spawn(process.execPath, args, { stdio: 'ignore' });
		const readPid = async () =>
			existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined;
		return { child, findWorker: () => until(readPid, { what: 'a worker', timeoutMs: 20_000 }) };
	};

	testWithSignals.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
		'ends on %s with all that it has started',
		async (signal) => {
			const { child, findWorker } = startStep();
			const worker = await findWorker();
			child.kill(signal);
			await once(child, 'exit');
			const isGone = async () => !isAlive(worker) || undefined;
			await until(isGone, { what: 'the end of the worker', timeoutMs: 15_000 });
		},
		60_000,
	);
});

describe('testCounts', () => {
	const call = (expression: string) => callScript('testCounts.mjs', expression);

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
			const tests = ['passed', 'pending'].map((status) => ({
				status,
				fullName: `a ${status} test`,
			}));
			const given = { ...report(1, 0, 1), testResults: [{ assertionResults: tests }] };
			const titles = ['a pending test'];
			expect(call(`m.countTests(${JSON.stringify(given)}, true)`)).toMatchObject({ titles });
		});

		test('is "skipped" if no test ran', () => {
			const isSkipped = (counts: object) => call(`m.isSkippedWhole(${JSON.stringify(counts)})`);
			expect(isSkipped({ passed: 0, failed: 0, skipped: 8 })).toBe(true);
			expect(isSkipped({ passed: 1, failed: 0, skipped: 8 })).toBe(false);
			expect(isSkipped({ passed: 0, failed: 0, skipped: 0 })).toBe(false);
		});

		test('returns each reason once', () => {
			const log = JSON.stringify(
				'a\n  Skipped: no Redis\nSkipped: no Redis\nSkipped: no browser\n',
			);
			expect(call(`m.readSkipReasons(${log})`)).toEqual(['no Redis', 'no browser']);
		});
	});
});
