import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/*
 * What ships is held to n8n's own configuration, which has to stay as it is in the root of the project
 * (`strict` in package.json). What does not ship (test/, sandbox/, scripts/, tools/) is Node code: it gets
 * the same general rules, without those that forbid Node's own modules. All four folders take this one
 * object, since two of them would leave typescript-eslint with two roots.
 */
export default defineConfig({
	files: ['**/*.ts'],
	// What names the results of a build, and what a build has made.
	ignores: ['**/index.d.ts', '**/dist/**'],
	extends: [
		js.configs.recommended,
		tseslint.configs.recommended,
		importX.flatConfigs.recommended,
		importX.flatConfigs.typescript,
	],
	settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
	rules: {
		'prefer-spread': 'off',
		'import-x/no-named-as-default': 'off',
		'import-x/no-named-as-default-member': 'off',
		'@typescript-eslint/no-explicit-any': 'error',
		eqeqeq: 'error',
	},
});
