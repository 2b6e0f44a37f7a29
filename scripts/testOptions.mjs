import { parseArgs } from 'node:util';
import { defaultLine, hosts } from './project.mjs';
import { allButLong, allButWeeks, essential, steps } from './testSteps.mjs';

const names = steps.map(({ name }) => name);

const help = `Runs the checks before a commit: ${names.filter((name) => name !== 'queue').join(', ')}.
Without options, it leaves out what takes long: most of e2e, and tests of the sandbox's package and inbox.

  npm test
  npm test -- --all                    every test but the weeks in e2e/week, and queue mode: what CI runs
  npm test -- --only unit              one step, or several separated by commas
  npm test -- --only unit path ...     only test files whose path contains one of these
  npm test -- --list                   lists the test files instead of running them
  npm test -- --must-run queue         counts skipped tests of this step as failed
  npm test -- --n8n 1                  another version of n8n (${Object.keys(hosts).join(' or ')}; default: ${defaultLine})
`;

const options = {
	all: { type: 'boolean', default: false },
	only: { type: 'string' },
	list: { type: 'boolean', default: false },
	'must-run': { type: 'string' },
	n8n: { type: 'string', default: readLine() },
	help: { type: 'boolean', default: false },
};

/** The line of n8n of the run that this one is part of, if it is. */
function readLine() {
	const lines = Object.keys(hosts);
	return lines.find((line) => hosts[line] === process.env.E2E_N8N_HOST_FOLDER) ?? defaultLine;
}

function readSteps(option, text) {
	if (text === undefined) return undefined;
	const wanted = text.split(',').map((name) => name.trim());
	const unknown = wanted.find((name) => !names.includes(name));
	if (unknown === undefined) return wanted;
	throw new Error(`${option} has "${unknown}", which is not a step: ${names.join(', ')}.`);
}

/** Rejects what could only run nothing, and would look as if all were well. */
function requireSense({ chosen, mustRun, paths, values }) {
	if (values.all && values.only !== undefined) throw new Error('Use --all or --only, not both.');
	const leftOut = mustRun.filter((name) => !chosen.includes(name)).join(', ');
	if (leftOut) throw new Error(`--must-run includes ${leftOut}, but this run does not.`);
	const withPaths = steps.filter(({ isJest }) => isJest).map(({ name }) => name);
	if (paths.length === 0 || withPaths.some((name) => chosen.includes(name))) return;
	throw new Error(`Paths work with these steps only: ${withPaths.join(', ')}.`);
}

function read() {
	const { values, positionals: paths } = parseArgs({ options, allowPositionals: true });
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
	const only = readSteps('--only', values.only);
	const mustRun = readSteps('--must-run', values['must-run']) ?? [];
	const isEssential = !values.all && !only && paths.length === 0;
	const chosen = only ?? names.filter((name) => name !== 'queue' || !isEssential);
	requireSense({ chosen, mustRun, paths, values });
	const pathsOf = ({ name }) => {
		if (name === 'unit' && isEssential) return allButLong;
		if (name !== 'e2e') return paths;
		return isEssential ? essential : values.all ? [...paths, ...allButWeeks] : paths;
	};
	const wanted = steps
		.filter(({ name }) => chosen.includes(name))
		.map((step) => ({
			...step,
			args: step.isJest ? [...step.args, ...pathsOf(step)] : step.args,
			mustRun: mustRun.includes(step.name),
		}));
	return { wanted, paths, isEssential, isAll: values.all, isList: values.list };
}

/** What is to be done, with a sentence for the user where that makes no sense. */
export function readOptions() {
	try {
		return read();
	} catch (error) {
		console.error(`${error.message}\n\n${help}`);
		return process.exit(1);
	}
}
