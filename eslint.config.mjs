import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

/*
 * What ships (nodes/, credentials/, package.json) is held to the rules of n8n's own command line tool,
 * written out from its ESLint configuration. What does not ship (sandbox/, test/, tools/) is Node code,
 * so it gets the same general rules without those that forbid Node's own modules.
 */
const ships = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const communityRules = n8nCommunityNodesPlugin.configs.recommended;

export default defineConfig(
	globalIgnores(['dist', 'sandbox/dist', 'n8n-host', '.state', 'node_modules']),
	{
		files: ['**/*.ts'],
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
	},
	{
		files: ships,
		extends: [communityRules],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { 'no-console': 'error' },
	},
	{
		files: ['package.json'],
		extends: [communityRules],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: { ...n8nNodesBase.configs.community.rules },
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);
