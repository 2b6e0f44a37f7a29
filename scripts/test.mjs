import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { environmentWithPinnedNode, logFolder, nodeBinary, projectFolder } from './project.mjs';
import { readLogTail, runStep } from './steps.mjs';

const tool = (path, ...args) => [join(projectFolder, 'node_modules', path), ...args];
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

const steps = [
	{ name: 'format', label: 'Format', args: tool('prettier/bin/prettier.cjs', '--check', '.') },
	{ name: 'lint', label: 'Lint', args: tool('eslint/bin/eslint.js', '.', '--max-warnings', '0') },
	{
		name: 'types',
		label: 'Types',
		args: tool('typescript/bin/tsc', '--project', 'tsconfig.all.json'),
	},
	{ name: 'build', label: 'Build', args: tool('gulp/bin/gulp.js', 'build') },
	{
		name: 'unit',
		label: 'Unit and workflow tests',
		args: jest('unit', '--maxWorkers=2'),
		isJest: true,
	},
	{
		name: 'e2e',
		label: 'End-to-end tests in a real n8n',
		args: jest('e2e', '--maxWorkers=2'),
		needs: 'build',
		needsN8n: true,
		isJest: true,
	},
	{
		name: 'queue',
		label: 'Queue mode with Redis and Postgres, where they are installed',
		args: jest('queue', '--runInBand'),
		needs: 'build',
		needsN8n: true,
		isJest: true,
	},
];
const names = steps.map(({ name }) => name);

const help = `Checks everything: ${names.join(', ')}.

  npm test
  npm test -- --only unit          one step, or several with commas between
`;

function readWantedSteps() {
	const options = { only: { type: 'string' }, help: { type: 'boolean', default: false } };
	const { values } = parseArgs({ options });
	if (values.help) {
		console.log(help);
		process.exit(0);
	}
	const wanted = values.only?.split(',').map((name) => name.trim()) ?? names;
	const unknown = wanted.find((name) => !names.includes(name));
	if (unknown !== undefined) throw new Error(`There is no step "${unknown}".\n\n${help}`);
	return steps.filter(({ name }) => wanted.includes(name));
}

/** How many tests of a jest run passed and failed; a run that broke down counts as one failure. */
function countTests({ name, passed }) {
	try {
		const report = JSON.parse(readFileSync(jestReport(name), 'utf8'));
		const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
		const messages = report.testResults.map(({ message }) => message).filter(Boolean);
		return {
			passed: report.numPassedTests,
			failed: passed ? failed : Math.max(failed, 1),
			details: messages.join('\n'),
		};
	} catch {
		return { passed: 0, failed: 1, details: '' };
	}
}

const countStep = ({ passed }) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1, details: '' });

async function runAndCount(step, env) {
	if (step.isJest) rmSync(jestReport(step.name), { force: true });
	const result = await runStep({ ...step, command: nodeBinary, env });
	const counts = step.isJest ? countTests(result) : countStep(result);
	if (counts.failed > 0) {
		console.log(`\n${counts.details || readLogTail(result.logFile)}\n`);
		console.log(`The whole output is in ${result.logFile}\n`);
	}
	return counts;
}

async function runAll(wanted) {
	const isBuilt = wanted.some(({ name }) => name === 'build');
	const env = environmentWithPinnedNode({ PACKAGE_IS_BUILT: String(isBuilt) });
	const total = { passed: 0, failed: 0 };
	const failedSteps = new Set();
	for (const step of wanted) {
		if (failedSteps.has(step.needs)) {
			console.log(`  not run ${step.label}: ${step.needs} failed`);
			continue;
		}
		const { passed, failed } = await runAndCount(step, env);
		total.passed += passed;
		total.failed += failed;
		if (failed > 0) failedSteps.add(step.name);
	}
	return total;
}

function readWantedOrExit() {
	try {
		return readWantedSteps();
	} catch (error) {
		console.error(error.message);
		return process.exit(1);
	}
}

const wanted = readWantedOrExit();
await ensureInstalled({ withN8n: wanted.some(({ needsN8n }) => needsN8n) });
const { passed, failed } = await runAll(wanted);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
