import os from 'node:os';
import { join } from 'node:path';
import { logFolder, projectFolder, stateFolder } from './project.mjs';

const tool = (path, ...args) => [join(projectFolder, 'node_modules', path), ...args];
/** ESLint 10 looks for the configuration of a file in its folder first, and has no flag for it any more. */
const configPerFolder = 'unstable_config_lookup_from_file';
/** What was in order the last time and has not changed since is not looked at again. */
const lastTime = (name) => join(stateFolder, name);
export const jestReport = (name) => join(logFolder, `${name}.json`);
const jest = (name, ...args) =>
	tool(
		'jest/bin/jest.js',
		...['--selectProjects', name, '--json', `--outputFile=${jestReport(name)}`],
		...['--passWithNoTests', ...args],
	);

const cores = os.availableParallelism();
const memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity);
/**
 * End-to-end tests wait most of the time, but a file may start an n8n of its own, for which there has to be memory: with
 * six more files than cores, so many started at once that none did within minutes.
 */
const filesAtOnce = Math.max(2, Math.min(cores + 3, Math.floor(memory / 1.5e9)));

/** Each step waits for those that it is `after`, when they are wanted as well; the rest runs side by side. */
export const steps = [
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
		args: tool(
			'eslint/bin/eslint.js',
			...['.', '--flag', configPerFolder, '--max-warnings', '0'],
			// `npm start` leaves the files of n8n's editor there.
			...['--ignore-pattern', '.state/'],
		),
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
		args: jest('unit', `--maxWorkers=${cores + 2}`),
		after: ['build', 'lint', 'types'],
		isJest: true,
	},
	{
		name: 'e2e',
		label: 'End-to-end tests in a real n8n',
		args: jest('e2e', `--maxWorkers=${filesAtOnce}`),
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

/** The end-to-end tests without which a change cannot be trusted; `npm test -- --all` runs the others, too. */
export const essential = [
	// The installed package, and each node once.
	'smoke',
	'everyNode',
	'nodes/otpVerify',
	'nodes/smsSend',
	'nodes/smsSendAndWait',
	'receipts',
	'sendAndWaitForResponse',
	'largeCampaign',
	// What AI builders find, examples, and the demo.
	'aiBuilders',
	'demo',
	'examples',
].map((name) => `test/e2e/${name}.test.ts`);

const allBut = (...patterns) => ['--testPathIgnorePatterns', '/node_modules/', ...patterns];

/** Weeks of examples take hours, and run every night. */
export const allButWeeks = allBut('/e2e/week/');

/** What only stands beside the nodes, and takes long: the sandbox as a package and in a browser, and the check of a service. */
export const allButLong = allBut('/unit/sandbox/(package|inbox)\\.', '/unit/check/check\\.');
