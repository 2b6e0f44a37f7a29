import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { environmentWithPinnedNode, nodeBinary, projectFolder } from './project.mjs';
import { readLogTail, runStep } from './steps.mjs';
import {
	add,
	countStep,
	countTests,
	describeTotal,
	isSkippedWhole,
	readSkipReasons,
} from './testCounts.mjs';
import { readOptions } from './testOptions.mjs';
import { jestReport } from './testSteps.mjs';

function readReport(name) {
	try {
		return JSON.parse(readFileSync(jestReport(name), 'utf8'));
	} catch {
		return undefined;
	}
}

const count = ({ name, isJest }, hasPassed) =>
	isJest ? countTests(readReport(name), hasPassed) : countStep(hasPassed);

/** A test that may not be skipped and was, has failed. */
function refuseSkipped(counts) {
	const details = `${counts.skipped} tests that must run were skipped.`;
	return { ...counts, failed: counts.failed + counts.skipped, skipped: 0, details };
}

function tellProblems({ failed, skipped, details, titles = [] }, logFile) {
	for (const reason of readSkipReasons(readFileSync(logFile, 'utf8')))
		console.log(`          ${reason}`);
	if (skipped > 0) console.log(`          ${skipped} skipped, such as:`);
	for (const title of titles.slice(0, 20)) console.log(`          - ${title}`);
	if (failed === 0) return;
	console.log(`\n${details || readLogTail(logFile)}\n`);
	console.log(`Full output: ${logFile}\n`);
}

async function runAndCount(step, env) {
	if (step.isJest) rmSync(jestReport(step.name), { force: true });
	const judge = () => (isSkippedWhole(count(step, true)) ? 'skipped' : 'ok');
	const result = await runStep({ ...step, command: nodeBinary, env, judge });
	const counted = count(step, result.passed);
	const counts = step.mustRun && counted.skipped > 0 ? refuseSkipped(counted) : counted;
	tellProblems(counts, result.logFile);
	return counts;
}

/** Side by side, as far as the steps let it. n8n is installed for the first that needs it: unit tests run without it. */
async function runAll(wanted, withAll) {
	const isBuilt = wanted.some(({ name }) => name === 'build');
	const env = environmentWithPinnedNode({ PACKAGE_IS_BUILT: String(isBuilt) });
	const results = {};
	let installing;
	const run = async (step) => {
		await Promise.all((step.after ?? []).map((name) => results[name]));
		const needed = await results[step.needs];
		if (!needed || needed.failed === 0) {
			if (step.needsN8n) await (installing ??= ensureInstalled({ withN8n: true, withAll }));
			return await runAndCount(step, env);
		}
		console.log(`  not run ${step.label}: ${step.needs} failed`);
		return { passed: 0, failed: 0, skipped: 0 };
	};
	for (const step of wanted) results[step.name] = run(step);
	const counts = await Promise.all(wanted.map(({ name }) => results[name]));
	return { total: counts.reduce(add), ofTests: counts.filter((_, index) => wanted[index].isJest) };
}

/** Prints the test files of each step, one on a line. */
function list(wanted) {
	for (const { args } of wanted.filter(({ isJest }) => isJest)) {
		const options = { cwd: projectFolder, encoding: 'utf8' };
		// With a file for the output, the list would go there.
		const toStdout = args.filter((one) => !one.startsWith('--outputFile'));
		const { stdout } = spawnSync(nodeBinary, [...toStdout, '--listTests'], options);
		for (const file of JSON.parse(stdout))
			console.log(relative(projectFolder, file).replaceAll('\\', '/'));
	}
}

async function test({ wanted, paths, isEssential, isAll }) {
	const { total, ofTests } = await runAll(wanted, isAll);
	const hasFoundNone =
		paths.length > 0 &&
		ofTests.every(({ passed, failed, skipped }) => passed + failed + skipped === 0);
	if (hasFoundNone) {
		console.error(`\nNo test ran: no test file has ${paths.join(' or ')} in its path.`);
	}
	if (isEssential) {
		console.log('\nNot run: queue mode and the longer tests. Run all: npm test -- --all');
	}
	console.log(`\n${describeTotal(total)}`);
	process.exitCode = total.failed > 0 || hasFoundNone ? 1 : 0;
}

const options = readOptions();
await ensureInstalled({ withN8n: false, withAll: !options.isList && options.isAll });
if (options.isList) list(options.wanted);
else await test(options);
