import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { group } from './groups.mjs';

/** The tests of behavior alone: those that read sources, measure time or start n8n pass and fail for other reasons. */
export default {
	rootDir: join(dirname(fileURLToPath(import.meta.url)), '../..'),
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.jest.json', diagnostics: false }] },
	testMatch: group.tests.map((path) => `<rootDir>/test/${path}.test.ts`),
	setupFiles: ['<rootDir>/test/mutation/setup.ts'],
	testTimeout: 30_000,
};
