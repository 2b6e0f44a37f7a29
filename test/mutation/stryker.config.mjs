import { group } from './groups.mjs';

/** Changes the code that decides about sends and codes, and lists the changes that no test notices: test/README.md. */
export default {
	mutate: group.mutate,
	testRunner: 'jest',
	jest: { configFile: 'test/mutation/jest.config.mjs', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	ignoreStatic: true,
	ignorePatterns: ['.github', '.state', 'dist', 'docs/images', 'icons', 'n8n-host*', 'test/e2e'],
	reporters: ['clear-text', 'json', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	jsonReporter: { fileName: '.state/mutation.json' },
	tempDirName: '.state/mutation',
	thresholds: { high: 85, low: 85, break: 85 },
	timeoutMS: 10_000,
	dryRunTimeoutMinutes: 20,
};
