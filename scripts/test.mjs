import { readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import {
	defaultLine,
	environmentWithPinnedNode,
	hosts,
	logFolder,
	nodeBinary,
	projectFolder,
	stateFolder,
} from './project.mjs';
import { printLine, readLogTail, runStep } from './steps.mjs';
import {
	add,
	countStep,
	countTests,
	describeTotal,
	isSkippedWhole,
	readSkipReasons,
} from './testCounts.mjs';

const tool = (path, ...args) => [join(projectFolder, 'node_modules', path), ...args];
/** ESLint 10 looks for the configuration of a file in its folder first, and has no flag for it any more. */
const configPerFolder = 'unstable_config_lookup_from_file';
/** What was in order the last time and has not changed since is not looked at again. */
const lastTime = (name) => join(stateFolder, name);
const jestReport = (name) => join(logFolder, `${name}.json`);
const jest = (name, ...args) =>
	tool(
		'jest/bin/jest.js',
		'--selectProjects',
		name,
		'--json',
		`--outputFile=${jestReport(name)}`,
		'--passWithNoTests',
		...args,
	);

const cores = os.availableParallelism();
/** Each step waits for those that it is `after`, when they are wanted as well; the rest runs side by side. */
const steps = [
	{ name: 'build', label: 'Build', args: tool('gulp/bin/gulp.js', 'build') },
	{
		name: 'format',
		label: 'Format',
		args: tool(
			'prettier/bin/prettier.cjs',
			...['--check', '.', '--cache', '--cache-strategy', 'content'],
			...['--cache-location', lastTime('prettier')],
		),
	},
	{
		name: 'lint',
		label: 'Lint',
		args: tool('eslint/bin/eslint.js', '--flag', configPerFolder, '.', '--max-warnings', '0'),
		after: ['format'],
	},
	{
		name: 'types',
		label: 'Types',
		args: tool(
			'typescript/bin/tsc',
			...['--project', 'tsconfig.all.json', '--incremental'],
			...['--tsBuildInfoFile', lastTime('types.tsbuildinfo')],
		),
		after: ['build'],
	},
	{
		name: 'unit',
		label: 'Unit and workflow tests',
		// Some of its files wait for a while.
		args: jest('unit', `--maxWorkers=${cores + 1}`),
		after: ['build', 'lint', 'types'],
		isJest: true,
	},
	{
		name: 'e2e',
		label: 'End-to-end tests in a real n8n',
		// Most of its files wait most of the time: more of them than there are cores.
		args: jest('e2e', `--maxWorkers=${cores + 2}`),
		needs: 'build',
		// Beside the unit tests, which need every core, both would take longer than one after the other.
		after: ['build', 'unit'],
		needsN8n: true,
		isJest: true,
	},
	{
		name: 'queue',
		label: 'Queue mode with Redis and Postgres',
		args: jest('queue', '--runInBand'),
		needs: 'build',
		// It waits even more: for workers that are killed, and for what is to happen after a minute.
		after: ['build', 'unit'],
		needsN8n: true,
		isJest: true,
	},
];
const names = steps.map(({ name }) => name);

const help = `Runs every check: ${names.join(', ')}.

  npm test
  npm test -- --only unit              one step, or several separated by commas
  npm test -- --only unit path ...     only test files whose path contains one of these
  npm test -- --must-run queue         counts skipped tests of this step as failed
  npm test -- --n8n 1                  another version of n8n (${Object.keys(hosts).join(' or ')}; default: ${defaultLine})
`;

function readSteps(option, text) {
	const wanted = text.split(',').flatMap((name) => name.trim() || []);
	const unknown = wanted.find((name) => !names.includes(name));
	if (unknown !== undefined)
		throw new Error(`"${unknown}" is not a step. Steps: ${names.join(', ')}.`);
	if (wanted.length > 0) return wanted;
	throw new Error(
		`${option} requires a step, or several separated by commas: ${names.join(', ')}.`,
	);
}

/** The line of n8n of the run that this one is part of, if it is. */
function readLine() {
	const lines = Object.keys(hosts);
	return lines.find((line) => hosts[line] === process.env.E2E_N8N_HOST_FOLDER) ?? defaultLine;
}

function readWantedSteps() {
	const options = {
		only: { type: 'string' },
		'must-run': { type: 'string' },
		n8n: { type: 'string', default: readLine() },
		help: { type: 'boolean', default: false },
	};
	const { values, positionals } = parseArgs({ options, allowPositionals: true });
	if (values.help) {
		console.log(help);
		process.exit(0);
	}
	const host = hosts[values.n8n];
	if (!host)
		throw new Error(
			`"${values.n8n}" is not a version of n8n to test with. Choose ${Object.keys(hosts).join(' or ')}.`,
		);
	process.env.E2E_N8N_HOST_FOLDER = host;
	const only = values.only === undefined ? names : readSteps('--only', values.only);
	const mustRun =
		values['must-run'] === undefined ? [] : readSteps('--must-run', values['must-run']);
	requireSense(only, mustRun, positionals);
	const wanted = steps
		.filter(({ name }) => only.includes(name))
		.map((step) => ({
			...step,
			args: step.isJest ? [...step.args, ...positionals] : step.args,
			mustRun: mustRun.includes(step.name),
		}));
	return { wanted, paths: positionals };
}

/** What could only run nothing, and would look as if all were well. */
function requireSense(only, mustRun, paths) {
	const leftOut = mustRun.filter((name) => !only.includes(name)).join(', ');
	if (leftOut) throw new Error(`--must-run includes ${leftOut}, but --only does not.`);
	const withPaths = steps.filter(({ isJest }) => isJest).map(({ name }) => name);
	if (paths.length === 0 || withPaths.some((name) => only.includes(name))) return;
	throw new Error(`Paths work with these steps only: ${withPaths.join(', ')}.`);
}

function readReport(name) {
	try {
		return JSON.parse(readFileSync(jestReport(name), 'utf8'));
	} catch {
		return undefined;
	}
}

function count({ name, isJest }, hasPassed) {
	return isJest ? countTests(readReport(name), hasPassed) : countStep(hasPassed);
}

/** A test that may not be skipped and was, has failed. */
function refuseSkipped(counts) {
	const details = `${counts.skipped} tests that must run were skipped.`;
	return { ...counts, failed: counts.failed + counts.skipped, skipped: 0, details };
}

function tellProblems({ failed, skipped, details }, logFile) {
	for (const reason of readSkipReasons(readFileSync(logFile, 'utf8')))
		printLine(`          ${reason}`);
	if (skipped > 0) printLine(`          ${skipped} skipped`);
	if (failed === 0) return;
	printLine(`\n${details || readLogTail(logFile)}\n`);
	printLine(`Full output: ${logFile}\n`);
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

/** Side by side, as far as the steps let it. */
async function runAll(wanted) {
	const isBuilt = wanted.some(({ name }) => name === 'build');
	const env = environmentWithPinnedNode({ PACKAGE_IS_BUILT: String(isBuilt) });
	const results = {};
	const run = async (step) => {
		await Promise.all((step.after ?? []).map((name) => results[name]));
		const needed = await results[step.needs];
		if (!needed || needed.failed === 0) return await runAndCount(step, env);
		printLine(`  not run ${step.label}: ${step.needs} failed`);
		return { passed: 0, failed: 0, skipped: 0 };
	};
	for (const step of wanted) results[step.name] = run(step);
	const counts = await Promise.all(wanted.map(({ name }) => results[name]));
	return { total: counts.reduce(add), ofTests: counts.filter((_, index) => wanted[index].isJest) };
}

function readWantedOrExit() {
	try {
		return readWantedSteps();
	} catch (error) {
		console.error(`${error.message}\n\n${help}`);
		return process.exit(1);
	}
}

const { wanted, paths } = readWantedOrExit();
await ensureInstalled({ withN8n: wanted.some(({ needsN8n }) => needsN8n) });
const { total, ofTests } = await runAll(wanted);
const hasFoundNone =
	paths.length > 0 &&
	ofTests.every(({ passed, failed, skipped }) => passed + failed + skipped === 0);
if (hasFoundNone) {
	console.error(`\nNo test ran: no test file has ${paths.join(' or ')} in its path.`);
}
console.log(`\n${describeTotal(total)}`);
process.exitCode = total.failed > 0 || hasFoundNone ? 1 : 0;
