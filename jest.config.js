const base = {
	rootDir: __dirname,
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.jest.json' }] },
	modulePathIgnorePatterns: [
		'<rootDir>/dist/',
		'<rootDir>/n8n-host/',
		'<rootDir>/n8n-host-1/',
		'<rootDir>/.state/',
	],
};

/**
 * `unit`: pure code, the sandbox, and real workflows in-process. `e2e`: the packed package in a real n8n.
 * `queue`: the same in queue mode, with Redis and Postgres.
 */
module.exports = {
	// Of the tests of a file that run side by side, which wait most of the time.
	maxConcurrency: 10,
	testSequencer: '<rootDir>/test/support/longestFirst.cjs',
	projects: [
		{
			...base,
			displayName: 'unit',
			testEnvironment: '<rootDir>/test/support/unit/environment.cjs',
			moduleNameMapper: { '^(n8n-core|n8n-workflow)$': '<rootDir>/test/support/unit/kept/$1.cjs' },
			testMatch: ['<rootDir>/test/!(e2e|queue)/**/*.test.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/support/unit/timeout.ts'],
		},
		{
			...base,
			displayName: 'e2e',
			testEnvironment: '<rootDir>/test/support/e2e/environment.cjs',
			testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
			globalSetup: '<rootDir>/test/support/e2e/globalSetup.ts',
			globalTeardown: '<rootDir>/test/support/e2e/globalTeardown.ts',
			setupFilesAfterEnv: ['<rootDir>/test/support/e2e/timeout.ts'],
		},
		{
			...base,
			displayName: 'queue',
			testMatch: ['<rootDir>/test/queue/**/*.test.ts'],
			setupFilesAfterEnv: ['<rootDir>/test/support/e2e/timeout.ts'],
		},
	],
};
