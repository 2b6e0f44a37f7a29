import { group } from './groups.mjs';

/** Changes the code that decides about sends and codes, and lists the changes that no test notices: test/README.md. */
export default {
	mutate: process.env.MUTATE?.split(',') ?? group.mutate,
	plugins: [new URL('runner.mjs', import.meta.url).pathname],
	testRunner: 'circus',
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	ignorePatterns: [
		'tsconfig.json',
		'.github',
		'.state',
		'dist',
		'docs/images',
		'icons',
		'n8n-host*',
		'test/e2e',
	],
	reporters: ['clear-text', 'json', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: `.state/mutation-${process.env.MUTATED ?? 'responses'}.json` },
	tempDirName: `.state/mutation-${process.env.MUTATED ?? 'responses'}`,
	thresholds: { high: 85, low: 85, break: 85 },
	concurrency: 1,
	maxTestRunnerReuse: 500,
	timeoutMS: 20_000,
	dryRunTimeoutMinutes: 20,
};
